import { parseDocument } from "yaml";
import { BrokenYaml } from "./broken-yaml.ts";
import { MAX_YAML_ALIASES } from "./repair-yaml.ts";
import { isTooNested } from "./yaml-nesting.ts";

/**
 * YAML as plain data, for files that may come from anywhere: aliases are bounded, and what nests so deep that it would end
 * the process is refused. Of broken YAML the library reports every error, which takes it a quarter of a second at 16 KiB:
 * whoever reads a file bounds its size.
 *
 * @throws BrokenYaml with line and reason, when the text is no YAML or is refused.
 */
export function parseYaml(text: string): unknown {
  if (isTooNested(text)) throw new BrokenYaml(0, "it nests too deep");
  // Pretty errors quote the text around each error, and take four times as long as finding them.
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new BrokenYaml(text.slice(0, error.pos[0]).split("\n").length - 1, error.message);
  try {
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES }) as unknown;
  } catch (cause) {
    throw new BrokenYaml(0, cause instanceof Error ? cause.message : String(cause));
  }
}

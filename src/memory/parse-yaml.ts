import { parse } from "yaml";
import { MAX_YAML_ALIASES } from "./repair-yaml.ts";
import { isTooNested } from "./yaml-nesting.ts";

/**
 * YAML as plain data, for files that may come from anywhere: aliases are bounded, and what nests so deep that it would end
 * the process is refused.
 *
 * @throws Error with the reason, when the text is no YAML or is refused.
 */
export function parseYaml(text: string): unknown {
  if (isTooNested(text)) throw new Error("it nests too deep");
  // Not "silent": then the library would keep its errors to itself, too.
  return parse(text, { maxAliasCount: MAX_YAML_ALIASES, logLevel: "error" }) as unknown;
}

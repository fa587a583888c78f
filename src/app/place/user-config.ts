import { BrokenYaml } from "../../memory/codec/broken-yaml.ts";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "../../memory/codec/parse-yaml.ts";
import { asRecord, FieldReader } from "../../memory/codec/read-fields.ts";
import type { Places } from "../../platform/places.ts";

/** What the user set for all of heed on this machine. Nothing that comes with a repository can set it. */
export interface UserConfig {
  /** `semantic.directory`: a directory with a sentence model, or `off`. */
  semanticDirectory: string | undefined;
  /** `judge`, as it stands there; undefined where there is none. Read by what asks a judge. */
  judge: Record<string, unknown> | undefined;
  /** What is wrong in the file, in words; such parts are left out. */
  problems: string[];
}

/** The name of the file in the user's configuration directory. */
const FILE = "config.yaml";
const MAX_BYTES = 16 * 1024;

/** Reads the user's configuration. Never throws: without a file nothing is set. */
export function readUserConfig(places: Places): UserConfig {
  const config: UserConfig = { semanticDirectory: undefined, judge: undefined, problems: [] };
  const file = join(places.config, FILE);
  let text: string;
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) {
      config.problems.push(`${file}: no file of ${MAX_BYTES} bytes at most; it is not read`);
      return config;
    }
    text = readFileSync(file, "utf8");
  } catch {
    return config;
  }
  let value: Record<string, unknown>;
  try {
    value = asRecord(parseYaml(text)) ?? {};
  } catch (error) {
    config.problems.push(
      `${file}: no valid YAML (${error instanceof BrokenYaml ? error.words : String(error)}); mend it`,
    );
    return config;
  }
  const semantic = asRecord(value["semantic"]);
  config.semanticDirectory = semantic && new FieldReader(semantic).text("directory");
  config.judge = asRecord(value["judge"]);
  if (config.judge === undefined && (value["judge"] ?? "off") !== "off")
    config.problems.push(`${file}: judge is neither off nor a map with provider and model (docs/judge.md)`);
  return config;
}

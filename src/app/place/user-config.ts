import { BrokenYaml, parseYaml } from "../../memory/codec/parse-yaml.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { asRecord } from "../../memory/codec/read-fields.ts";
import type { Places } from "../../platform/places.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

/** What the user set for all of heed on this machine. Nothing that comes with a repository can set it. */
export interface UserConfig {
  file: string;
  /** As it stands there; each optional part reads what is its own. Empty without a file. */
  values: Readonly<Record<string, unknown>>;
  /** Why the file cannot be read, in words. */
  problems: string[];
}

/** The name of the file in the user's configuration directory. */
const FILE = "config.yaml";
const MAX_BYTES = 16 * 1024;

/** Reads the user's configuration. Never throws: without a file nothing is set. */
export function readUserConfig(places: Places): UserConfig {
  return readConfigFile(join(places.config, FILE));
}

/** Reads a file of settings. Never throws. */
export function readConfigFile(file: string): UserConfig {
  const unread = (...problems: string[]): UserConfig => ({ file, values: {}, problems });
  let text: string;
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES)
      return unread(`${file}: no file of ${MAX_BYTES} bytes at most; it is not read`);
    text = readRegularFile(file, { maxBytes: MAX_BYTES });
  } catch {
    return unread();
  }
  try {
    return { file, values: asRecord(parseYaml(text)) ?? {}, problems: [] };
  } catch (error) {
    const words = error instanceof BrokenYaml ? error.words : String(error);
    return unread(`${file}: no valid YAML (${words}); mend it`);
  }
}

import type { FrontMatterSplit } from "./front-matter.ts";

/**
 * The line of a key in the file, for people: under `metadata` rather than at the top level, the last where it is given
 * twice, also with dashes for underscores; 1 when it is not there.
 */
export function lineOfKey(split: Pick<FrontMatterSplit, "yaml" | "yamlLine">, key: string): number {
  const lines = (split.yaml ?? "").split("\n");
  const names = [key, key.replaceAll("_", "-")];
  const isKey = (line: string): boolean =>
    names.includes(/^\s*["']?([\w-]{1,40})["']?\s*:/.exec(line)?.[1] ?? "");
  const nested = lines.findLastIndex((line) => /^\s/.test(line) && isKey(line));
  const index = nested >= 0 ? nested : lines.findLastIndex(isKey);
  return index < 0 ? 1 : split.yamlLine + index;
}

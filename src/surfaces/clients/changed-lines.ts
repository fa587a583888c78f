import { diffLines } from "diff";
import type { FileChange } from "./connect-clients.ts";

/** A line that comes into a file, or goes. */
export interface ChangedLine {
  sign: "+" | "-";
  text: string;
}

/** The lines that come and go, without those around them. */
export function changedLines({ before, after }: FileChange): ChangedLine[] {
  if (before === undefined && after === undefined) return [];
  return diffLines(before ?? "", after ?? "", { ignoreNewlineAtEof: true }).flatMap(
    ({ value, added, removed }): ChangedLine[] => {
      if (!added && !removed) return [];
      const sign = added ? "+" : "-";
      return value
        .replace(/\n$/, "")
        .split("\n")
        .map((text) => ({ sign, text }));
    },
  );
}

import { diffArrays } from "diff";

/** A line of a text with the version that brought it. */
export interface BlamedLine<V> {
  text: string;
  version: V;
}

/** Tells for each line of the last text which version brought it: each version is compared with the one before it. */
export function blameLines<V>(versions: readonly { text: string; version: V }[]): BlamedLine<V>[] {
  let lines: BlamedLine<V>[] = [];
  for (const { text, version } of versions) {
    const next = text.replace(/\n$/, "").split("\n");
    const blamed: BlamedLine<V>[] = [];
    let at = 0;
    for (const part of diffArrays(
      lines.map((line) => line.text),
      next,
    )) {
      if (part.added) blamed.push(...part.value.map((line) => ({ text: line, version })));
      else {
        if (!part.removed) blamed.push(...lines.slice(at, at + part.value.length));
        at += part.value.length;
      }
    }
    lines = blamed;
  }
  return lines;
}

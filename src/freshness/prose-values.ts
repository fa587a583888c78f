import type { Claim } from "../memory/claims/claim.ts";
import { assignedValues, isSameValue } from "./assigned-values.ts";

/** A number as prose gives it: not a part of a date, a version or a name. */
const NUMBER = /(?<![\p{L}\p{N}_.:/#-])\d+(?:\.\d+)?(?![\p{L}\p{N}_]|[.:/-]\d)/gu;
/** So many numbers of a text are looked for in a file, */
const MAX_NUMBERS = 10;
/** and so many names that a file gives that number. */
const MAX_NAMES = 20;

/**
 * The values of a file that a sentence states in prose: "the zone factor is 1.1" where the file sets `ZONE_FACTOR = 1.1`.
 * The name's parts all stand in the sentence, so that what a memory is about is claimed along with what it names as code.
 */
export function proseValues(sentence: string, path: string, text: string): Claim[] {
  const words = new Set(
    (sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => [word, ...partsOf(word)]),
  );
  const claims: Claim[] = [];
  for (const [number] of [...sentence.matchAll(NUMBER)].slice(0, MAX_NUMBERS)) {
    const set = new RegExp(
      `(?<![\\w$.])([A-Za-z_$][\\w$]{2,60})["']?\\s{0,4}(?::[^=\\n;{}]{0,40})?[:=]\\s{0,4}${number.replace(".", "\\.")}(?![\\w.]*\\d)`,
      "g",
    );
    for (const [, name = ""] of [...text.matchAll(set)].slice(0, MAX_NAMES)) {
      const parts = partsOf(name);
      if (parts.length === 0 || !parts.every((part) => words.has(part) || words.has(`${part}s`))) continue;
      // A lone short word is any word.
      if (parts.length === 1 && !sentence.includes(name)) continue;
      if (assignedValues(path, text, name).some((written) => isSameValue(written, number)))
        claims.push({ kind: "value", path, name, value: number, isAbsent: false });
    }
  }
  return claims;
}

/** `ZONE_FACTOR`, `zoneFactor`: zone, factor. */
function partsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part.length > 1);
}

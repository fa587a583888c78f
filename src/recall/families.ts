import { areRelatives, differenceOf, termsOfStatement } from "./difference.ts";

/** Statements of one family, in the order in which they were given. */
export interface Family<T> {
  members: T[];
  /** Of each member, as words of its text: what no other member says. */
  distinguishing: string[][];
}

/** Two look-alikes are two lines; from so many on they are a family. */
export const MIN_FAMILY = 3;

/**
 * Groups look-alikes: each family is one statement and its relatives, so that no chain of likenesses joins what is
 * unlike. What is in no family is left out. Compares all pairs: for a few hundred statements.
 */
export function familiesOf<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  least: number = MIN_FAMILY,
): Family<T>[] {
  const terms = items.map((item) => termsOfStatement(textOf(item)));
  const isTaken = items.map(() => false);
  const families: Family<T>[] = [];
  for (const [i, first] of terms.entries()) {
    if (isTaken[i]) continue;
    const places = [i];
    for (let k = i + 1; k < terms.length; k++)
      if (!isTaken[k] && areRelatives(differenceOf(first, terms[k]!))) places.push(k);
    if (places.length < least) continue;
    for (const place of places) isTaken[place] = true;
    families.push({
      members: places.map((place) => items[place]!),
      distinguishing: places.map((place) => ownWords(terms, places, place)),
    });
  }
  return families;
}

/** The words of one member that no other has; where there are none, those that not all have. */
function ownWords(
  terms: readonly ReadonlyMap<string, string>[],
  places: readonly number[],
  own: number,
): string[] {
  const others = places.filter((place) => place !== own).map((place) => terms[place]!);
  const words = (isOwn: (term: string) => boolean): string[] =>
    [...terms[own]!].filter(([term]) => isOwn(term)).map(([, surface]) => surface);
  const alone = words((term) => others.every((other) => !other.has(term)));
  return alone.length > 0 ? alone : words((term) => others.some((other) => !other.has(term)));
}

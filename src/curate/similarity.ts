import { areOtherSides, jaccard, sharedCount } from "../recall/same-words.ts";
import { wordsOf } from "../recall/words-of.ts";

/** How two memories relate by their words alone. */
export interface Similarity {
  /** 0 to 1. */
  value: number;
  /** What makes them differ although their words agree: one denies, or the numbers are others. */
  opposition: string | undefined;
}

interface Text {
  description: string;
  body: string;
}

/** Words that turn a statement round. */
const NEGATION =
  /\b(?:not|never|no|none|without|avoid(?:s|ed|ing)?|disable[ds]?|forbid(?:s|den)?|forbade|stop|instead of|rather than|don['’]?t|doesn['’]?t|cannot|can['’]?t|won['’]?t|isn['’]?t|aren['’]?t|must ?n['’]?o?t|no longer|unless|except)\b/gi;
/** A word of one side and one of the other make two statements opposites. */
const ANTONYMS: readonly (readonly [RegExp, RegExp])[] = [
  [/\balways\b/i, /\bnever\b/i],
  [/\benabled?\b/i, /\bdisabled?\b/i],
  [/\ballow(?:ed|s)?\b/i, /\b(?:forbid(?:den)?|deny|denied|disallow(?:ed)?)\b/i],
  [/\btabs\b/i, /\bspaces\b/i],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\b(?:accept|adopt|keep)(?:ed|s)?\b/i, /\b(?:reject|drop|remove|abandon)(?:ed|s|ped)?\b/i],
  [/\bsynchronous(?:ly)?\b/i, /\basynchronous(?:ly)?\b/i],
  [/\bmerge\b/i, /\brebase\b/i],
  [/\b(?:like|love|prefer)s?\b/i, /\b(?:hate|dislike)s?\b/i],
  [/\bverbose|long|detailed\b/i, /\bterse|short|brief\b/i],
];

/**
 * Compares two memories. The value is the mean of two shares: the words that both descriptions have of all that they
 * have (Jaccard), and how much of the shorter whole text the longer one holds (containment, after Broder 1997,
 * weighed down where the lengths differ much); the descriptions alone decide when they are the same words.
 */
export function similarityOf(a: Text, b: Text): Similarity {
  const [descriptionA, descriptionB] = [wordsOf(a.description), wordsOf(b.description)];
  const all = [wordsOf(`${a.description}\n${a.body}`), wordsOf(`${b.description}\n${b.body}`)] as const;
  const byDescription = jaccard(descriptionA, descriptionB);
  const isSided = areOtherSides(descriptionA, descriptionB);
  // A description of a word or two ("model") says nothing by itself.
  const byStatement = Math.min(descriptionA.size, descriptionB.size) < 3 ? 0 : byDescription;
  const value = isSided ? 0 : Math.max(byStatement ** 2, (byStatement + containment(...all)) / 2);
  return { value: Math.round(value * 100) / 100, opposition: oppositionOf(a.description, b.description) };
}

function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size);
  if (least === 0) return 0;
  const balance = Math.min(1, (2 * least) / Math.max(a.size, b.size));
  return (sharedCount(a, b) / least) * balance;
}

/** What makes two statements of like words differ: a negation on one side, opposite words, other numbers. */
export function oppositionOf(a: string, b: string): string | undefined {
  for (const [one, other] of ANTONYMS) {
    const isOpposite =
      (one.test(a) && other.test(b) && !one.test(b)) || (other.test(a) && one.test(b) && !other.test(b));
    if (isOpposite) return `"${match(one, other, a)}" against "${match(one, other, b)}"`;
  }
  const [denials, others] = [a.match(NEGATION) ?? [], b.match(NEGATION) ?? []];
  if (denials.length % 2 !== others.length % 2)
    return `"${(denials[0] ?? others[0] ?? "").toLowerCase()}" on one side only`;
  const numbers = [numbersOf(a), numbersOf(b)] as const;
  if (numbers[0].length > 0 && numbers[1].length > 0 && numbers[0].join() !== numbers[1].join())
    return `${numbers[0].join(", ")} against ${numbers[1].join(", ")}`;
  return undefined;
}

function match(one: RegExp, other: RegExp, text: string): string {
  return (one.exec(text) ?? other.exec(text))?.[0].toLowerCase() ?? "";
}

function numbersOf(text: string): string[] {
  return (text.match(/\d+(?:[.,:-]\d+)*/g) ?? []).sort();
}

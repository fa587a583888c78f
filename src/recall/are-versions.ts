import { termOf } from "../index/analysis/normalize-word.ts";
import { TokenKind } from "../index/analysis/token-kind.ts";
import { tokenize } from "../index/analysis/tokenize.ts";
import { neighboursIn } from "./neighbouring-words.ts";
import { areOtherSides } from "./same-words.ts";
import { relationOf } from "./statement-relation.ts";
import { wordsOf } from "./words-of.ts";

/** A longer description is a summary, not a statement, and mentions things that it is not about. */
const MAX_WORDS = 20;

/**
 * Whether a later statement is a version of an earlier one: it says the same, or otherwise, of the same thing, or tells
 * in other words that it changed. Meant to miss rather than to call two facts one.
 */
export function areVersions(later: string, earlier: string): boolean {
  return relationOf(later, earlier).relation !== "two" || tellsOfChange(later, earlier);
}

/** Whether a later statement tells, in other words, that what an earlier one says has changed. */
export function tellsOfChange(later: string, earlier: string): boolean {
  if (!CHANGE.test(later)) return false;
  const [words, others] = [wordsOf(later), wordsOf(earlier)];
  if (areOtherSides(words, others) || Math.max(words.size, others.size) > MAX_WORDS) return false;
  const shared = [...words].filter((word) => others.has(word));
  if (!isChangeOf(later, earlier, shared)) return false;
  return !shared.some((word) => isQualified(word, later, others) || isQualified(word, earlier, words));
}

/**
 * A change in other words: both name one subject (two words that stand together in both), each holds a value of one kind
 * that the other does not, they share a word beyond subject and unit, and the later one speaks of a change.
 */
function isChangeOf(later: string, earlier: string, shared: readonly string[]): boolean {
  const subject = subjectOf(later, earlier);
  if (subject.size === 0) return false;
  const [values, others] = [valuesIn(later), valuesIn(earlier)];
  const kinds = [...values.keys()].filter((kind) => isOther(values.get(kind), others.get(kind)));
  if (kinds.length === 0) return false;
  const units = wordsOf(kinds.join(" ").replaceAll("in ", ""));
  return (
    shared.some((word) => !subject.has(word) && !units.has(word)) && haveOneHead(subject, later, earlier)
  );
}

/** The words of a text in their order; undefined stands for a function word and for the end of a clause. */
function inOrder(text: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  for (const clause of text.split(/[;:,.!?()]\s/)) {
    tokenize(clause, (term, _position, kind, isStop) => {
      if (kind !== TokenKind.identifier) words.push(isStop ? undefined : term);
    });
    words.push(undefined);
  }
  return words;
}

/** Whether a word is qualified by one that the other statement does not have: `admin port`, `tenant API`. */
function isQualified(word: string, text: string, others: ReadonlySet<string>): boolean {
  const words = inOrder(text);
  const before = words[words.indexOf(word) - 1];
  if (before === undefined || others.has(before) || CHANGE.test(before) || /\d/.test(before)) return false;
  // A name is a value: `Marta owns it` and `Tomas owns it` are two versions.
  return !Array.from(text.matchAll(/\p{Lu}[\p{L}\d]*/gu)).some(
    ([name]) => termOf(name.toLowerCase()) === before,
  );
}

/** False when both say what of the subject they are about and it is not the same: `releases of X`, `hotfixes of X`. */
function haveOneHead(subject: ReadonlySet<string>, later: string, earlier: string): boolean {
  const [head, other] = [later, earlier].map((text) => {
    const words = inOrder(text);
    const start = words.findIndex((word) => word !== undefined && subject.has(word));
    return words.slice(0, Math.max(0, start)).findLast((word) => word !== undefined);
  });
  return head === undefined || other === undefined || head === other;
}

const CHANGE =
  /\b(?:moved|migrated|switched|(?:took|taken|handed|takes) over|replace[sd]?|renamed|former(?:ly)?|previous(?:ly)?|no longer|any ?more|instead of|used to (?:be|run|live|have|use|read|go)|now|since|changed|raised|lowered|increased|reduced|extended|postponed|pushed (?:back|out)|delayed|brought forward|more time|went (?:up|down)|as of|superseded|deprecated|retired|switched off|successor)\b/i;

/** Words that stand together in both texts, and identifiers in both. */
function subjectOf(a: string, b: string): Set<string> {
  const subject = new Set<string>();
  const pairs = neighboursIn(b);
  for (const [first, seconds] of neighboursIn(a))
    for (const second of seconds) if (pairs.get(first)?.has(second)) subject.add(first).add(second);
  return subject;
}

/** A number, and its unit where it is one that things are measured in. */
const QUANTITY =
  /(?<![\w.-])(\d+(?:[.,]\d+)*)(?:\s?(%|(?:[mµn]?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:our)?s?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|px|r?em|users?|tenants?|seats?|requests?|retries|attempts|replicas?|workers?|threads?|rows?|[rq]ps|usd|eur|dollars|euros)\b))?(?![\w.-]*\d)/gi;

type Values = Map<string, Set<string>>;

/** What a statement may set: dates, quantities by unit, identifiers, names. */
function valuesIn(text: string): Values {
  const values: Values = new Map();
  const add = (kind: string, value: string): void => {
    values.set(kind, (values.get(kind) ?? new Set()).add(value));
  };
  // A date is a value where it is a term; elsewhere it says when the statement was made.
  const plain = text.replace(
    /(\b(?:until|till|before|by|due|from|after|starts?|ends?)(?: on)? )?\b(\d{4}-\d{2}-\d{2})\b/gi,
    (_, term, date) => {
      if (term !== undefined) add("date", String(date));
      return " ";
    },
  );
  for (const [, amount, unit] of plain.matchAll(QUANTITY))
    add(unit ? `in ${unit.toLowerCase().replace(/s$/, "")}` : "number", amount as string);
  tokenize(plain, (term, _position, kind) => {
    if (kind === TokenKind.identifier && !/^[\d.]+$/.test(term)) add("identifier", term);
  });
  for (const [name] of plain.matchAll(/(?<=[\p{L}\d,;)] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*/gu))
    add("name", name);
  return values;
}

const isOther = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean =>
  a !== undefined && b !== undefined && [...a].every((value) => !b.has(value));

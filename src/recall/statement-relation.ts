import { compareChoices } from "./choice.ts";
import type { Statement, Word } from "./read-statement.ts";
import { DEFINITE, readStatement, set } from "./read-statement.ts";

/**
 * How two statements stand to each other, as far as their words tell.
 * - `same`: the one says what the other says.
 * - `other`: they speak of one subject and give it another value, or one denies what the other says.
 * - `two`: both may hold: they speak of different things, however alike they look.
 */
export type Relation = "same" | "other" | "two";

/** A relation, with what it was told by. */
export interface StatementRelation {
  relation: Relation;
  /** The share of their words that both have, 0 to 1. */
  likeness: number;
  /** Of statements that say otherwise: what differs, in their own words; empty for a denial. */
  differs: { first: string; second: string };
}

/** From this share of common words on, statements that differ in no value and no place say the same. */
const SAME = 0.5;

/** A thing stands behind these: what is told apart by it is another thing. */
const OF_A_THING = set("of for with from between about von vom fur mit de du des pour avec para con del");
const BY = set("by durch par por");
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["tab", "space"],
  ["enabl", "disabl"],
  ["allow", "forbid"],
  ["befor", "after"],
  ["merg", "rebas"],
  ["includ", "exclud"],
  ["synchron", "asynchron"],
  ["short", "long"],
  ["accept", "reject"],
];

/** Compares two statements of one line. */
export function relationOf(first: string, second: string): StatementRelation {
  const whole = compare(readStatement(first), readStatement(second));
  const core = compare(readStatement(coreOf(first)), readStatement(coreOf(second)));
  return (
    [whole, core].find(({ relation }) => relation === "other") ?? (core.relation === "same" ? core : whole)
  );
}

/** Who said it, and when. */
const SAID_BY =
  /^(?:\p{Lu}[\p{L}-]+|we|they|the [\p{L}-]+(?: [\p{L}-]+)?)(?: and \p{Lu}[\p{L}-]+)? (?:decided|agreed|said|confirmed|announced|determined|hat|haben|a|ont|decidió|acordó)(?: (?:with|mit|avec|con) \p{Lu}[\p{L}-]+)?(?: (?:on|am|le|el) [\d./-]+)?(?: entschieden| beschlossen| gesagt| décidé| dit)?,? (?:that|dass|que) /u;

/** The statement itself, without who said it, and what is said after it: a reason, an apposition, when it was decided. */
function coreOf(whole: string): string {
  const text = whole.replace(SAID_BY, "");
  const at = text.search(
    /(?:,(?!\s(?:in|on|im|dans)\s|\s(?:\p{L}+\s)?(?:not|nicht|kein\p{L}*|pas|sans|sin|no|never|without|ohne)\s)|;|:(?!\/\/|\s*[a-z]+:\/\/)|\s[–—(])\s|\s(?:since|because|so that|weil|damit|parce que|porque)\s/iu,
  );
  const core = at < 0 ? text : text.slice(0, at);
  return readStatement(core).words.length >= 2 ? core : text;
}

function compare(a: Statement, b: Statement): StatementRelation {
  const terms = (words: readonly Word[]): Set<string> => new Set(words.map(({ term }) => term));
  const [inA, inB] = [terms(a.words), terms(b.words)];
  const shared = [...inA].filter((term) => inB.has(term)).length;
  const ownA = a.words.filter(({ term }) => !inB.has(term));
  const ownB = b.words.filter(({ term }) => !inA.has(term));
  const likeness = shared / Math.max(1, inA.size + inB.size - shared);
  const slots = slotsOf(a.words, b.words, inA, inB);
  const answer = (relation: Relation, first = "", second = ""): StatementRelation => ({
    relation,
    likeness,
    differs: { first, second },
  });
  const choice = compareChoices(a.words, b.words);
  if (choice) return answer(choice.relation, surfaceOf(choice.first), surfaceOf(choice.second));
  if (areTwoWithAddresses(ownA, ownB)) return answer("two");
  const opposites = OPPOSITES.find(([one, other]) =>
    [ownA, ownB].every((own) => own.some(({ term }) => term === one || term === other)),
  );
  if (opposites && ownA.length <= 2 && ownB.length <= 2) {
    // "tabs in Go", and "two spaces in YAML": each of another thing.
    const isOfItsOwn = [ownA, ownB].every((own) =>
      own.some(({ term, kind }) => kind === undefined && !opposites.includes(term)),
    );
    return isOfItsOwn ? answer("two") : answer("other", surfaceOf(ownA), surfaceOf(ownB));
  }
  if (shared < 2)
    return shared === 1 && slots.length === 1 && isOneValue(a.words, b.words)
      ? answer("other", surfaceOf(ownA), surfaceOf(ownB))
      : answer("two");
  if (a.isDenied !== b.isDenied) {
    const [fewer, more] = [ownA.length, ownB.length].sort((one, other) => one - other) as [number, number];
    // "passwords expire after 90 days", and then "passwords never expire".
    const isAlike = more * 2 <= shared + 1 || (fewer === 0 && more <= shared);
    // Who may do it may do it in the case that it was forbidden for.
    const permitted = a.isPermission ? ownA : b.isPermission ? ownB : undefined;
    if (permitted?.length === 0) return answer("other");
    // What is forbidden in one place may be done in another.
    if (permitted && slots.length > 0) return answer("two");
    return answer(isAlike && slots.every(isOfAValue) ? "other" : "two");
  }
  const [slot, ...more] = slots;
  // What is forbidden twice is two things that are forbidden.
  if (slot && a.isDenied && slot.first[0]?.kind !== "number") return answer("two");
  if (slot && more.length === 0 && ownA.length + ownB.length <= 2 * shared)
    return isOfAValue(slot) ? answer("other", surfaceOf(slot.first), surfaceOf(slot.second)) : answer("two");
  if (slot) return answer("two");
  const [valuesA, valuesB] = [valuesOf(ownA), valuesOf(ownB)];
  if (valuesA.length > 0 && valuesB.length > 0)
    return valuesA.length === ownA.length && valuesB.length === ownB.length
      ? answer("other", surfaceOf(valuesA), surfaceOf(valuesB))
      : answer("two");
  return answer(likeness >= SAME ? "same" : "two");
}

/** "runbook of payments: https://…" and "runbook of orders: https://…" are two things, each with its address. */
function areTwoWithAddresses(ownA: readonly Word[], ownB: readonly Word[]): boolean {
  return [ownA, ownB].every(
    (own) => own.some(({ kind }) => kind === "address") && own.some(({ kind }) => kind === undefined),
  );
}

/** "the standup is at 9:15", and then "at 10": a thing and its value, said in the same words. */
function isOneValue(a: readonly Word[], b: readonly Word[]): boolean {
  const [[thing, one], [, other]] = [a, b];
  if (a.length !== 2 || b.length !== 2 || !thing || !one || !other || thing.term !== b[0]?.term) return false;
  const isValue = ({ kind, surface }: Word): boolean => kind !== undefined || /[\d_/]/.test(surface);
  return isValue(one) && isValue(other) && one.kind === other.kind && one.link.join() === other.link.join();
}

/** A place where the one says one thing and the other another. */
interface Slot {
  first: readonly Word[];
  second: readonly Word[];
  /** It opens both statements. */
  isFirst: boolean;
  /** Nothing follows it in either. */
  isLast: boolean;
  /** The words after it, where both go on alike. */
  next: Word | undefined;
  /** The word after that: the object of what an agent does. */
  object: Word | undefined;
  /** The word before it. */
  before: Word | undefined;
  /** Both say what one person does: one may do two things. */
  isOfOneAgent: boolean;
}

/** The places where two sequences of words differ on both sides, between the same neighbours. */
function slotsOf(
  a: readonly Word[],
  b: readonly Word[],
  inA: ReadonlySet<string>,
  inB: ReadonlySet<string>,
): Slot[] {
  const slots: Slot[] = [];
  for (let i = 0; i < a.length; i++) {
    if (inB.has(a[i]!.term)) continue;
    const start = i;
    while (i < a.length && !inB.has(a[i]!.term)) i++;
    const [before, next] = [a[start - 1], a[i]];
    const from = before === undefined ? 0 : b.findIndex(({ term }) => term === before.term) + 1;
    let to = from;
    while (to < b.length && !inA.has(b[to]!.term)) to++;
    if (to === from || b[to]?.term !== next?.term) continue;
    slots.push({
      first: a.slice(start, i),
      second: b.slice(from, to),
      isFirst: start === 0 && from === 0,
      // A German verb comes at the end.
      isLast:
        next === undefined ||
        (a.length === i + 1 && b.length === to + 1 && /^ge\p{L}+t$|\p{L}{4,}en$/u.test(next.surface)),
      next,
      object: a[i + 1],
      before,
      isOfOneAgent:
        start === 2 &&
        a[0] !== undefined &&
        isAgent(a[0]) &&
        a[0].term === b[0]?.term &&
        a[start]?.link.length !== 0,
    });
  }
  return slots;
}

/** Whether what differs is what is said of the subject, rather than the subject. */
function isOfAValue({ first, second, isFirst, isLast, next, object, before, isOfOneAgent }: Slot): boolean {
  const [one, other] = [first[0]!, second[0]!];
  // "week 12 is Priya" and "week 13 is Wanda" are two things, each with its value.
  if (
    [first, second].every((words) =>
      words.slice(1).some(({ link, kind }) => link.length > 0 && kind === undefined),
    )
  )
    return false;
  // "M3 steps 0-4" and "M3 steps 5-8": which ones, where "in room 204" says where.
  if (one.kind === "number" && before && PART.test(before.term) && before.link.length === 0) return false;
  // "version 2 of the API": which one, not how much.
  if (one.kind !== undefined && one.kind === other.kind && one.kind !== "address")
    return next?.link[0] !== "of" && next?.link[0] !== "von";
  const links = [...one.link, ...other.link];
  if (one.kind === "address" && other.kind === "address") return true;
  if (links.some((link) => OF_A_THING.has(link))) return false;
  // "runbook for restarting the mailer": what it is for.
  if (before?.surface.endsWith("ing") === true && before.link.some((link) => OF_A_THING.has(link)))
    return false;
  // "Kiel is printer-1" and "Lyon is printer-2", "X instead of Y" and "V instead of W" are two things each.
  if (
    [first, second].every((words) => words.slice(1).some(({ isDenied, link }) => isDenied || link.length > 0))
  )
    return false;
  // "Mara leads the team", and then Jonas does: what is done to one thing has one doer.
  if (isFirst)
    return isAgent(one) && isAgent(other) && (object?.link.some((link) => DEFINITE.has(link)) ?? false);
  if (before && /^(?:use|prefer|choos|tak|benutz|verwend)/.test(before.term) && one.link.length === 0)
    return true;
  if (isAgent(one) && isAgent(other) && links.some((link) => BY.has(link))) return true;
  if (!isLast || isOfOneAgent) return false;
  return first.length <= 3 && second.length <= 3;
}

const PART =
  /^(?:step|phase|part|stage|week|chapter|sprint|mileston|level|tier|shard|issu|ticket|pr|page|schritt|teil|woch|etap|semain|paso|seman)$/;

function isAgent({ surface }: Word): boolean {
  return /^\p{Lu}\p{Ll}+$/u.test(surface);
}

function valuesOf(words: readonly Word[]): Word[] {
  return words.filter(({ kind, surface }) => kind !== undefined || /[\d_/]/.test(surface));
}

function surfaceOf(words: readonly Word[]): string {
  return words.map(({ surface }) => surface).join(" ");
}

import { sentencesOf } from "../text/sentences.ts";
import { oneLine } from "../text/one-line.ts";
import { pointsBack } from "./points-back.ts";
import { reasonIn } from "./reason-in.ts";
import { isStanding, saysFromNowOn, saysHowThingsAre, saysHowToWork } from "./standing-words.ts";
import type { Wish } from "./wishes.ts";
import { wishIn } from "./wishes.ts";

/** What a user says in so many words is to be kept, or to be forgotten. */
export type ExplicitWords =
  | {
      kind: "keep";
      type: "feedback" | "project" | "reference" | "user";
      /** The sentence, or what "remember that" is followed by: the user's words, none added. */
      statement: string;
      /** The words in which it was said, with what stands around them. */
      quote: string;
      /** Whole, as they said it; absent when they gave none. */
      reason?: string;
    }
  | { kind: "forget"; about: string; quote: string }
  /** `isOfMemory`: the words speak of a memory, and not perhaps of what was done. */
  | { kind: "forget-that"; isOfMemory: boolean; quote: string };

/** A turn of more own words is a document: of its sentences only those count that ask to be kept. */
const MAX_TALK_CHARS = 1200;
/** A turn of so many words is quoted whole: what stands around a sentence is mostly its reason. */
const MAX_QUOTE_CHARS = 300;
const MAX_STATEMENT_CHARS = 200;
/** Shorter sentences say nothing by themselves. */
const MIN_WORDS = 3;

/**
 * What a turn asks for in so many words: "remember that …", "from now on …", a standing never, always, stop, don't, or use
 * this and not that as a main clause, "forget that …". Mostly nothing. These are formulas, read as such; whether anything
 * else is worth keeping is a question of meaning, which is the model's.
 *
 * @param own what the user typed as their own words.
 */
export function findExplicit(own: string): ExplicitWords[] {
  const isTalk = own.length <= MAX_TALK_CHARS;
  const sentences = sentencesOf(own);
  const found: ExplicitWords[] = [];
  for (const [i, sentence] of sentences.entries()) {
    const wish = wishIn(sentence);
    if (wish !== undefined) found.push(...ofWish(wish, sentence, own));
    else if (saysFromNowOn(sentence)) found.push(...ofOpener(sentence, sentences.slice(i + 1), own));
    else if (pointsBack(sentence)) found.push(...ofMeant(sentences.slice(0, i), sentence, own));
    else if (isTalk) found.push(...ofStanding(sentence, own));
  }
  // "Never X. Make that a rule." says one thing.
  return joinFacts(found.filter((one, i) => found.findIndex((other) => isSame(one, other)) === i));
}

/** "Stop using pandas! This repo is polars only." is one rule: the second sentence says how things are, not what to do. */
function joinFacts(found: readonly ExplicitWords[]): ExplicitWords[] {
  const joined: ExplicitWords[] = [];
  for (const one of found) {
    const last = joined.at(-1);
    const isFact = one.kind === "keep" && saysHowThingsAre(one.statement);
    const together = last?.kind === "keep" && isFact ? `${last.statement} ${one.statement}` : "";
    if (last?.kind === "keep" && together !== "" && together.length <= MAX_STATEMENT_CHARS)
      joined.splice(-1, 1, { ...last, statement: together });
    else joined.push(one);
  }
  return joined;
}

function isSame(one: ExplicitWords, other: ExplicitWords): boolean {
  return one.kind === "keep" && other.kind === "keep" ? one.statement === other.statement : one === other;
}

/** The last sentence before, which is no question. */
function ofMeant(before: readonly string[], sentence: string, own: string): ExplicitWords[] {
  const meant = before.findLast((text) => !text.endsWith("?") && keep(text, text, own).length > 0);
  return meant === undefined
    ? []
    : keep(meant, meant, own).map((kept) => (/\brules?\b/i.test(sentence) ? asRule(kept) : kept));
}

function asRule(kept: ExplicitWords): ExplicitWords {
  return kept.kind === "keep" ? { ...kept, type: "feedback" } : kept;
}

/** A standing main clause: the sentence, or what stands in brackets or behind a semicolon or dash in it. */
function ofStanding(sentence: string, own: string): ExplicitWords[] {
  if (isStanding(sentence)) return keep(sentence, sentence, own);
  const parts = [...sentence.matchAll(/\(([^()]{10,})\)|(?:;|\s[-–—])\s+([^;()]{10,})$/g)];
  return parts
    .map(([, inBrackets, behind]) => (inBrackets ?? behind ?? "").trim())
    .filter((part) => isStanding(part))
    .flatMap((part) => keep(part, sentence, own));
}

function ofWish(wish: Wish, sentence: string, own: string): ExplicitWords[] {
  if (wish.kind === "forget-that") return [{ ...wish, quote: sentence }];
  if (wish.kind === "forget") return [{ kind: "forget", about: wish.text, quote: sentence }];
  const kept = keep(wish.text, sentence, own);
  // "Update the changelog, remember to do this after each change": what is meant stands before it.
  const before = sentence.slice(0, sentence.indexOf(wish.text));
  return kept.length === 0 && IN_EACH_CASE.test(wish.text) && wordCount(before) >= MIN_WORDS + 2
    ? keep(sentence, sentence, own)
    : // What one is to remember to do is a rule; what one is to remember may be anything.
      kept.map((one) => (/\bto\s+$/i.test(before) ? asRule(one) : one));
}

/** "Do this after each …": what it is stands before it, and "remember to" between. */
const IN_EACH_CASE =
  /^\w+ (?:this|that|it|so) (?:after|before|on|for|in|with)? ?(?:each|every|all|any|always|whenever)\b/i;

/** "From now on:" opens a list: each of its lines is one. */
function ofOpener(sentence: string, after: readonly string[], own: string): ExplicitWords[] {
  if (!/:\s*$/.test(sentence) || wordCount(sentence) > 6) return keep(sentence, sentence, own);
  return after.slice(0, 12).flatMap((line) => keep(line, line, own).map(asRule));
}

function keep(text: string, sentence: string, own: string): ExplicitWords[] {
  const statement = text
    .replace(
      /^(?:(?:no|nope|nah|yes|yeah|ok(?:ay)?|hey|oh|ah|well|hmm|wait|sorry|btw|nein|non)[,.!…]+\s+)+/i,
      "",
    )
    .replace(/[\s,;:]+$/, "")
    .trim();
  if (!standsAlone(statement) || statement.length > MAX_STATEMENT_CHARS) return [];
  const whole = oneLine(own, 2000);
  const reason = reasonIn(sentence, own);
  return [
    {
      kind: "keep",
      type: typeOf(statement),
      statement,
      quote: whole.length <= MAX_QUOTE_CHARS ? whole : oneLine(sentence, 500),
      ...(reason !== undefined && { reason }),
    },
  ];
}

/** What kind of memory the words make; how to work goes before all else. */
function typeOf(statement: string): "feedback" | "project" | "reference" | "user" {
  if (saysHowToWork(statement)) return "feedback";
  if (
    /^(?:that )?(?:i['’]?m (?!\w+ing\b)|i am (?!\w+ing\b)|i (?:\w+ly |much |always )?(?:prefer|like|live|hate|speak|come)\b|my (?:name|job|role|editor|timezone|background)\b)/i.test(
      statement,
    )
  )
    return "user";
  return /https?:\/\/\S|(?:^|\s)#[a-z][\w-]+/i.test(statement) ? "reference" : "project";
}

const POINTERS = new Set(
  "one ones them thing things stuff doing done again the a an and or but if then so to of in on at by for with from as is are was be it its this that these those i you we they me my your our not no yes do don dont does did please just now also again always never ever from stop use way like".split(
    " ",
  ),
);

/** Whether a sentence says anything by itself: "never do that again" does not. */
function standsAlone(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}@~./_-]{2,}/gu) ?? [];
  if (/^(?:do|run|use|make|check|keep|fix) (?:this|that|it|so)\b/i.test(text)) return false;
  return wordCount(text) >= MIN_WORDS && words.some((word) => !POINTERS.has(word.replace(/['’.].*$/, "")));
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

import { sentencesOf } from "../text/sentences.ts";
import { oneLine } from "../text/one-line.ts";
import { pointsBack, saidBeforeIn } from "./points-back.ts";
import { reasonIn } from "./reason-in.ts";
import { isTelling } from "../text/error-line.ts";
import { isForEver, isOfTask, pointOf, tellsHowItIs, withoutTalk } from "./order-clause.ts";
import { isForOthers, isReported, isRolePrompt } from "./others-words.ts";
import {
  isBan,
  isEmphatic,
  isForReference,
  isStanding,
  partsAtFromNowOn,
  saysFromNowOn,
  saysHowThingsAre,
  saysHowToWork,
} from "./standing-words.ts";
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
      /** Why it may not be meant to hold: the user is asked before it counts. Absent where their words are plain. */
      doubt?: string;
    }
  | { kind: "forget"; about: string; quote: string }
  /** `isOfMemory`: the words speak of a memory, and not perhaps of what was done. */
  | { kind: "forget-that"; isOfMemory: boolean; quote: string };

/** A turn of more own words is a document: of its sentences only those count that ask to be kept. */
const MAX_TALK_CHARS = 1200;
/** A turn of so many words is quoted whole: what stands around a sentence is mostly its reason. */
const MAX_QUOTE_CHARS = 300;
/** A longer order without a word that asks to keep it mostly describes a task. */
const MAX_ORDER_CHARS = 200;
const OF_WORK = "it may be of the work at hand alone";
/** Two sentences of more characters together are no rule of one line. */
const MAX_JOINED_CHARS = 200;
/** Shorter sentences say nothing by themselves; what is asked to be kept may have a word less. */
const MIN_WORDS = 3;

/**
 * What a turn asks for in so many words: "remember that …", "from now on …", a standing never, always, stop, don't, or use
 * this and not that as a main clause, "forget that …". Mostly nothing. These are formulas, read as such; whether anything
 * else is worth keeping is a question of meaning, which is the model's.
 *
 * A rule is an order to whoever reads it. A message of others or for others holds none, nor does a role that opens a task;
 * what tells how things are, or asks what to think of it, is in doubt where it asks to be kept, and nothing where not.
 *
 * @param own what the user typed as their own words.
 */
export function findExplicit(own: string): ExplicitWords[] {
  if (isForOthers(own) || isRolePrompt(own)) return [];
  const isTalk = own.length <= MAX_TALK_CHARS;
  const sentences = sentencesOf(own);
  const found: ExplicitWords[] = [];
  let inList = 0;
  for (const [i, sentence] of sentences.entries()) {
    if (inList > 0) {
      inList--;
      continue;
    }
    const list = itemsBelow(sentence, own);
    const wish = wishIn(sentence);
    let said: ExplicitWords[] = [];
    if (wish !== undefined) said = ofWish(wish, sentence, own);
    else if (saysFromNowOn(sentence)) said = ofFromNowOn(sentence, sentences.slice(i + 1), own);
    else if (pointsBack(sentence)) said = ofMeant(sentences.slice(0, i), sentence, own);
    else if (saidBeforeIn(sentence) !== undefined)
      said = keep(saidBeforeIn(sentence) ?? "", sentence, own, { isAskedFor: true });
    else if (isTalk) said = ofStanding(sentence, own);
    // "When you open a PR, always:" and what stands below: without it the rule says nothing.
    if (list !== undefined && said.some((one) => one.kind === "keep" && one.statement.endsWith(sentence))) {
      said = said.map((one) =>
        one.kind === "keep" ? { ...one, statement: `${one.statement} ${list.text}` } : one,
      );
      inList = list.sentences;
    }
    found.push(...(asksAboutIt(sentences.slice(i + 1)) ? said.map(asAsked) : said));
  }
  // "Never X. Make that a rule." says one thing.
  return joinFacts(found.filter((one, i) => found.findIndex((other) => isSame(one, other)) === i));
}

/** The list right below a sentence that ends in a colon, as it was typed. */
function itemsBelow(sentence: string, own: string): { text: string; sentences: number } | undefined {
  if (!sentence.endsWith(":")) return undefined;
  const below = own.slice(own.indexOf(sentence) + sentence.length);
  const list = /^(?:\s*\n[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+[^\n]+)+/.exec(below)?.[0];
  return list === undefined
    ? undefined
    : { text: oneLine(list, MAX_LIST_CHARS), sentences: sentencesOf(list).length };
}

/** A question about what was said: "is that a good idea?" */
const ASKS_ABOUT_IT =
  /^(?:\W*)(?:is|are|was|does|do|should|would|could|can|what|why|how|right|ok|agree|thoughts|stimmt|ist|soll|est-ce|es)\b.*\b(?:that|this|it|he|she|they|we|i|think|right|agree|das|ihr|ça|eso)\b|\b(?:good idea|make sense|thoughts|agree|right)\b/i;

function asksAboutIt(after: readonly string[]): boolean {
  const next = after[0] ?? "";
  return /\?\W*$/.test(next) && !/\b(?:can|could|would|will) you\b/i.test(next) && ASKS_ABOUT_IT.test(next);
}

/** What the user asks about they may not mean to hold: they are asked in turn. */
function asAsked(one: ExplicitWords): ExplicitWords {
  return one.kind === "keep" ? { ...one, doubt: "you asked about it" } : one;
}

/** "Stop using pandas! This repo is polars only." is one rule: the second sentence says how things are, not what to do. */
function joinFacts(found: readonly ExplicitWords[]): ExplicitWords[] {
  const joined: ExplicitWords[] = [];
  for (const one of found) {
    const last = joined.at(-1);
    const isFact = one.kind === "keep" && saysHowThingsAre(one.statement);
    const together = last?.kind === "keep" && isFact ? `${last.statement} ${one.statement}` : "";
    if (last?.kind === "keep" && together !== "" && together.length <= MAX_JOINED_CHARS)
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
  const { clause, isRepeated } = pointOf(sentence);
  // Who bans something for ever and says why means more than the task at hand.
  const isForGood = isRepeated || (isForEver(clause) && reasonIn(sentence, own) !== undefined);
  const isLimited =
    (isOfTask(clause) && !isForGood) || STOPS_ONE_THING.test(clause) || sentence.length > MAX_ORDER_CHARS;
  const isMeant = isEmphatic(clause) || isOrder(clause) || (isRepeated && isBan(clause));
  if (isMeant)
    return keep(sentence, sentence, own, isLimited || isEmphatic(clause) ? { doubt: OF_WORK } : {});
  const parts = [...sentence.matchAll(/\(([^()]{10,})\)|(?:;|\s[-–—])\s+([^;()]{10,})$/g)];
  return parts
    .map(([, inBrackets, behind]) => (inBrackets ?? behind ?? "").trim())
    .filter((part) => isOrder(part) && !isOfTask(part))
    .flatMap((part) => keep(part, sentence, own));
}

/** "Stop running the tests" may be about those that run. */
const STOPS_ONE_THING = /^(?:please |pls )?(?:stop|quit) \w+ing (?:the|a|an|my|your|so)\b/i;

/** An order for a kind of case: of the task at hand alone unless it says that it is for ever. */
function isOrder(clause: string): boolean {
  return isStanding(clause) && (isForEver(clause) || !isOfTask(clause));
}

function ofWish(wish: Wish, sentence: string, own: string): ExplicitWords[] {
  if (wish.kind === "forget-that") return [{ ...wish, quote: sentence }];
  if (wish.kind === "forget") return [{ kind: "forget", about: wish.text, quote: sentence }];
  const isAside = /\bin mind\b/i.test(sentence);
  // What is to be kept in mind beside a task goes with the task.
  const isOfThisTurn = isAside ? own.length > 2 * sentence.length : isOfTask(wish.text);
  if (wish.isDoubtful && isOfThisTurn) return [];
  const options = {
    isAskedFor: true,
    ...(wish.isDoubtful && { doubt: OF_WORK }),
  };
  const kept = keep(wish.text, sentence, own, options);
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
function ofFromNowOn(sentence: string, after: readonly string[], own: string): ExplicitWords[] {
  if (/:\s*$/.test(sentence) && wordCount(sentence) <= MAX_OPENER_WORDS)
    return after.slice(0, 12).flatMap((line) => keep(line, line, own).map(asRule));
  const { clause } = pointOf(sentence);
  const { before, after: behind } = partsAtFromNowOn(clause);
  // "Draft a mail: from now on …" and "Bob said from now on …" hand on what is said to others.
  if (isReported(before) || /:\s*$/.test(before) || asksFirst(clause)) return [];
  const told = `${before}${before.trim() === "" ? behind.replace(/^[\s,:–—-]+/, "") : behind}`.trim();
  if (isForReference(sentence)) return keep(told, sentence, own, { isAskedFor: true });
  if (!tellsHowItIs(told)) return keep(sentence, sentence, own, { isAskedFor: true }).map(asRule);
  if (isTelling(told) || /^(?:it|er|es|il|ça)\b/i.test(told)) return [];
  return keep(sentence, sentence, own, {
    isAskedFor: true,
    type: SAYS_TO.test(told) ? "feedback" : "project",
    doubt: "it tells how things are, and nobody what to do",
  });
}

/** What is to be done, and what the user does from now on, says how to work. */
const SAYS_TO = /^i\b|\b(?:should|must|has to|have to|needs? to)\b/i;
const MAX_OPENER_WORDS = 6;
const MAX_LIST_CHARS = 600;

/** A question without its mark. */
function asksFirst(clause: string): boolean {
  return /^(?:what|why|how|who|where|which|is|are|was|do|does|did|warum|wieso|pourquoi|qué|por qué)\b/i.test(
    clause,
  );
}

/** How something is kept: whether it was asked for, its type where the words do not tell, and what is in doubt. */
interface KeepOptions {
  isAskedFor?: boolean;
  type?: "feedback" | "project";
  doubt?: string;
}

function keep(text: string, sentence: string, own: string, options: KeepOptions = {}): ExplicitWords[] {
  const statement = withoutTalk(text)
    .replace(/[\s,;]+$/, "")
    .trim();
  if (!standsAlone(statement, options.isAskedFor === true ? MIN_WORDS - 1 : MIN_WORDS)) return [];
  const whole = oneLine(own, 2000);
  const reason = reasonIn(sentence, own);
  return [
    {
      kind: "keep",
      type: options.type ?? typeOf(statement),
      statement,
      quote: whole.length <= MAX_QUOTE_CHARS ? whole : oneLine(sentence, 500),
      ...(reason !== undefined && { reason }),
      ...(options.doubt !== undefined && { doubt: options.doubt }),
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
function standsAlone(text: string, minWords: number): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}@~./_-]{2,}/gu) ?? [];
  if (/^(?:do|run|use|make|check|keep|fix) (?:this|that|it|so)\b/i.test(text)) return false;
  return wordCount(text) >= minWords && words.some((word) => !POINTERS.has(word.replace(/['’.].*$/, "")));
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

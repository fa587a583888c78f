import { rememberedElsewhere, saysForgetThatElsewhere } from "./other-languages.ts";
import { REMEMBER_WORD } from "./remember-word.ts";

const DO_YOU = new RegExp(
  String.raw`\b(?:do|did|can|can['’]t|don['’]t|if|are|as far as) (?:you|i|we) (?:can |still |even )?${REMEMBER_WORD}(?:ing)?\b`,
  "i",
);
const REMEMBER = new RegExp(
  String.raw`^(?:.{0,60}?[\s,.!])?(?:please |also |and |do )*(?:${REMEMBER_WORD}|memori[sz]e|(?:save|store|add|put|write)(?: this)? (?:to|in|into) (?:your |the |my )?(?:long[- ]term )?memory|note down|take note|make a (?:mental )?note|note for (?:later|next time|the future)|keep in mind|bear in mind|don['’]?t forget)(?:,? (?:please|also|for (?:next time|later|the future)))?(?:\s*:\s*|,?\s+(?:that|to|this:|the following:?)\s+)(.{6,})$`,
  "i",
);
/** "Remember we deploy from main": a statement follows without a word before it. */
const REMEMBER_CLAUSE = new RegExp(
  String.raw`^(?:ok(?:ay)?,? |please,? |also,? |and |btw,? |hey,? |just )*${REMEMBER_WORD},? ((?:we|i|i['’]?m|we['’]?re|our|my|you|all|every|the|there|never|always)\b.*)$`,
  "i",
);
const HAS_VERB =
  /\b(?:is|are|was|has|have|must|should|needs?|can|can['’]?t|cannot|will|won['’]?t|do|does|don['’]?t|never|always|i['’]?m|we['’]?re|use|run|own|deploy|prefer|like|live|work|belong|go|want)s?\b/i;
/** A condition before "remember to …" is part of what is to be remembered. */
const CONDITION = /^(?:.{0,20}[\s,])?(?:when(?:ever)?|if|after|before|on|for|in) \w[^.!?]*$/i;
/** Who says "memorise" speaks of a memory, whatever follows. */
const MEMORISE = /\b(?:please|to|must|should|you|and|also|,)\s+memori[sz]e\b/i;
const FORGET =
  /^(?:please |also |and |ok(?:ay)?,? |you can |now |no,? )*(?:forget|scratch|drop|undo|never ?mind) (?:(?:about |that )?(?:the (?:rule|memory|fact|note|thing)(?: (?:about|that))?|what i (?:said|told you) about|my)\s+|(?:about|that)\s+)(.{4,})$/i;
/** "Forget that" with nothing after it that names a memory: what was kept or asked about last is meant. */
const FORGET_THAT =
  /^(?:please |also |and |ok(?:ay)?,? |actually,? |no,? |now )*(?:(?:forget|scratch|undo|drop) (?:that|it|about (?:that|it))|(?:do not|don['’]?t) (?:remember|keep|save) (?:that|it|this))(?=\s*(?:[,.;:!–—-]|$)|\s+(?:please|now)\b)/i;
/** What follows "forget" when it is no memory that is meant. */
const NOT_A_MEMORY =
  /^(?:it|that|this|about it|for now|i (?:said|asked|mentioned)|last|the last|everything)\b/i;

/** What a person asks for in so many words: to keep something, to drop something, or to drop what was kept last. */
export type Wish = { kind: "remember" | "forget"; text: string } | { kind: "forget-that" };

/** The wish that a sentence is; mostly none. */
export function wishIn(sentence: string): Wish | undefined {
  if (/\?\s*$/.test(sentence) && !/^(?:can|could|would|will) you\b/i.test(sentence)) return undefined;
  if (DO_YOU.test(sentence) && !/^(?:can|could) you (?:please )?remember (?:that|to)\b/i.test(sentence))
    return undefined;
  if (FORGET_THAT.test(sentence) || saysForgetThatElsewhere(sentence)) return { kind: "forget-that" };
  const forget = FORGET.exec(sentence)?.[1];
  if (forget !== undefined)
    return NOT_A_MEMORY.test(forget) ? undefined : { kind: "forget", text: clean(forget) };
  const clause = REMEMBER_CLAUSE.exec(sentence)?.[1];
  const text =
    rememberedIn(sentence) ??
    (clause !== undefined && HAS_VERB.test(clause) ? clause : rememberedElsewhere(sentence));
  if (text === undefined)
    return MEMORISE.test(sentence) ? { kind: "remember", text: clean(sentence) } : undefined;
  // "Don't forget to run the tests" is about now; "remember to … always" is a rule.
  const isTask =
    /forget to\b/i.test(sentence) && !/\b(?:always|every|each|whenever|never|all|before you)\b/i.test(text);
  // "Keep in mind that the feature is to …" goes with the task at hand.
  const isAside =
    /\b(?:keep|bear) in mind\b/i.test(sentence) && !/\b(?:always|never|every|all)\b/i.test(text);
  return isTask || isAside ? undefined : { kind: "remember", text: clean(text) };
}

function rememberedIn(sentence: string): string | undefined {
  const text = REMEMBER.exec(sentence)?.[1];
  if (text === undefined) return undefined;
  const before = sentence.slice(0, sentence.length - text.length).replace(/\s*\S+\s+\S+\s*$/, "");
  return CONDITION.test(before) && /\sto\s+$/.test(sentence.slice(0, sentence.length - text.length))
    ? sentence
    : text;
}

function clean(text: string): string {
  return text.replace(/[\s.?!]+$/, "").trim();
}

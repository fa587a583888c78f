import { rememberedElsewhere, saysForgetThatElsewhere } from "./other-languages.ts";
import { REMEMBER_WORD } from "./remember-word.ts";

const DO_YOU = new RegExp(
  String.raw`\b(?:do|did|can|can['’]t|don['’]t|if|are|as far as) (?:you|i|we) (?:can |still |even )?${REMEMBER_WORD}(?:ing)?\b`,
  "i",
);
/** Before it: nothing, a clause of its own, or whom it is said to; "I remember that" asks for nothing. */
const REMEMBER = new RegExp(
  String.raw`^(?:.{0,160}?(?:[,.!;)]|\s[–-]|\b(?:and|but|also|please|pls|plz|then|to|you|must|should))\s+|(?:when(?:ever)?|if|after|before|on|for|in) .{0,100}?\s)?(?:please |pls |plz |also |and |do |just |now |meanwhile |always |\w+ly |ok(?:ay)?,? |btw,? |hey,? )*(?:${REMEMBER_WORD}|memori[sz]e|(?:save|store|add|put|write)(?: this)? (?:to|in|into) (?:your |the |my )?(?:long[- ]term )?memory|(?:save|store|note)(?= this:)|note down|take note|make a (?:mental )?note|note for (?:later|next time|the future)|keep in mind|bear in mind|don['’]?t forget)(?:,? (?:please|also|for (?:next time|later|the future)))?(?:\s*:\s*|,?\s+(?:that|to|this:|the following:?)\s+)(.{6,})$`,
  "i",
);
/** "Remember we deploy from main": a statement follows without a word before it. */
const REMEMBER_CLAUSE = new RegExp(
  String.raw`^(?:ok(?:ay)?,? |please,? |pls,? |plz,? |also,? |and |btw,? |hey,? |just )*${REMEMBER_WORD},? ((?:prod|staging|we|i|i['’]?m|we['’]?re|our|my|you|all|every|the|there|never|always)\b.*)$`,
  "i",
);
const HAS_VERB =
  /\b(?:is|are|was|has|have|must|should|needs?|can|can['’]?t|cannot|will|won['’]?t|do|does|don['’]?t|never|always|i['’]?m|we['’]?re|use|run|own|deploy|prefer|like|live|work|belong|go|want|every|each|only)s?\b/i;
/** A condition before "remember to …" is part of what is to be remembered. */
const CONDITION = /^(?:.{0,20}[\s,])?(?:when(?:ever)?|if|after|before|on|for|in) \w[^.!?]*$/i;
/** Who says "memorise" speaks of a memory, whatever follows. */
const MEMORISE = /\b(?:please|to|must|should|you|and|also|,)\s+memori[sz]e\b/i;
const FORGET =
  /^(?:please |also |and |ok(?:ay)?,? |you can |now |no,? )*(?:forget (?:(?:about |that )?(?:the (?:rule|memory|fact|note|thing)(?: (?:about|that))?|what i (?:said|told you) about|my)\s+|(?:about|that)\s+)|(?:scratch|drop|undo|delete|remove|never ?mind) (?:the|that|this|my) (?:rule|memory|note)(?: (?:about|that))?\s+)(.{4,})$/i;
/** What a sentence may open with before it takes something back. */
const LEAD = String.raw`^(?:(?:please|also|and|ok(?:ay)?|actually|no+|nope|now|wait|sorry|oh|well|hmm)\b[-–,.!…\s]+){0,4}`;
/** "Forget the french thing", "drop the rule about fridays": what it is about stands before or behind the word. */
const FORGET_THE =
  /^(?:please |also |and |ok(?:ay)?,? |actually,? |now |no,? )*(?:forget|scratch|drop|remove|delete) (?:about )?(?:the|that|my) (.{3,40}?) (?:rule|memory|note|thing|stuff)[\s.!]*$/i;
/** "Forget that", "undo that", "scratch that rule": nothing in it names a memory, so what was kept last is meant. */
const TAKE_BACK = new RegExp(
  String.raw`${LEAD}(?:(?:forget|scratch|undo|drop)(?: about)? (?:that|it|this)|take (?:that|it|this) back|(?:do not|don['’]?t) (?:remember|keep|save) (?:that|it|this)|forget what (?:i|you) just (?:said|kept|saved|wrote)|(?:forget|scratch|undo|drop|delete|remove|discard|revoke|cancel|take back|get rid of) (?:that|this|the|your)(?: last| new)? (?:rule|memory|note))(?=\s*(?:[,.;:!–—-]|$)|\s+(?:please|now|again)\b)`,
  "i",
);
/** Words of a memory, in the languages that are read: "undo that" alone may be about the work at hand. */
const OF_A_MEMORY =
  /(?<!\p{L})(?:forget|remember|rule|memory|note|vergiss|merk|regel|notiz|oublie[sz]?|retiens|règle|olvida|olvídalo|recuerdes|regla|nota)(?!\p{L})/iu;
/** What follows "forget" when it is no memory that is meant. */
const NOT_A_MEMORY =
  /^(?:it|that|this|about it|for now|i (?:said|asked|mentioned)|last|the last|whole|first|second|other|everything)\b/i;

/**
 * What a person asks for in so many words: to keep something, to drop something, or to drop what was kept last.
 * `isOfMemory`: the words leave no doubt that a memory is meant, and not what was done.
 */
export type Wish =
  /** `isDoubtful`: it may be of the task at hand alone. */
  | { kind: "remember"; text: string; isDoubtful: boolean }
  | { kind: "forget"; text: string }
  | { kind: "forget-that"; isOfMemory: boolean };

/** The wish that a sentence is; mostly none. */
export function wishIn(sentence: string): Wish | undefined {
  if (/\?\s*$/.test(sentence) && !/^(?:can|could|would|will) you\b/i.test(sentence)) return undefined;
  if (DO_YOU.test(sentence) && !/^(?:can|could) you (?:please )?remember (?:that|to)\b/i.test(sentence))
    return undefined;
  if (TAKE_BACK.test(sentence) || saysForgetThatElsewhere(sentence))
    return { kind: "forget-that", isOfMemory: OF_A_MEMORY.test(sentence) };
  const forget = FORGET.exec(sentence)?.[1] ?? FORGET_THE.exec(sentence)?.[1];
  if (forget !== undefined)
    return NOT_A_MEMORY.test(forget) ? undefined : { kind: "forget", text: clean(forget) };
  const clause = REMEMBER_CLAUSE.exec(sentence)?.[1];
  const text =
    rememberedIn(sentence) ??
    (clause !== undefined && HAS_VERB.test(clause) ? clause : rememberedElsewhere(sentence));
  if (text === undefined)
    return MEMORISE.test(sentence)
      ? { kind: "remember", text: clean(sentence), isDoubtful: false }
      : undefined;
  const before = sentence.slice(0, sentence.indexOf(text));
  const isEver = EVER.test(text);
  const isToDo = /\bto\s*$/i.test(before);
  const isAside = /\b(?:keep|bear) in mind\b/i.test(before);
  // "Don't forget to run the tests" is about now; what is always so, or this and not that, is a rule.
  if (!isEver && isToDo && (/forget to\s*$/i.test(before) || OF_NOW.test(text))) return undefined;
  // "Keep in mind that the feature is to …" goes with the task at hand.
  if (!isEver && isAside && OF_AIM.test(text)) return undefined;
  if (/^it\b/i.test(text)) return undefined;
  return { kind: "remember", text: clean(text), isDoubtful: !isEver && (isToDo || isAside) };
}

/** What makes something to do a rule. */
const EVER =
  /\b(?:always|every|each|whenever|when(?:ever)? you (?!are done|finish)|never|any|all|before you|after you|(?:and|but) not)\b|, not\b/i;
/** Something to do once: it goes with what is being done. */
const OF_NOW =
  /^(?:also|re\w+)\b|\b(?:this|that|it|them|after(?:wards?)?|now|later|today|tomorrow|(?:when|once|after) (?:you(?:['’]re| are)|it['’]s|we['’]re|finished|done)|when done|at the end|then)\b/i;
/** What the task at hand is about. */
const OF_AIM =
  /^(?:this|it|these|those)\b|\b(?:is|are) (?:only |just )?to\b|\b(?:today|tomorrow|tonight|for now)\b/i;

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

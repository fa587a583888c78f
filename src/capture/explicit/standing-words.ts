import { fromNowOnElsewhere, isStandingElsewhere, saysFromNowOnElsewhere } from "./other-languages.ts";
import { REMEMBER_WORD } from "./remember-word.ts";

const REMEMBER_TO = new RegExp(String.raw`\b${REMEMBER_WORD} (?:not )?to\b`, "i");

/** How a sentence may open before it comes to its point. */
const LEAD = String.raw`^(?:(?:ok(?:ay)?|no+|nope|yes|yeah|hey|and|but|also|so|then|please|pls|well|hmm+|dude|man|again|actually|just|wait|sorry|oh|btw|ah|remember|important|note|rule|omfg|ffs)\b[-–,.!…:\s]+){0,4}`;
const opens = (rest: string): RegExp => new RegExp(`${LEAD}(?:${rest})`, "i");

/** That something holds from now on, anywhere in a sentence. */
const FROM_NOW_ON =
  /\b(?:from (?:now|here|this point) on(?:wards?)?|henceforth|going forward|for (?:all )?future (?:sessions?|work|changes|tasks?|reference)|in (?:all )?future sessions?|the next time you|next time,? (?:please )?(?:don['’]?t|do|use|ask|run|check|make|never|always)|in (?:the )?future,? (?:please|pls|always|never|you (?:should|must)|(?!(?:we|i|it|they|you|he|she|the|this|that|there|a|an|our|my|all|some|many)\b|[\w-]+s\b)[\w-]+ (?!we|i|it|they|you|this\b)\w))/i;
/** What a rule is about when it is one of many cases. */
const EVER = String.raw`(?:any ?more|ever again|ever|always|by default|without (?:my|asking|permission|approval)|in (?:tests?|code|commits?|production|this (?:repo|project))|unless (?:i|you|we|asked|told|it['’]?s)|every|whenever|on fridays?|when(?:ever)? (?:you|we|i)\b)`;

/** Before "always" and "never": whom it is said to. */
const TOLD = String.raw`(?:you (?:should|must|may|can|need to) |we |make sure (?:that )?(?:you |to )?)?`;

/** "We never got it to work" tells what was. */
const PAST =
  "(?:got|had|made|went|came|took|ran|wrote|thought|found|felt|kept|left|lost|said|told|gave|knew|became)";

/** No subject: what follows a condition is what to do. */
const A_VERB = String.raw`(?!(?:it|the|i|this|that|there|they|he|she|my|some|nothing|everything|what|why)\b)\w`;

const OF_THIS_PLACE = opens(
  String.raw`(?:this|the|our) (?:repo|repository|project|codebase) is [\w.+#-]+[- ]only\b`,
);
/** A main clause that says how it is to be, always: one thing each that can be read aloud. */
const STANDING: readonly RegExp[] = [
  // "Always fails" tells what happens; what is to happen has no ending.
  opens(
    String.raw`${TOLD}always (?!the\b|a\b|something\b|someone\b|on\b|in\b|when\b|${PAST}\b|been\b|had\b|was\b|\w*[^su\W]s\b|\w+ed\b)\w+`,
  ),
  opens(
    String.raw`${TOLD}never (?!mind\b|again (?:will|would|do|am|have)\b|${PAST}\b|seen\b|had\b|been\b|got\b|happened\b|heard\b|tried\b|used\b|worked\b|saw\b|knew\b|did\b|was\b|\w*[^su\W]s\b|\w+ed\b)\w+`,
  ),
  opens(
    String.raw`(?:stop|quit) (?!being\b|doing (?:this|that|it)\b)\w+ing (?!this\b|that\b|it\b|now\b|here\b|for now\b)\w+`,
  ),
  opens(String.raw`(?:do not|don['’]?t|dont) ever \w+`),
  opens(String.raw`(?:do not|don['’]?t|dont) use (?!this\b|that\b|it\b)\S+`),
  opens(
    String.raw`(?:do not|don['’]?t|dont) (?!think\b|know\b|want\b|worry\b|bother\b|forget\b|need\b|see\b|mind\b|like\b)\w+\b(?!.*\byet\b)[^.!?]{1,120}\b${EVER}`,
  ),
  opens(
    String.raw`(?:we |please )?use (?!the (?:first|second|former|latter)\b|option\b)[^.!?,;]{2,60}(?:,? (?:not|no|never|instead of|rather than) \w)`,
  ),
  opens(String.raw`we \w+ [^.!?,;]{2,60},? (?:and )?never (?:from|in|on|to|with|by|at|the|on)\b`),
  opens(String.raw`(?:always,? when(?:ever)?|whenever) i (?:say|write|type|ask)\b[^,]{1,60}, ${A_VERB}`),
  opens(String.raw`no more [^.!?,;]{2,60}\b(?:please|pls|plz)\W*$`),
  opens(String.raw`no (?!problem|worries|issue|errors?\b)[^.!?,;]{2,40}[,;:–-]? only (?!the\b|a\b|this\b)\w`),
  opens(
    String.raw`in (?:this|our) (?:repo|repository|project|codebase|team),? (?:we (?:always|never|only|use|don['’]?t|do not)|always|never|use|don['’]?t|do not)\b`,
  ),
  opens(String.raw`(?:when(?:ever)?|if|before|after) you [^,:]{2,80},? (?:please )?(?:always|never)\b`),
  // The condition says that there will be more than one such case.
  opens(String.raw`(?:before|after) (?:\w+ing )?(?:any|each|every)\b[^,]{2,60}, ${A_VERB}`),
  opens(String.raw`(?:whenever|every time|each time) you\b[^,]{2,60}, ${A_VERB}`),
  opens(
    String.raw`when(?:ever)? (?!run|test|click|open)\w+ing [^,]{3,60}, (?:please )?(?:always|never|follow|use|check|make sure|ask|add|write|run|keep|include|prefer|avoid|do not|don['’]?t)\b`,
  ),
  opens(
    String.raw`(?:i want you to )?keep [^.!?]{2,80}\b(?:updated|up[- ]to[- ]date|in sync)\b[^.!?]{0,20}\b(?:as (?:we|you|decisions|things|it)|with (?:each|every|all)|whenever|throughout|when(?:ever)?)\b`,
  ),
  /\bkeep (?:it|them|this|that|these|those) (?:updated|up[- ]to[- ]date|in sync) (?:as|whenever|throughout|with every)\b/i,
  opens(
    String.raw`i (?:always |generally |usually |really |much )?prefer (?!this\b|that\b|it\b|the (?:first|second|former|latter)\b|option\b)\w+`,
  ),
  // Things without an article are things of that kind: "don't add comments", and not "don't add the package-lock".
  opens(
    String.raw`(?:do not|don['’]?t|dont) (?!think\b|know\b|want\b|worry\b|bother\b|forget\b|need\b|see\b|mind\b|like\b|do\b|have\b|be\b)\w+ (?!(?:the|this|that|these|those|a|an|any|my|your|our|its|his|it|us|me|to|as|things|changes|tests)\b)(?:\w+ )?\w{3,}[^su\W]s\b`,
  ),
  opens(String.raw`prefer [^.!?]{2,60} (?:over|to|rather than|instead of) \w`),
  // "Apply the changes yourself, always."
  opens(
    String.raw`${A_VERB}(?!\w*[^su\W]s\b)[^.!?]{2,120}, (?:always|every (?:single )?time|each time)[.!]*$`,
  ),
  /^(?:(?:new|house|general|hard|project|team) )?rule\s*[:–—-]\s*\w|\bas a (?:general |hard )?rule,/i,
  OF_THIS_PLACE,
];

/** Rules of how the product behaves are the task's: "always show the button". */
const OF_THE_PRODUCT =
  /\b(?:button|modal|dialog|menu|header|footer|sidebar|icon|tooltip|toast|popup|banner)s?\b/i;
/** Who laughs says nothing that is to hold. */
const LAUGHS = /(?:\b(?:lo+l|lmao|rofl|(?:ha){2,}|jk|xd)\b|😂|🤣|;-?\))/i;
/** What is said of things in capitals is meant to hold, whatever they are: "invalid themes must NEVER crash it". */
const EMPHATIC = /\b(?:must|should) (?:NEVER|ALWAYS) (?!been\b)\w+/;
/** For this turn alone. */
const FOR_NOW =
  /\b(?:yet|for now|right now|this time|at the moment|until (?:i|we|you)|today|at this point|just (?:this|that) once)\b/i;

/** Whether a sentence says that something holds from now on; who quotes these words speaks of them. */
export function saysFromNowOn(sentence: string): boolean {
  const said = sentence.replace(/["“][^"“”]{0,200}["”]/g, '"…"');
  return (FROM_NOW_ON.test(said) || saysFromNowOnElsewhere(said)) && !isQuestion(sentence);
}

/** A sentence that says that something holds from now on, parted at these words. */
export function partsAtFromNowOn(sentence: string): { before: string; after: string } {
  const cue = FROM_NOW_ON.exec(sentence)?.[0] ?? fromNowOnElsewhere(sentence) ?? "";
  const at = sentence.indexOf(cue);
  // "In future, write …": the cue ends where the order begins.
  const own = /^in (?:the )?future,?|^next time,?/i.exec(cue)?.[0] ?? cue;
  return { before: sentence.slice(0, at), after: sentence.slice(at + own.length) };
}

/** "For future reference" asks to keep, and says nothing of what to do. */
export function isForReference(sentence: string): boolean {
  return /\bfor (?:all )?(?:future|later) reference\b/i.test(sentence);
}

/** Whether a sentence forbids something. */
export function isBan(clause: string): boolean {
  return /^(?:please |pls )?(?:(?:do not|don['’]?t|dont|never|no|stop) \w|nie|kein|ne |n['’]|no )/i.test(
    clause,
  );
}

/** Whether a sentence says in capitals how something is to be for ever. */
export function isEmphatic(sentence: string): boolean {
  return EMPHATIC.test(sentence) && !isQuestion(sentence);
}

/** Whether a sentence is a standing instruction by its main clause. */
export function isStanding(sentence: string): boolean {
  return isStandingPlain(withoutMarks(sentence));
}

/** Marks around a word are none of it: "**never** touch", "never `git push`". */
function withoutMarks(sentence: string): string {
  return sentence.replaceAll(/[`*]/g, "");
}

function isStandingPlain(sentence: string): boolean {
  if (
    isQuestion(sentence) ||
    FOR_NOW.test(sentence) ||
    OF_THE_PRODUCT.test(sentence) ||
    LAUGHS.test(sentence)
  )
    return false;
  return STANDING.some((pattern) => pattern.test(sentence)) || isStandingElsewhere(sentence);
}

/** Whether a sentence tells how this place is, by which it says how to work: "this repo is polars only". */
export function saysHowThingsAre(sentence: string): boolean {
  return OF_THIS_PLACE.test(sentence);
}

/** Whether a sentence tells how to work, wherever in it: what is kept of it is a rule. */
export function saysHowToWork(sentence: string): boolean {
  return (
    saysFromNowOn(sentence) ||
    STANDING.some((pattern) => pattern.test(sentence)) ||
    isStandingElsewhere(sentence) ||
    REMEMBER_TO.test(sentence) ||
    /\b(?:never|always|must not|do not|don['’]?t|must (?:be|use|run|ask)|only use|avoid|prefer to|make sure (?:to|you|that))\b/i.test(
      sentence,
    ) ||
    /^(?:to|not to|use|run|ask|check|write|keep|prefer|stop|put)\b/i.test(sentence)
  );
}

/** Whether a sentence tells a decision. */
export function isDecision(sentence: string): boolean {
  return /\b(?:(?:i|we)(?:['’]ve| have| just)? (?:decided|agreed|chose|opted|settled|signed)|(?:we|i)(?:['’]ll| will) go with|going with|settled on|(?:is|was|are) decided)\b/i.test(
    sentence,
  );
}

function isQuestion(sentence: string): boolean {
  // "…, ok?" asks for no answer.
  return /(?<!,? (?:ok|okay|alright|pls|please))\?["')]?\s*$/i.test(sentence);
}

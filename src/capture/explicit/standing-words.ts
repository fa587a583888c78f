/** How a sentence may open before it comes to its point. */
const LEAD = String.raw`^(?:(?:ok(?:ay)?|no+|nope|yes|yeah|hey|and|but|also|so|then|please|pls|well|hmm+|dude|man|again|actually|just|wait|sorry|oh|btw|ah|remember)[,.!…:\s]+){0,4}`;
const opens = (rest: string): RegExp => new RegExp(`${LEAD}(?:${rest})`, "i");

/** That something holds from now on, anywhere in a sentence. */
const FROM_NOW_ON =
  /\b(?:from (?:now|here|this point) on(?:wards?)?|henceforth|going forward|for (?:all )?future (?:sessions?|work|changes|tasks?|reference)|in (?:all )?future sessions?|the next time you|next time,? (?:please )?(?:don['’]?t|do|use|ask|run|check|make|never|always))\b/i;
/** What a rule is about when it is one of many cases. */
const EVER = String.raw`(?:any ?more|ever again|ever|always|by default|without (?:my|asking|permission|approval)|in (?:tests?|code|commits?|production|this (?:repo|project))|every|whenever|on fridays?|when(?:ever)? (?:you|we|i)\b)`;

/** A main clause that says how it is to be, always: one thing each that can be read aloud. */
const STANDING: readonly RegExp[] = [
  opens(String.raw`(?:you (?:should|must|need to) )?always (?!been\b|had\b|was\b)\w+`),
  /\b(?:must|should) (?:never|NEVER|ALWAYS) (?!been\b|happen)\w+|\bmust always\b/,
  opens(
    String.raw`(?:you (?:should|must|may|can) )?never (?!mind\b|seen\b|had\b|been\b|got\b|happened\b|heard\b|tried\b|used\b|worked\b|saw\b|knew\b|did\b|was\b)\w+`,
  ),
  opens(
    String.raw`(?:stop|quit) (?!being\b|doing (?:this|that|it)\b)\w+ing (?!this\b|that\b|it\b|now\b|here\b|for now\b)\w+`,
  ),
  opens(String.raw`(?:do not|don['’]?t|dont) ever \w+`),
  opens(String.raw`(?:do not|don['’]?t|dont) use (?!this\b|that\b|it\b)\S+`),
  opens(
    String.raw`(?:do not|don['’]?t|dont) (?!think\b|know\b|want\b|worry\b|bother\b|forget\b|need\b|see\b|mind\b|like\b)\w+\b(?!.*\byet\b)[^.!?]{2,120}\b${EVER}`,
  ),
  opens(String.raw`(?:we |please )?use [^.!?,;]{2,60}(?:,? not \w|,? (?:never|instead of|rather than) \w)`),
  opens(String.raw`(?:this|the|our) (?:repo|repository|project|codebase) is [\w.+#-]+[- ]only\b`),
];

/** Rules of how the product behaves are the task's: "always show the button". */
const OF_THE_PRODUCT =
  /\b(?:button|modal|dialog|menu|header|footer|sidebar|icon|tooltip|toast|popup|banner)s?\b/i;
/** For this turn alone. */
const FOR_NOW =
  /\b(?:yet|for now|right now|this time|at the moment|until (?:i|we|you)|today|at this point|just (?:this|that) once)\b/i;

/** Whether a sentence says that something holds from now on. */
export function saysFromNowOn(sentence: string): boolean {
  return FROM_NOW_ON.test(sentence) && !isQuestion(sentence);
}

/** Whether a sentence is a standing instruction by its main clause. */
export function isStanding(sentence: string): boolean {
  if (isQuestion(sentence) || FOR_NOW.test(sentence) || OF_THE_PRODUCT.test(sentence)) return false;
  return STANDING.some((pattern) => pattern.test(sentence));
}

/** Whether a sentence tells how to work, wherever in it: what is kept of it is a rule. */
export function saysHowToWork(sentence: string): boolean {
  return (
    saysFromNowOn(sentence) ||
    STANDING.some((pattern) => pattern.test(sentence)) ||
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
  return /\?["')]?\s*$/.test(sentence);
}

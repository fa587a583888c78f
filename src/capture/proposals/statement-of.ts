/**
 * Words that open a sentence and say nothing of what it states. Some do so only before a pause: "Stop. Use tabs" is about
 * tabs, "Stop using tabs" is the rule.
 */
const FILLERS =
  /^(?:(?:ok(?:ay)?|no+(?=[,.!;:…]|\s+[-–—]|\s+(?:no|i|we|you|it|that|this|the|don['’]?t|do|stop|use|just|please|man|dude)\b|\s*$)|nope|yes|yeah|yep|hey|hmm+|uh+|um+|and|but|also|so|then|again|actually|dude|my dude|man|bro|alright|please|pls|just|perfect|exactly|thanks|thank you|btw|fyi|of important note|finally|from now on|going forward|in (?:the )?future|(?:stop|wait|right|look|listen|good|great|nice|well)(?=[,.!:;…]|\s+[-–—]|\s*$))(?:(?:[\s,.!:;…]|-(?!\w)|(?<=\s)-)+|$))+/i;

/** A request around an instruction: what is asked for is the instruction. */
const WRAPPERS =
  /^(?:(?:can|could|would|will) you (?:please )?|i(?:['’]d| would)? (?:want|like|need) you to |make sure (?:that |to |you )?|you (?:should|must|need to|have to) |we said |i (?:already )?told you(?:\s*[:,–-]\s*|\s+)(?:to )?(?=not\b|\w))/i;

/**
 * A sentence as the statement of a memory: without what people say to get to the point. The words stay the user's own.
 */
export function statementOf(sentence: string): string | undefined {
  let text = sentence.trim();
  for (let round = 0; round < 3; round++) {
    const before = text;
    text = text.replace(FILLERS, "").replace(WRAPPERS, "");
    if (text === before) break;
  }
  text = text
    .replace(/^not to (?=\w)/i, "do not ")
    .replace(/[\s,;:…]+$|\.{1,3}$/g, "")
    .trim();
  return text === "" ? undefined : text;
}

const REMEMBER =
  /^(?:.{0,60}?[\s,.!])?(?:please |also |and |do )*(?:remember|memori[sz]e|note down|take note|make a (?:mental )?note|note for (?:later|next time|the future)|keep in mind|bear in mind|don['’]?t forget)(?:,? (?:please|also|for (?:next time|later|the future)))?(?:\s*:\s*|,?\s+(?:that|to|this:|the following:?)\s+)(.{6,})$/i;
const FORGET =
  /^(?:please |also |and |ok(?:ay)?,? |you can |now )*forget (?:(?:about|that|the (?:rule|memory|fact|note|thing)(?: (?:about|that))?|what i (?:said|told you) about|my)\s+)(.{4,})$/i;
/** What follows "forget" when it is no memory that is meant. */
const NOT_A_MEMORY =
  /^(?:it|that|this|about it|for now|i (?:said|asked|mentioned)|last|the last|everything)\b/i;

/** "Remember that …" and "forget that …", with what is to be kept or dropped. */
export function explicitWish(sentence: string): { kind: "remember" | "forget"; text: string } | undefined {
  if (/\?\s*$/.test(sentence) && !/^(?:can|could|would|will) you\b/i.test(sentence)) return undefined;
  if (
    /\b(?:do|did|can|can['’]t|don['’]t|if) (?:you|i|we) (?:still |even )?remember\b/i.test(sentence) &&
    !/^(?:can|could) you (?:please )?remember (?:that|to)\b/i.test(sentence)
  )
    return undefined;
  const forget = FORGET.exec(sentence)?.[1];
  if (forget !== undefined)
    return NOT_A_MEMORY.test(forget) ? undefined : { kind: "forget", text: clean(forget) };
  const remember = REMEMBER.exec(sentence);
  const text = remember?.[1];
  if (text === undefined) return undefined;
  // "Don't forget to run the tests" is about now; "remember to … always" is a rule.
  const isTask =
    /forget to\b/i.test(sentence) && !/\b(?:always|every|each|whenever|never|all|before you)\b/i.test(text);
  return isTask ? undefined : { kind: "remember", text: clean(text) };
}

function clean(text: string): string {
  return text.replace(/[\s.?!]+$/, "").trim();
}

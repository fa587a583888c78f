/** What opens a sentence of talk and is none of what it says. */
const TALK =
  /^(?:(?:no wait|(?:hi|hey|hello) (?:claude|codex|copilot|cursor|gemini|there)|no+|nope|nah|yes|yeah|yep|ok(?:ay)?|hey|oh|ah|well|hmm+|wait|sorry|btw|by the way|fyi|heads up|nein|non)[,.:!…–-]+\s+|(?:ok(?:ay)?|hey|oh|btw|by the way|fyi|heads up|so|and|but|also|well)\s+(?=\S+\s+\S))+/i;
/** It was said before: what is said again is to hold. */
const SAID_BEFORE =
  /^(?:(?:like |as )?(?:i|we)(?:['’]ve| have)?(?: (?:already|just|once|repeatedly))* (?:said|told you|mentioned|asked you|agreed|discussed)|as (?:agreed|discussed|said|mentioned)|wie (?:gesagt|besprochen|vereinbart)|comme (?:dit|convenu)|como (?:dije|acordamos))\b[^:,–—]{0,40}[:,–—-]+\s+/i;
/** Who wants it, before what is wanted. */
const WANTS =
  /^(?:please |pls )?(?:i(?:['’]d| would) (?:like|prefer) (?:you|it if you) to|i (?:want|need|expect) you to)\s+/i;
/** A ban as a statement to the one who is to keep it. */
const BANS =
  /^you (?:(?:are|['’]re) not (?:allowed|supposed|permitted) to|(?:must|may|should|shall)(?: not|n['’]t)|can(?:not|['’]t))\s+/i;

/** A sentence without what opens it in talk. */
export function withoutTalk(sentence: string): string {
  return sentence.replace(TALK, "");
}

/** A sentence by its point: without what opens it, and an order where it is one in other words. */
export function pointOf(sentence: string): { clause: string; isRepeated: boolean } {
  const opened = withoutTalk(sentence);
  const said = opened.replace(SAID_BEFORE, "");
  const clause = withoutTalk(said).replace(WANTS, "").replace(BANS, "do not ");
  return { clause, isRepeated: said !== opened };
}

/** Words by which a clause begins that has a subject other than "you" and "we". */
const SUBJECT =
  /^(?:we (?:get|see|have|are|can)|the|an?|th(?:is|at|ese|ose)|it|its|it['’]s|there|they|he|she|i|i['’]m|his|her|their|my|our|some|most|both|everything|nothing|nobody|everyone|everybody|someone|all|every|each|any|de[rmn]|die|das|ein[ems]?|eine[rnm]?|ich|er|sie|es|unser\p{L}*|mein\p{L}*|l[ea]s?|l['’]\p{L}+|une?|il|elle|ils|elles|on|je|nos|notre|mon|ma|el|l[ao]s|una|mis?|su|nuestr\p{L}+)(?!\p{L})/iu;
/** Plural things, and a verb. */
const THINGS =
  /^[\p{L}-]+s\s+(?:must|should|shall|will|have|has|are|were|can|could|may|might|need|go|get|fail|live)(?!\p{L})/iu;
/** The verb before its subject, as in German. */
const TURNED = /^\p{L}+(?:t|en)\s+(?:de[rmn]|die|das|ein\p{L}*|es|er|sie|unser\p{L}*)(?!\p{L})/iu;

/** Whether a clause tells how things are or are to be, and not somebody what to do: it has a subject of its own. */
export function tellsHowItIs(clause: string): boolean {
  const text = clause.replace(/^[\s,:;–—-]+/, "");
  return SUBJECT.test(text) || THINGS.test(text) || TURNED.test(text);
}

const PLACES =
  "repo|repository|project|codebase|monorepo|workspace|team|org|organi[sz]ation|company|machine|laptop";
/** What is pointed at, and is not the place as a whole: it is of the task at hand. */
const POINTED = new RegExp(
  String.raw`(?<!\p{L})(?:(?:this|these|those)(?:\s+(?!(?:${PLACES})s?\b)[\p{L}\p{N}]|\W*$)|(?:for|in|to|on|(?<!because )of|with|from|at) that\b|(?:dies\p{L}+|cette|cet|est[ae]s?)\s+(?!repo|proyecto|projekt)\p{L})`,
  "iu",
);
/** A single thing as what an order is about, that is no ban for ever: "use a map instead of a list". */
const OF_ONE_THING =
  /^(?:please |pls |por favor,? |bitte )?(?:(?:(?:i )?prefer|use|take|(?:do not|don['’]?t|dont) \p{L}+|no \p{L}+[ae]s|benutze?|verwende|nimm|nutze|utilise[sz]?|prends|usa)(?: hier| ici| aquí)?\s+)(?:an?|the|your|my|other|eine?n?|de[rn]|die|das|une?|le|la|el|una)\s/iu;
const FOR_EVER =
  /(?<!\p{L})(?:ever|always|never|any ?more|unless|without|by default|whenever|every|each|nie(?:mals)?|immer|jamais|toujours|nunca|siempre)(?!\p{L})/iu;

/** Whether an order says by a word that it is for ever. */
export function isForEver(clause: string): boolean {
  return FOR_EVER.test(clause);
}

/** Whether an order is of the task at hand: it points at something there, or speaks of one thing and not of a kind. */
export function isOfTask(clause: string): boolean {
  return POINTED.test(clause) || (OF_ONE_THING.test(clause) && !FOR_EVER.test(clause));
}

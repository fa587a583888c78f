/** A line of a message, and what it looks like. */
export interface MessageLine {
  text: string;
  /** No code, quotation, log, table or diff. */
  isProse: boolean;
  /** Fenced, or marked with `>`: where it ends is plain. */
  isMarked: boolean;
}

/** What is done with nothing but a text, in English, German, French and Spanish. */
const OF_TEXT =
  "summari[sz]\\p{L}*|sum up|translat\\p{L}*|transcrib\\p{L}*|proof-?read|paraphrase|rephrase|reword|condense|" +
  "übersetz\\p{L}*|zusammen(?:fassen|gefasst)?|résum\\p{L}*|tradui\\p{L}*|resum\\p{L}*|tradu[cz]\\p{L}*";
/** What is done with a text that somebody is given, among others. */
const HANDLE =
  `${OF_TEXT}|explain|interpret|analy[sz]e|extract|classify|read|review|compare|look (?:at|into|over|through)|check(?: out)?|` +
  "consider|rewrite|reply to|respond to|answer|what (?:does|do|is|are)|think (?:of|about)|thoughts on|opinion (?:of|on)|" +
  "erklär\\p{L}*|lies|lest|prüf\\p{L}*|analysier\\p{L}*|antworte\\p{L}*|beantwort\\p{L}*|was (?:heißt|bedeutet|hältst)|" +
  "expliqu\\p{L}*|lis|lisez|analyse\\p{L}*|relis\\p{L}*|répond\\p{L}*|que (?:veut|dit)|" +
  "expli(?:ca|que)\\p{L}*|lee|revis[ae]\\p{L}*|analiza\\p{L}*|respond[ea]\\p{L}*|qué (?:significa|dice)";
const HANDLES = words(HANDLE);
const ONLY_OF_TEXT = words(OF_TEXT);
/** A line that gives the word to somebody else ("here is the log", "the page says"); not to the one who types it. */
const GIVES_WORD =
  /(?<![\p{L}\p{N}])(?:(?:here|below) (?:is|are)|here['’]?s|hier (?:ist|sind|kommt)|voici|aquí (?:está|están|tienes))(?![\p{L}\p{N}])(?! (?:my|our|what|how|the (?:thing|deal|plan))(?![\p{L}\p{N}]))|(?<!(?<![\p{L}\p{N}])(?:i|we|ich|wir|je|nous|yo) (?:\p{L}+ )?)(?<![\p{L}\p{N}])(?:says?|said|writes?|wrote|reads|states|schreibt|schrieb|sagte?|dit|écrit|dice|escribió)$/iu;
/** Words that point at what stands beside or below. */
const POINT =
  "this|these|below|following|dies\\p{L}*|folgend\\p{L}*|cette?|ces|ceci|suivante?s?|est[aeo]s?|siguientes?";
/** It is asked of what stands there, and not of something that is named in between. */
const HANDLES_THIS = words(`(?:${HANDLE})(?:\\s+\\S+){0,2}?\\s+(?:${POINT})`);
/** A line says itself what is to hold: then what it announces is said by whoever typed it. */
const HOLDS = words(
  "rules?|conventions?|guidelines?|preferences?|polic(?:y|ies)|principles?|standards?|from (?:now|here) on|going forward|always|never|" +
    "rem{1,2}e?m{0,2}e?b(?:er|re|r)|keep in mind|don['’]?t forget|must|should|prefer|make sure|follow|do (?:the following|this|so)|" +
    "\\p{L}*regeln?|ab (?:jetzt|sofort)|in zukunft|immer|niemals|nie|merk\\p{L}*|" +
    "règles?|désormais|à l['’]avenir|toujours|jamais|retiens|reglas?|siempre|nunca|recuerda|de ahora en adelante",
);
/** Openings that say nothing of what follows, and conditions under which it holds. */
const OPENS =
  /^(?:(?:ok(?:ay)?|and|also|but|so|well|und|et|y)[\s,]+)*(?:(?:hi|hey|hello)\b.*|btw|by the way|p\.?s|n\.?b|note|important|reminder|also|so|please|(?:one|another|a second|a last) (?:more )?thing|übrigens|wichtig|bitte|(?:in|for|when(?:ever)?|before|after|while|during|if|wenn|vor|nach|für|bei|quand|avant|après|pour|cuando|antes|para|en)\s.*)$/iu;

/** A line that says that what stands below is from elsewhere: "I got this from support", "see below". */
const FROM_ELSEWHERE = words(
  "(?:got|received|found|copied) (?:this|these|it|that) (?:from|in|on|via|at)|(?:see|read) (?:below|attached)|attached (?:is|are)|" +
    "(?:hab(?:e|en)?|kam) (?:das|dies) (?:von|aus)|siehe unten|anbei|reçu (?:ça|ceci|cela) de|voir ci-dessous|ci-joint|" +
    "recibí esto de|ver abajo|adjunt[oa]",
);
/** A question about what stands below, though it names a rule: "what do you think about this rule". */
const ASKS =
  /^\W*(?:what|how|why|who|is|are|do|does|did|was|were|wie|was|warum|ist|sind|que|qu['’]est|est-ce|qué|cómo|es)(?!\p{L})/iu;
/** Somebody's turn in a conversation that was copied: a name and a clock, or the part that a model speaks. */
const HEADS_TURN =
  /^\s*(?:(?:\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,2}\s|\S{2,30}\s+[—–•·|]\s).{0,24}?(?<!\d)\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[apAP]\.?[mM]\.?)?\s*$|(?:[Hh]uman|[Uu]ser|[Aa]ssistant|[Ss]ystem|Claude|ChatGPT|GPT|Gemini|Copilot)\s?:(?:\s|$))/u;

/** A letter begins, with who wrote it or what it is about. */
const HEADS_LETTER =
  /^\s*(?:(?:from|to|cc|subject|sent|von|an|betreff|gesendet|de|à|para|objet|asunto|enviado)\s?:\s+\S|-{2,}\s?(?:original|forwarded)\b|begin forwarded message\b|(?:on|am|le|el)\s.{5,100}\s(?:wrote|schrieb|écrit|escribió)[^:]{0,60}:\s*$)/iu;
const POINTS_UP = /^\s*(?:\^{1,3}|↑+|⬆+)/u;

/** A pattern of whole words, in any alphabet; compiled when it is first asked: every hook loads this, few need it. */
function words(source: string): Pick<RegExp, "test"> {
  let pattern: RegExp | undefined;
  return {
    test: (text) =>
      (pattern ??= new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "iu")).test(text),
  };
}

/**
 * Blanks what a message hands over without marking it as the words of others: what stands below "summarize this page for
 * me:", "here is the log:", "translate this", or behind it in the line.
 *
 * Below a line that ends in a colon stands what it announces. In what people send to agents that is pasted, a list of
 * things to do, or the talk of a tool, unless the line itself says what is to hold ("rules for this repo:", "from now
 * on:", "before you commit:"). Where a paste ends cannot be told, so that all that follows counts as one; a marked block
 * (fenced, `>`) below a line that does not ask about a text ends by itself.
 */
export function withoutHandedOver(lines: readonly MessageLine[]): string[] {
  // Whoever points up says that what stands above is not theirs.
  const up = lines.findLastIndex(({ text, isMarked }) => !isMarked && POINTS_UP.test(text));
  let state: "own" | "asked" | "announced" | "marked" | "handed" = "own";
  return lines.map(({ text, isProse, isMarked }, at) => {
    if (at < up) return "";
    if (state === "handed" || (state !== "own" && text.trim() === "")) return "";
    if (state === "announced" && isMarked) state = "marked";
    else if (state === "marked" && !isMarked) state = "own";
    else if (state === "asked" || state === "announced") {
      state = "handed";
      return isProse ? "…" : "";
    }
    if (state !== "own" || !isProse) return "";
    if (HEADS_LETTER.test(text) || HEADS_TURN.test(text)) {
      state = "handed";
      return "…";
    }
    const inLine = handedOverIn(text);
    state = inLine === undefined ? announcedBy(text) : "handed";
    return inLine ?? text;
  });
}

/** A line without what it hands over behind its colon ("translate this: …"); undefined where it does not. */
function handedOverIn(line: string): string | undefined {
  const at = line.search(/:\s+\S/);
  const clause = lastClause(line.slice(0, at));
  if (at < 0 || HOLDS.test(clause)) return undefined;
  return ONLY_OF_TEXT.test(clause) || HANDLES_THIS.test(clause) || GIVES_WORD.test(clause.trim())
    ? `${line.slice(0, at + 1)} …`
    : undefined;
}

/** What stands below a line. */
function announcedBy(line: string): "own" | "asked" | "announced" {
  const heading = /^\s{0,3}#{1,6}\s+(.+)$/.exec(line)?.[1];
  const clause = lastClause((heading ?? line).trim().replace(/[:.!?]+$/, ""));
  if (heading !== undefined || /:\s*$/.test(line)) {
    if (HANDLES.test(clause)) return "asked";
    return HOLDS.test(clause) || OPENS.test(clause) ? "own" : "announced";
  }
  const isAsked = HANDLES_THIS.test(clause) && (!HOLDS.test(clause) || ASKS.test(clause));
  return isAsked || FROM_ELSEWHERE.test(clause) ? "asked" : "own";
}

function lastClause(text: string): string {
  return text.split(/[.!?;]\s+/).at(-1) ?? "";
}

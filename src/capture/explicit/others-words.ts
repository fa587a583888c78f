/** A greeting by which a message to many begins, or to somebody by name; the agent's own names are none of theirs. */
const GREETS =
  /^\s*(?:hi|hiya|hey|hello|dear|hallo|liebe[rs]?|moin|bonjour|salut|hola|buenas)\s+(?:(?:all|team|everyone|everybody|folks|guys|both|zusammen|leute|alle|equipo|todos|à tous|l['’]équipe)(?![\p{L}])|(?!(?:claude|codex|copilot|cursor|gemini|there|agent|assistant)(?!\p{L}))\p{L}+\s*,)/iu;
/** The end of a letter: a closing word and a name. */
const SIGNS =
  /(?:^|[\s.!])(?:thanks|thank you|thx|best|cheers|(?:kind |best )?regards|br|viele grüße|grüße|gruß|lg|merci|cordialement|saludos|un saludo)[,.!]?\s+\p{Lu}\p{Ll}+\s*$/mu;
/** What to do with a text from somebody: an answer to them, or a place where it is to stand. */
const PASSES_ON =
  /(?<!\p{L})(?:(?:reply|respond|answer|write back)(?: to)? (?:him|her|them|politely)|(?:put|add|paste|post|copy) (?:this|that|it) (?:to|in|into|on)|antworte (?:ihm|ihr|ihnen)|réponds[- ](?:lui|leur)|respóndele)(?!\p{L})/iu;

/**
 * Whether a message is, by how it is built, for others: greeting many or a
 * person and then signed or followed by more; or with a line below it that says what to do with it. None of that is said
 * to the agent to hold.
 */
export function isForOthers(own: string): boolean {
  const paragraphs = own.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  if (SIGNS.test(own) || (GREETS.test(own) && /\n/.test(own.trim()))) return true;
  return paragraphs.length > 1 && PASSES_ON.test(paragraphs.at(-1) ?? "");
}

/** "You are a senior engineer. …": a role for a task that follows; no part of it is a rule by itself. */
export function isRolePrompt(own: string): boolean {
  return /^\s*(?:you are|you['’]re|act as|du bist|agiere als|tu es|eres|actúa como)\s+(?:an?|the|ein\p{L}*|une?|un|una)\s[^.!?\n]{3,120}[.\n]\s*\S/iu.test(
    own,
  );
}

/** Somebody other than those who speak here, and a word for speaking. */
const REPORTS =
  /(?<!\p{L})(?<!(?:as|like|what|i|we)\s)(?!(?:i|we|you|please|and|but|never|always)(?!\p{L}))[\p{L}\p{N}.-]+(?: (?:just|also|always|once|again|then|hat|nous|me|mir|uns))*\s(?:said|says?|told|tells|wrote|writes|reads|states|claims|insists|suggests?|recommends?|sagt|sagte|schreibt|schrieb|meint|gesagt|geschrieben|dit|écrit|dice|dijo|escribió)(?!\p{L})|^(?:according to|per|laut|selon|según)\s/iu;

/** Whether what stands before a cue tells what somebody else said. */
export function isReported(before: string): boolean {
  return REPORTS.test(before);
}

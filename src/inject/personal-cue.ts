/** The prompt asks how deep to go: an explanation, more or less detail. */
const DEPTH =
  /(?:^|[.!?,\n]\s*|\b(?:please|you|and|then|to) )explain (?:to me|me|how|why|what|the|this|that|each)\b|\b(?:walk me through|teach me|help me understand|eli5|in (?:more|great|full) detail|in (?:simple|plain|layman's) (?:terms|words|english)|tl;?dr)\b/i;
/** It asks for words that other people read, or for a way to put something. */
const FRAMING =
  /\b(?:draft|write|compose|phrase|word|rephrase|reword)\b[^.\n]{0,40}\b(?:e-?mail|(?<!commit )message to|reply|blog post|post about|announcement|letter|talk|abstract|bio|pitch|tweet|newsletter)\b/i;
/** It asks for taste: a recommendation, a choice, what the person likes. */
const TASTE =
  /\b(?:recommend (?:me|a|an|some|one)|(?:do|would) you recommend|which (?:one )?should (?:i|we) (?:use|choose|pick|take|prefer)|(?:my|your) (?:preference|taste|favou?rite|preferred \w+)s?|my (?:coding |writing |usual )?style|(?:as|like|the way) i (?:like|prefer) (?:it|them|to)\b)/i;

/** Longer texts ask for something of their own; so much of the beginning is looked at, in characters. */
const MAX_CHARS = 600;

/**
 * Whether a prompt asks for depth, framing or taste: then what is known of the person bears on it although no word is
 * shared. Meant to miss rather than to cry wolf; what it brings is a pointer at most.
 */
export function asksForThePerson(prompt: string): boolean {
  const start = prompt.slice(0, MAX_CHARS);
  return DEPTH.test(start) || FRAMING.test(start) || TASTE.test(start);
}

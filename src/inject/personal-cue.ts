/** What a prompt may ask of what is known about the person: how deep to go, how to put it, what the person likes. */
export type PersonalCue = "depth" | "framing" | "taste";

/** How a cue is told in a prompt, and in a memory that answers it. */
interface CueWords {
  /** In a prompt. Made when it is needed: compiling it costs a cold hook a millisecond. */
  pattern: () => RegExp;
  /** One of these stands in every text that the pattern matches: most prompts need no more than a look for them. */
  words: readonly string[];
  /** In a memory's name, description or tags. */
  answer: () => RegExp;
}

/** The prompt asks how deep to go: an explanation, more or less detail. */
const DEPTH: CueWords = {
  pattern: () =>
    /(?:^|[.!?,\n]\s*|\b(?:please|you|and|then|to) )explain (?:to me|me|how|why|what|the|this|that|each)\b|\b(?:walk me through|teach me|help me understand|eli5|in (?:more|great|full) detail|in (?:simple|plain|layman's) (?:terms|words|english)|tl;?dr)\b/i,
  words: [
    "explain",
    "walk me",
    "teach me",
    "understand",
    "eli5",
    "in more",
    "in great",
    "in full",
    "in simple",
    "in plain",
    "in layman",
    "tl;dr",
    "tldr",
  ],
  answer: () =>
    /\b(?:years?|expert|expertise|experienced?|senior|junior|beginner|novice|newcomer|new to|knows?|familiar|fluent|learn(?:s|ing)?|background|engineer|developer|programmer|scientist|researcher|student|teacher|degree|trained|detail(?:ed)?|explanations?|explained|examples?|depth)\b/i,
};
/** It asks for words that other people read, or for a way to put something. */
const FRAMING: CueWords = {
  pattern: () =>
    /\b(?:draft|write|compose|phrase|word|rephrase|reword)\b[^.\n]{0,40}\b(?:e-?mail|(?<!commit )message to|reply|blog post|post about|announcement|letter|talk|abstract|bio|pitch|tweet|newsletter)\b/i,
  words: [
    "mail",
    "message to",
    "reply",
    "blog post",
    "post about",
    "announcement",
    "letter",
    "talk",
    "abstract",
    "bio",
    "pitch",
    "tweet",
  ],
  answer: () =>
    /\b(?:tone|voice|writes?|writing|written|e-?mails?|mails?|letters?|formal|informal|formally|signs?|signature|wording|audience|readers?|pronouns?|speaks?|native|english|spelling|concise|brief|humou?r|emoji|exclamation|blog|newsletter|posts?)\b/i,
};
/** It asks for taste: a recommendation, a choice, what the person likes. */
const TASTE: CueWords = {
  pattern: () =>
    /\b(?:recommend (?:me|a|an|some|one)|(?:do|would) you recommend|which (?:one )?should (?:i|we) (?:use|choose|pick|take|prefer)|(?:my|your) (?:preference|taste|favou?rite|preferred \w+)s?|my (?:coding |writing |usual )?style|(?:as|like|the way) i (?:like|prefer) (?:it|them|to)\b)/i,
  words: ["recommend", "which ", "my ", "your ", "i like", "i prefer"],
  answer: () =>
    /\b(?:prefers?|prefer(?:red|ence|ences)|likes?|dislikes?|favou?rites?|loves?|hates?|avoids?|taste|style|rather|fan of|opinions?|wants?)\b/i,
};

/** Longer texts ask for something of their own; so much of the beginning is looked at, in characters. */
const MAX_CHARS = 600;

const CUES: Readonly<Record<PersonalCue, CueWords>> = { depth: DEPTH, framing: FRAMING, taste: TASTE };

/**
 * What a prompt asks of the person: then what is known of them bears on it although no word is shared. Meant to miss
 * rather than to cry wolf; what it brings is a pointer at most.
 */
export function personalCuesIn(prompt: string): PersonalCue[] {
  const start = prompt.slice(0, MAX_CHARS).toLowerCase();
  return (Object.keys(CUES) as PersonalCue[]).filter((cue) => {
    const { pattern, words } = CUES[cue];
    return words.some((word) => start.includes(word)) && pattern().test(start);
  });
}

/** Whether a memory about the person, by its name, description and tags, has something to say to one of the cues. */
export function speaksTo(memory: string, cues: readonly PersonalCue[]): boolean {
  const words = memory.slice(0, MAX_CHARS);
  return cues.some((cue) => CUES[cue].answer().test(words));
}

// Parts of character classes, by code points: the characters themselves would not be seen here either.
const DIRECTIONS = "\\u{202a}-\\u{202e}\\u{2066}-\\u{206f}";
const OPERATORS = "\\u{2061}-\\u{2064}";
const TAG_BLOCK = "\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}";
const SELECTORS = "\\u{fe00}-\\u{fe0f}\\u{e0100}-\\u{e01ef}";
const SOFT_HYPHEN = "\\u{ad}";
const BLANKS = "\\u{115f}-\\u{1160}\\u{180e}\\u{200b}\\u{2060}\\u{3164}\\u{feff}\\u{ffa0}";
const JOINERS = "\\u{34f}\\u{200c}-\\u{200f}";

/** Any character without a glyph of its own, among them honest ones. */
const INVISIBLE = new RegExp(
  `[${DIRECTIONS}${OPERATORS}${TAG_BLOCK}${SELECTORS}${SOFT_HYPHEN}${BLANKS}${JOINERS}]`,
  "u",
);
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");

/** What hides or reorders text: direction marks, tag block, variation selectors, blanks without width inside words. */
const hiding = (): RegExp =>
  new RegExp(
    [
      `[${DIRECTIONS}${OPERATORS}${TAG_BLOCK}]`,
      `[${SELECTORS}]{3}`,
      `[${SOFT_HYPHEN}${BLANKS}]{2}`,
      `(?<=\\p{L})[${BLANKS}](?=\\p{L})`,
      `(?<=[a-z])[${JOINERS}${SOFT_HYPHEN}](?=[a-z])`,
    ].join("|"),
    "iu",
  );

const CONTROLS = "\\u{0}\\u{1b}\\u{9b}";
const TERMINAL = new RegExp(`[${CONTROLS}]`, "u");

/** A flag of a region (England, Scotland …) is written with tag characters behind a black flag. */
const REGION_FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/** Whether a text is plain ASCII. A pattern that knows all scripts takes V8 milliseconds to compile: not for such a text. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- "is there anything but ASCII" is the question
  return !/[^\0-\x7f]/.test(text);
}

/** Whether a text hides something in characters that nobody sees. */
function hidesCharacters(text: string): boolean {
  return TERMINAL.test(text) || (INVISIBLE.test(text) && hiding().test(text.replace(REGION_FLAG, "")));
}

function withoutInvisible(text: string): string {
  return INVISIBLE.test(text) ? text.replace(EVERY_INVISIBLE, "") : text;
}

/** Letters of other scripts, and digits, that look like Latin letters: enough to spell every word that matters. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  "aаαɑ bЬƄƀ cсϲᴄ dԁɗđ eеεҽ℮ fϝſ hһнηħ iіιıɪ1 kкκ lӏⅼł mмᴍ nпոᴨ oоοσø0 pрρ rгᴦ sѕꜱ5 tтτᴛŧ7 uυսᴜ vνѵᴠ yуүγ"
    .split(" ")
    .flatMap(([latin = "", ...others]) => others.map((other) => [other.toLowerCase(), latin])),
);

/** Characters that nobody sees. Joiners and selectors behind a picture or a letter of another script are part of it. */
const unseen = (): RegExp =>
  new RegExp(
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\d#*]|(?!\p{Script=Latin})[\p{L}\p{M}])[\u200c\u200d\ufe0e\ufe0f]` +
      String.raw`|(?![\t\n\u200c\u200d\ufe0e\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}${SELECTORS}${BLANKS}\u034f\u{e0000}-\u{e0fff}]`,
    "gu",
  );

/** The Latin letter for which a letter is taken; undefined for letters that a language in Latin script writes. */
function latinOf(char: string): string | undefined {
  if (!/[^\0-\u024f]/u.test(char)) return undefined;
  const plain = /[\p{Lu}\p{Ll}]/u.test(char) ? char.normalize("NFKC") : "";
  return LOOK_ALIKES[char.toLowerCase()] ?? (/^[a-z]$/i.test(plain) ? plain : undefined);
}

/** Marks what a reader would not see or would mistake: `‹U+202E›`, `‹not a›` behind a look-alike letter. */
export function markHidden(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what hides text
  if (isAscii(text) && !/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return text;
  const isOfScript = (text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).some(
    (char) => latinOf(char) === undefined,
  );
  const marked = (char: string): string => {
    const latin = latinOf(char);
    return latin === undefined ? char : `${char}‹not ${latin}›`;
  };
  return text
    .replace(/[\p{L}\p{M}]+/gu, (word) =>
      isOfScript && !/[a-z]/i.test(word) ? word : Array.from(word, marked).join(""),
    )
    .replace(unseen(), (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `‹U+${code.padStart(4, "0")}›`;
    });
}

/** What a reader may take for `<`: look-alikes, and its escapes in HTML, URLs and strings. */
export const OPENING_ANGLE: RegExp =
  /[<＜﹤˂ᐸ❮⟨〈〈≮≺⊲◁᚜𝈶]|&(?:amp;){0,3}(?:lt\b;?|#0{0,5}60\b;?|#x0{0,5}3c\b;?)|%(?:25){0,3}3c|\\{1,4}(?:u\{?0{0,4}3c\}?|x3c)/giu;

export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** What a text does that no memory has to, and the words in which a person is told. What it orders is not read. */
export const HOSTILE_WORDS = {
  "role-tags": "it imitates the tags, turns or headings of heed or of a client",
  "hidden-characters": "it hides text in invisible or direction characters",
} as const;
export type HostileKind = keyof typeof HOSTILE_WORDS;

const MAX_CHARS = 512 * 1024;

export function findHostile(text: string): HostileKind[] {
  const whole = text.slice(0, MAX_CHARS);
  return [
    ...(spoofsRole(whole) ? (["role-tags"] as const) : []),
    ...(hidesCharacters(whole) ? (["hidden-characters"] as const) : []),
  ];
}

/** How far behind a bracket the name of a tag is looked for, in characters. */
const TAG_WINDOW = 80;

/** Beginnings of tag names that only heed or a client writes; honest placeholders are left to the fence. */
const SPOOFED = (
  "heed systemreminder systemprompt systemmessage systeminstruction systemnote antml " +
  "functioncalls functionresult invokename toolresult tooluse userpromptsubmit usermessage " +
  "userprompt localcommandstdout commandname commandmessage persistedoutput tasknotification " +
  "assistantmessage assistantturn importantinstruction newinstruction"
).split(" ");
const SPOOFED_WORDS = ["system", "assistant", "human", "instructions", "thinking", "sys"];

/** The headings under which heed injects; a test holds them against what it writes. */
const OWN_VOICE = new RegExp(
  [
    "standing rules that (?:the user gave and )?heed keeps",
    "new or changed in what heed keeps here",
    "kept by heed, one line each",
    "what must be so by a stored memory is broken",
    "these need the user's approval and are not in force",
    "heed goes on with what was last good",
  ]
    .join("|")
    .replaceAll(" ", "\\W{1,8}"),
  "i",
);

/** Marks of turns and roles in the formats of models, at the places at which they would count. */
const MARKS: readonly RegExp[] = [
  /\[\/?INST\]|<<\/?SYS>>|<\|\s{0,2}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text)\s{0,2}\|>/i,
  /(?:^|\n)[ \t]{0,8}(?:[*_#>-]{1,4}[ \t]?)?(?:human|assistant)[*_]{0,2}:[*_]{0,2}[ \t]+\S/i,
  /(?:^|\n)[ \t]{0,8}#{2,6}[ \t]*(?:system(?: prompt| message| instructions?)?|instruction|response|human|assistant|user input)[ \t]*:/i,
  /(?:^|\n)[ \t]{0,8}\[\s{0,3}(?:system|admin|administrator|developer|anthropic|openai)(?: (?:message|prompt|override|note|notice|instructions?))?\s{0,3}\][ \t]*:?/i,
  /[[{(]\s{0,3}\/?\s{0,3}(?:system[-_ ]?reminder|heed[-_ ](?:memories|episode|rules))\s{0,3}[\])}]/i,
  OWN_VOICE,
  /["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant)["']\s{0,4},\s{0,4}["']content["']/i,
];

/** Whether a text writes a tag or a mark of a turn that only heed or a client writes. */
function spoofsRole(text: string): boolean {
  const visible = withoutInvisible(text);
  if (MARKS.some((mark) => mark.test(visible))) return true;
  for (const { index, 0: bracket } of visible.matchAll(OPENING_ANGLE)) {
    const from = index + bracket.length;
    if (isSpoofed(withoutEntities(visible.slice(from, from + TAG_WINDOW)))) return true;
  }
  return false;
}

function isSpoofed(following: string): boolean {
  const name = letterNameOf(following);
  return (
    SPOOFED.some((tag) => name.startsWith(tag)) ||
    SPOOFED_WORDS.some((word) => name === word || name === `${word}s`)
  );
}

/** The letters up to the closing bracket, whatever is between them; look-alikes count as the letters that they look like. */
function letterNameOf(following: string): string {
  let name = "";
  for (const char of following.normalize("NFKD").toLowerCase()) {
    const letter = LOOK_ALIKES[char] ?? char;
    if (letter >= "a" && letter <= "z") name += letter;
    else if (char === ">" || char === "＞" || char === "<" || (char === "\n" && name !== "")) break;
    else if (/[\p{L}\p{N}]/u.test(char)) return SPOOFED.some((tag) => name.startsWith(tag)) ? name : "";
    if (name.length > 30) break;
  }
  return name;
}

type Range = readonly [from: number, to: number];

const DIRECTIONS: readonly Range[] = [
  [0x202a, 0x202e],
  [0x2066, 0x206f],
];
const OPERATORS: readonly Range[] = [[0x2061, 0x2064]];
const TAG_BLOCK: readonly Range[] = [
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
];
const SELECTORS: readonly Range[] = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
];
const FILLERS: readonly Range[] = [
  [0x00ad, 0x00ad],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x2060, 0x2060],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];
/** Joiners, marks of direction: parts of scripts and emoji. */
const JOINERS: readonly Range[] = [
  [0x034f, 0x034f],
  [0x200c, 0x200f],
];

/** Any character without a glyph of its own, among them honest ones. */
const INVISIBLE = new RegExp(
  classOf([...DIRECTIONS, ...OPERATORS, ...TAG_BLOCK, ...SELECTORS, ...FILLERS, ...JOINERS]),
  "u",
);
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");

/**
 * What hides or reorders text: direction marks, invisible operators, the tag block, runs of variation
 * selectors or blanks without width, and such blanks or joiners inside a word that needs none.
 */
const hiding = (): RegExp =>
  new RegExp(
    [
      classOf([...DIRECTIONS, ...OPERATORS, ...TAG_BLOCK]),
      `${classOf(SELECTORS)}{3}`,
      `${classOf(FILLERS)}{2}`,
      `(?<=\\p{L})${classOf(FILLERS.filter(([from]) => from !== 0x00ad))}(?=\\p{L})`,
      `(?<=[a-z])${classOf([...JOINERS, [0x00ad, 0x00ad]])}(?=[a-z])`,
    ].join("|"),
    "iu",
  );

/** Sequences that a terminal obeys. Other controls are what is left of a mistyped escape. */
const TERMINAL = new RegExp(
  classOf([
    [0x00, 0x00],
    [0x1b, 0x1b],
    [0x9b, 0x9b],
  ]),
  "u",
);

/** A flag of a region (England, Scotland …) is written with tag characters behind a black flag. */
const REGION_FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/** Whether a text is plain ASCII. A pattern that knows all scripts takes V8 milliseconds to compile: not for such a text. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- "is there anything but ASCII" is the question
  return !/[^\0-\x7f]/.test(text);
}

/** Whether a text hides something in characters that nobody sees. */
export function hidesCharacters(text: string): boolean {
  return TERMINAL.test(text) || (INVISIBLE.test(text) && hiding().test(text.replace(REGION_FLAG, "")));
}

/** The text without anything that has no glyph. */
export function withoutInvisible(text: string): string {
  return INVISIBLE.test(text) ? text.replace(EVERY_INVISIBLE, "") : text;
}

/** The ASCII text that is written in the tag block. */
export function tagBlockText(text: string): string {
  // The first half of every character of that block.
  if (!text.includes("\uDB40")) return "";
  return Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : "";
  }).join("");
}

/** A character class, written by code points: the characters themselves would not be seen here either. */
function classOf(ranges: readonly Range[]): string {
  const escape = (code: number): string => `\\u{${code.toString(16)}}`;
  return `[${ranges.map(([from, to]) => `${escape(from)}-${escape(to)}`).join("")}]`;
}

/** Letters of other scripts, and digits, that look like Latin letters: enough to spell every word that matters. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["a", "аαɑ"],
    ["b", "ЬƄƀ"],
    ["c", "сϲᴄ"],
    ["d", "ԁɗđ"],
    ["e", "еεҽ℮"],
    ["f", "ϝſ"],
    ["h", "һнηħ"],
    ["i", "іιıɪ1"],
    ["k", "кκ"],
    ["l", "ӏⅼł"],
    ["m", "мᴍ"],
    ["n", "пոᴨ"],
    ["o", "оοσø0"],
    ["p", "рρ"],
    ["r", "гᴦ"],
    ["s", "ѕꜱ5"],
    ["t", "тτᴛŧ7"],
    ["u", "υսᴜ"],
    ["v", "νѵᴠ"],
    ["y", "уүγ"],
  ].flatMap(([latin = "", others = ""]) => Array.from(others, (other) => [other.toLowerCase(), latin])),
);

/** What a reader may take for `<`: look-alikes, and its escapes in HTML, URLs and strings. */
export const OPENING_ANGLE: RegExp =
  /[<＜﹤˂ᐸ❮⟨〈〈≮≺⊲◁᚜𝈶]|&(?:amp;){0,3}(?:lt\b;?|#0{0,5}60\b;?|#x0{0,5}3c\b;?)|%(?:25){0,3}3c|\\{1,4}(?:u\{?0{0,4}3c\}?|x3c)/giu;

/** A piece of text with its numeric entities as the characters that they stand for. */
export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

// oxlint-disable-next-line no-control-regex -- "is there anything but ASCII" is the question
const NOT_ASCII = /[^\u0000-\u007f]/;
/** Combining marks of Latin, Greek and Cyrillic; those of other scripts are vowels and tones and stay. */
const DIACRITICS = /[\u0300-\u036f]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** Letters that Unicode does not decompose, in the spelling of people who lack the key. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  þ: "th",
  ı: "i",
  "\u2019": "'",
  "\u2018": "'",
  "\u02bc": "'",
  "\u2010": "-",
  "\u2011": "-",
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Whether a text is plain ASCII, for which folding changes nothing. */
function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** Unifies compatibility forms (NFKC), removes diacritics, replaces lone surrogates. Keeps case. */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize("NFKD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter] as string)
    .replace(LONE_SURROGATE, "\ufffd");
}

/**
 * Classes of code points. `lower` includes scripts without case and combining marks; `unspaced` are scripts
 * that write words without spaces.
 */
export const CharacterClass = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  unspaced: 4,
} as const;

const ASCII_LIMIT = 128;
const BMP_SIZE = 0x1_00_00;

/**
 * Scripts indexed as characters and overlapping pairs; Hangul too, whose particles are glued to words (as in
 * Lucene).
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const WORD = /[\p{L}\p{M}\p{N}]/u;
const DIGIT = /\p{Nd}/u;

const asciiClasses = new Uint8Array(ASCII_LIMIT);
for (let code = 0; code < 26; code++) {
  asciiClasses[0x61 + code] = CharacterClass.lower;
  asciiClasses[0x41 + code] = CharacterClass.upper;
}
for (let code = 0x30; code <= 0x39; code++) asciiClasses[code] = CharacterClass.digit;

/** Classes of other code points + 1, filled as they are met: the regular expressions above are slow and rarely needed. */
let knownClasses: Uint8Array | undefined;

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (!WORD.test(character)) return CharacterClass.other;
  if (UNSPACED.test(character)) return CharacterClass.unspaced;
  if (DIGIT.test(character)) return CharacterClass.digit;
  return character.toLowerCase() === character ? CharacterClass.lower : CharacterClass.upper;
}

/** The class of a code point (a value of {@link CharacterClass}). */
export function characterClassOf(codePoint: number): number {
  if (codePoint < ASCII_LIMIT) return asciiClasses[codePoint] as number;
  if (codePoint >= BMP_SIZE) return classify(codePoint);
  knownClasses ??= new Uint8Array(BMP_SIZE);
  const known = knownClasses[codePoint] as number;
  if (known > 0) return known - 1;
  const found = classify(codePoint);
  knownClasses[codePoint] = found + 1;
  return found;
}

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
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/**
 * Compatibility forms unified (NFKC), diacritics removed, lone surrogates replaced; case is kept, since camelCase
 * is split later.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize("NFKD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter] as string)
    .replace(LONE_SURROGATE, "\ufffd");
}

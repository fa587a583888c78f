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

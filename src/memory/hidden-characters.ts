/** Any character without a glyph of its own, among them honest ones: a cheap first look. */
const INVISIBLE =
  /[\u00AD\u034F\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "gu");

/**
 * What hides text from a reader, or makes it read otherwise than it is stored: direction embeddings, overrides and
 * isolates, invisible operators, the tag block in which ASCII can be written unseen, long runs of variation selectors,
 * runs of blanks without width, and such blanks inside of a word. Marks of direction, joiners and single selectors
 * belong to scripts and emoji.
 */
const HIDING =
  /[\u202A-\u202E\u2061-\u2064\u2066-\u206F]|[\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3}|[\u200B\u2060\u180E\u00AD\u115F\u1160\u3164\uFFA0]{2}|(?<=\p{L})[\u200B\u2060\uFEFF](?=\p{L})|(?<=[a-z])[\u200C\u200D\u00AD](?=[a-z])/iu;

/** Sequences that a terminal obeys. Other controls are what is left of a mistyped escape. */
const TERMINAL = /[\u001B\u009B\u0000]/;

/** A flag of a region (England, Scotland …) is written with tag characters behind a black flag. */
const REGION_FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/** Whether a text hides something in characters that nobody sees. */
export function hidesCharacters(text: string): boolean {
  return TERMINAL.test(text) || (INVISIBLE.test(text) && HIDING.test(text.replace(REGION_FLAG, "")));
}

/** The text without anything that has no glyph. */
export function withoutInvisible(text: string): string {
  return INVISIBLE.test(text) ? text.replace(EVERY_INVISIBLE, "") : text;
}

/** What is written in the tag block, as the ASCII that it stands for. */
export function tagBlockText(text: string): string {
  // The first half of every character of that block.
  if (!text.includes("\uDB40")) return "";
  return Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : "";
  }).join("");
}

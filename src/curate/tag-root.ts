import { slugOf } from "../memory/slug.ts";

/** A tag in canonical spelling: lower case, words joined by dashes. */
export function tidyTag(tag: string): string {
  return slugOf(tag.replace(/^#+/, ""));
}

/** Names and words that end in an s and are no plural. */
const NO_PLURALS = new Set(
  "jenkins windows rails sales news series always pods https dns ops devops".split(" "),
);

/** The noun in the singular, as a tag is written where the store has no spelling of its own yet. */
export function canonicalTag(tag: string): string {
  const tidy = tidyTag(tag);
  const last = tidy.slice(tidy.lastIndexOf("-") + 1);
  if (last.length < 5 || NO_PLURALS.has(last)) return tidy;
  if (/[^aeiou]ies$/.test(last)) return tidy.replace(/ies$/, "y");
  return /[^aeiouscj]s$/.test(last) ? tidy.slice(0, -1) : tidy;
}

/**
 * What the variants of one noun have in common: singular and plural, with and without dashes, the doer and the doing
 * (`scraper`, `scrapers`, `scraping`). Only good for comparing: it is no word.
 */
export function tagRoot(tag: string): string {
  const word = tidyTag(tag).replaceAll("-", "");
  const singular =
    word.length > 3
      ? word
          .replace(/ies$/, "y")
          .replace(/(?<=s|x|z|ch|sh)es$/, "")
          .replace(/(?<![su])s$/, "")
      : word;
  const doing = /^(.{4,}?)(?:ings?|ers?|ors?|ed)$/.exec(singular)?.[1] ?? singular;
  return doing.replace(/([^aeiouls])\1$/, "$1").replace(/e$/, "");
}

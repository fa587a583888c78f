import { slugOf } from "../memory/slug.ts";

/** A tag in canonical spelling: lower case, words joined by dashes. */
export function tidyTag(tag: string): string {
  return slugOf(tag.replace(/^#+/, ""));
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

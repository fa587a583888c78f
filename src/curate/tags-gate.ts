import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import { slugOf } from "../memory/slug.ts";

/** Fewer tags do not tell memories apart, more say nothing. */
const WISHED_TAGS = { least: 3, most: 6 };
/** So many memories of the same topic are named at most. */
const NAMED_SIBLINGS = 2;

/**
 * Spells tags as the store does (`scraper` becomes `scraping` where that is in use), in lower case. Only
 * warns: about too few or too many tags, and about facts that share two of them.
 */
export const tagsGate: Gate = {
  name: "tags",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    if (draft.tags === undefined || draft.tags.length === 0) return {};
    const warnings: string[] = [];
    const known = new Map(context.knownTags.map((tag) => [tagRoot(tag), tag]));
    const tags: string[] = [];
    for (const given of draft.tags) {
      const tidy = tidyTag(given);
      if (tidy === "") continue;
      const isInUse = context.knownTags.includes(tidy);
      const canonical = isInUse ? tidy : (known.get(tagRoot(tidy)) ?? canonicalTag(tidy));
      if (canonical !== tidy)
        warnings.push(`tag "${given}" is written as "${canonical}", its canonical form`);
      if (!tags.some((tag) => tagRoot(tag) === tagRoot(canonical))) tags.push(canonical);
    }
    const { least, most } = WISHED_TAGS;
    if (tags.length < least || tags.length > most)
      warnings.push(
        `${tags.length} tag${tags.length === 1 ? "" : "s"}: ${least} to ${most} concrete nouns serve recall best`,
      );
    return { draft: { ...draft, tags }, warnings: [...warnings, ...offerUpdates(tags, context)] };
  },
};

function offerUpdates(tags: readonly string[], context: GateContext): string[] {
  if (context.policy?.layer !== "semantic" || context.current) return [];
  return context.siblings
    .filter((sibling) => context.types.get(sibling.type)?.layer === "semantic")
    .map((sibling) => ({ sibling, shared: tags.filter((tag) => sibling.tags.includes(tag)) }))
    .filter(({ shared }) => shared.length >= 2)
    .sort((a, b) => b.shared.length - a.shared.length || a.sibling.name.localeCompare(b.sibling.name, "en"))
    .slice(0, NAMED_SIBLINGS)
    .map(
      ({ sibling, shared }) =>
        `shares the tags ${shared.join(", ")} with ${sibling.name} ("${sibling.description}"): update that one if it is the same topic`,
    );
}

/** A tag in canonical spelling: lower case, words joined by dashes. */
function tidyTag(tag: string): string {
  return slugOf(tag.replace(/^#+/, ""));
}

/** Names and words that end in an s and are no plural. */
const NO_PLURALS = new Set(
  "jenkins windows rails sales news series always pods https dns ops devops".split(" "),
);

/** The noun in the singular, as a tag is written where the store has no spelling of its own yet. */
function canonicalTag(tag: string): string {
  const tidy = tidyTag(tag);
  const last = tidy.slice(tidy.lastIndexOf("-") + 1);
  if (last.length < 5 || NO_PLURALS.has(last)) return tidy;
  if (/[^aeiou]ies$/.test(last)) return tidy.replace(/ies$/, "y");
  return /[^aeiouscj]s$/.test(last) ? tidy.slice(0, -1) : tidy;
}

/** What variants of a noun have in common (`scraper`, `scrapers`, `scraping`). Only for comparing. */
function tagRoot(tag: string): string {
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

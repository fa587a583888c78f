import { type SectionLabel, readSections } from "./sections.ts";

const TITLES: Readonly<Record<SectionLabel, string>> = {
  symptom: "Symptom",
  failed: "Failed",
  solution: "Solution",
  why: "Why",
  "how-to-apply": "How to apply",
};

/** The labelled parts, in the order in which they are written. */
export const SECTION_LABELS: readonly SectionLabel[] = Object.keys(TITLES) as SectionLabel[];

/** Labelled parts of a text to be put in the place of those that it has; `null` takes one away. */
export type SectionChanges = Readonly<Partial<Record<SectionLabel, string | null>>>;

/**
 * A text with some of its labelled parts replaced, in heed's own wording and order; the statement and all other parts
 * stay as they are. So a solution is improved by what was learned, without its whole text being written again.
 */
export function replaceSections(body: string, changes: SectionChanges): string {
  const { statement, sections } = readSections(body);
  const parts = SECTION_LABELS.flatMap((label): string[] => {
    const text = (changes[label] === undefined ? sections[label] : changes[label])?.trim() ?? "";
    // What begins with a list or a fence stands below its label.
    return text === ""
      ? []
      : [`**${TITLES[label]}:**${/^(?:[-*+`~]|\d+[.)])/.test(text) ? "\n" : " "}${text}`];
  });
  return [statement.trim(), ...parts].filter((part) => part !== "").join("\n\n");
}

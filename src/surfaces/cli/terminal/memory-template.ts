import type { TypePolicy } from "../../../heed.ts";

/** How each need of a type reads as a section to fill in. */
const SECTION_OF_NEED: Readonly<Record<string, string>> = {
  symptom: "**Symptom:** ",
  failed: "**Failed:** ",
  solution: "**Solution:** ",
  why: "**Why:** ",
  "how-to-apply": "**How to apply:** ",
};

/** What the editor opens with: front matter to fill in, and the sections that the type needs. */
export function memoryTemplate(types: readonly TypePolicy[], type: string | undefined): string {
  const policy = types.find(({ name }) => name === type);
  const choices = types.map(({ name, holds }) => `  #   ${name}: ${holds}`);
  const sections = (policy?.needs ?? []).flatMap((need) => SECTION_OF_NEED[need] ?? []);
  return [
    "---",
    "description:  # one line: what selection reads",
    "metadata:",
    `  type: ${policy?.name ?? ""}${policy ? "" : "  # one of"}`,
    ...(policy ? [] : choices),
    "  tags: []",
    ...(policy?.needs.includes("trigger") ? ["  trigger: []"] : []),
    "---",
    "",
    ...sections,
    "",
  ].join("\n");
}

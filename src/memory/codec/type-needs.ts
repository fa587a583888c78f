import type { Memory } from "../memory.ts";
import type { Need, TypePolicy } from "../memory-type.ts";
import { quotationsIn, type SectionLabel, readSections } from "./sections.ts";

interface MissingNeed {
  need: Need;
  remedy: string;
}

const SECTION_REMEDIES: Readonly<Record<SectionLabel, string>> = {
  why: "add a line `**Why:** …` that says what went wrong or what is gained",
  "how-to-apply": "add a line `**How to apply:** …` that says when it holds and what to do then",
  symptom: "add a line `**Symptom:** …` with the message or behaviour that was seen",
  failed: "add a line `**Failed:** …` with what was tried and did not help",
  solution: "add a line `**Solution:** …` with what worked",
  preconditions: "add a line `**Preconditions:** …` with what must be there before",
  steps: "add a line `**Steps:**` and below it a numbered list of what to do",
  check: "add a line `**Check:** …` that says how to see that it worked",
};

/**
 * What the type asks for and the memory lacks, by looking at its text alone. `absolute-dates` and `confirmation` need a
 * calendar and the user's word: the gates on write decide those.
 */
export function missingNeeds(
  memory: Pick<Memory, "name" | "description" | "body" | "trigger"> & Partial<Pick<Memory, "origin">>,
  policy: TypePolicy,
): MissingNeed[] {
  const { sections } = readSections(memory.body);
  return policy.needs.flatMap((need): MissingNeed[] => {
    switch (need) {
      case "grounds":
        // The user agreed to it by a door, whatever else its text says.
        return sections.why !== undefined ||
          quotationsIn(memory.body).length > 0 ||
          memory.origin?.door !== undefined
          ? []
          : [
              {
                need,
                remedy:
                  'quote what the user said (`quote`, or a line `> "…" (the user)`), or add a line `**Why:** …` that says what went wrong or what is gained',
              },
            ];
      case "why":
      case "how-to-apply":
      case "symptom":
      case "failed":
      case "solution":
        return sections[need] === undefined ? [{ need, remedy: SECTION_REMEDIES[need] }] : [];
      case "steps":
        // Whoever wrote a numbered list has said the steps, under whatever heading.
        return sections.steps !== undefined || /^ {0,3}1[.)][ \t]/m.test(memory.body)
          ? []
          : [{ need, remedy: SECTION_REMEDIES.steps }];
      case "trigger":
        return memory.trigger.length > 0
          ? []
          : [{ need, remedy: "add `trigger`: words of the error or the command by which it is recognised" }];
      default:
        return [];
    }
  });
}

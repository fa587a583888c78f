import type { Memory } from "../memory.ts";
import type { Need, TypePolicy } from "../memory-type.ts";
import { quotationsIn, readSections, SECTION_TITLES } from "./sections.ts";

interface MissingNeed {
  need: Need;
  /** What is missing, in words. */
  words: string;
  remedy: string;
}

const SECTION_REMEDIES = {
  why: "add a line `**Why:** …` that says what went wrong or what is gained",
  "how-to-apply": "add a line `**How to apply:** …` that says when it holds and what to do then",
  symptom: "add a line `**Symptom:** …` with the message or behaviour that was seen",
  failed: "add a line `**Failed:** …` with what was tried and did not help",
  solution: "add a line `**Solution:** …` with what worked",
  steps: "add a line `**Steps:**` and below it a numbered list of what to do",
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
                words: "the user's words or a Why",
                remedy:
                  'quote what the user said (`quote`, or a line `> "…" (the user)`), or add a line `**Why:** …` that says what went wrong or what is gained',
              },
            ];
      case "why":
      case "how-to-apply":
      case "symptom":
      case "failed":
      case "solution":
      case "steps":
        // Whoever wrote a numbered list has said the steps, under whatever heading.
        return sections[need] !== undefined || (need === "steps" && /^ {0,3}1[.)][ \t]/m.test(memory.body))
          ? []
          : [{ need, words: SECTION_TITLES[need], remedy: SECTION_REMEDIES[need] }];
      case "trigger":
        return memory.trigger.length > 0
          ? []
          : [{ need, words: "a trigger", remedy: "add `trigger`: words of the error or the command" }];
      default:
        return [];
    }
  });
}

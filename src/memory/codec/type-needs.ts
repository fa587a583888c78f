import type { Memory } from "../memory.ts";
import type { Need, TypePolicy } from "../memory-type.ts";
import { quotationsIn, readSections } from "./sections.ts";

interface MissingNeed {
  need: Need;
  words: string;
  remedy: string;
}

const WHY = "add a line `**Why:** …` that says what went wrong or what is gained";
const ADDED: { readonly [N in Need]?: readonly [words: string, remedy: string] } = {
  grounds: [
    "the user's words or a Why",
    `quote what the user said (\`quote\`, or a line \`> "…" (the user)\`), or ${WHY}`,
  ],
  why: ["a Why", WHY],
  "how-to-apply": [
    "a How to apply",
    "add a line `**How to apply:** …` that says when it holds and what to do then",
  ],
  symptom: ["a Symptom", "add a line `**Symptom:** …` with the message or behaviour that was seen"],
  failed: ["what Failed", "add a line `**Failed:** …` with what was tried and did not help"],
  solution: ["a Solution", "add a line `**Solution:** …` with what worked"],
  steps: ["Steps", "add a line `**Steps:**` and below it a numbered list of what to do"],
  trigger: ["a trigger", "add `trigger`: words of the error or the command by which it is recognised"],
};

/** The sections that the type asks for without needing them, and the memory lacks: `what Failed, a Why`. Empty: none. */
export function missingAsks(memory: Parameters<typeof missingNeeds>[0], { asks = [] }: TypePolicy): string {
  return missingNeeds(memory, { needs: asks })
    .map(({ words }) => words)
    .join(", ");
}

/** What the type needs and the text lacks. Dates and confirmation are decided by the gates on write. */
export function missingNeeds(
  memory: Pick<Memory, "name" | "description" | "body" | "trigger"> & Partial<Pick<Memory, "origin">>,
  policy: Pick<TypePolicy, "needs">,
): MissingNeed[] {
  const { sections } = readSections(memory.body);
  const has: Readonly<Record<string, unknown>> = {
    ...sections,
    // The user agreed to it by a door, or it stood in a file that they imported.
    grounds: sections.why ?? memory.origin?.door ?? memory.origin?.from ?? quotationsIn(memory.body)[0],
    // Whoever wrote a numbered list has said the steps, under whatever heading.
    steps: sections.steps ?? /^ {0,3}1[.)][ \t]/m.exec(memory.body)?.[0],
    trigger: memory.trigger[0],
  };
  return policy.needs.flatMap((need): MissingNeed[] => {
    const [words, remedy] = ADDED[need] ?? [];
    return words === undefined || remedy === undefined || has[need] !== undefined
      ? []
      : [{ need, words, remedy }];
  });
}

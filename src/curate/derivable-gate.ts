import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";

/** A shorter text stands in many files by chance. */
const MIN_CHARS = 12;

/**
 * Refuses what an instruction file of the repository says word for word: the agent's client loads that file anyway.
 * Whether the code or git would say it as well is the writer's to judge.
 */
export const derivableGate: Gate = {
  name: "derivable",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const statements = [draft.description, firstParagraph(draft.body)].map(plain);
    const copied = context.instructions.find(({ text }) => {
      const line = plain(text);
      return line.length >= MIN_CHARS && statements.includes(line);
    });
    if (!copied) return {};
    const reason = `${copied.file}:${copied.line} says it already: "${copied.text.slice(0, 120)}"`;
    const remedy = "say only what that file does not say, or nothing";
    return { refusals: [{ gate: "derivable", reason, remedy }] };
  },
};

function firstParagraph(body: string): string {
  return body.trim().split(/\n\s*\n|\n(?=\*\*)/)[0] ?? "";
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s>*#-]+|[`*_]+/g, "")
    .replace(/\s+/g, " ")
    .replace(/[.!\s]+$/, "");
}

import type { GateRefusal } from "../memory/gate-refusal.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { DerivableKind } from "./derivable.ts";
import { derivableMemory } from "./derivable.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import type { InstructionLine } from "./read-instructions.ts";
import { wordsOf } from "../recall/words-of.ts";

const WHY: Record<DerivableKind, string> = {
  "code-structure": "where code is and how it is laid out can be read from the repository",
  "git-history": "what was changed and when is in the git history",
  "fix-in-diff": "a fix is told by its diff",
  "task-state": "the state of the running task belongs to the session's episode",
};

/** Share of a statement's words that one line of an instruction file must hold to count as saying it. */
const COVERED = 0.85;
/** Shorter statements share their words with everything. */
const MIN_WORDS = 5;

/**
 * Questions what the repository says itself: code structure, git history, a fix that the diff shows, the state of
 * the task, and what the agent's instruction files say already. `isNotDerivable` passes, except for a text that
 * stands in an instruction file word for word: the client loads it anyway.
 */
export const derivableGate: Gate = {
  name: "derivable",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const statement = [draft.description, firstParagraph(draft.body)];
    const copied = context.instructions.find(({ text }) => statement.some((one) => isSameText(one, text)));
    if (copied) return { refusals: [alreadySaid(copied, "say something that it does not say, or nothing")] };
    if (draft.isNotDerivable) return {};
    const covering = context.instructions.find(({ text }) => covers(text, draft.description));
    if (covering && !addsToInstructions(draft.body, covering))
      return {
        refusals: [
          alreadySaid(covering, "say only what it lacks; or set isNotDerivable when it says something else"),
        ],
      };
    // What a rule or solution asks for is no description of the repository, whatever its words.
    const kind = derivableMemory(draft.description, draft.body);
    if (kind === undefined || (context.policy?.layer === "procedural" && kind !== "task-state")) return {};
    return {
      refusals: [
        {
          gate: "derivable",
          reason: `${WHY[kind]} (${kind})`,
          remedy:
            "keep what cannot be seen there: the reason, the decision, what surprised you; or set isNotDerivable when it is none of this",
        },
      ],
    };
  },
};

function alreadySaid(line: InstructionLine, remedy: string): GateRefusal {
  return {
    gate: "derivable",
    reason: `${line.file}:${line.line} says it already: "${line.text.slice(0, 120)}"`,
    remedy,
  };
}

function firstParagraph(body: string): string {
  return body.trim().split(/\n\s*\n|\n(?=\*\*)/)[0] ?? "";
}

function isSameText(a: string, b: string): boolean {
  const left = plain(a);
  return left.length >= 12 && left === plain(b);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s>*#-]+|[`*_]+/g, "")
    .replace(/\s+/g, " ")
    .replace(/[.!\s]+$/, "");
}

function covers(line: string, statement: string): boolean {
  const words = wordsOf(statement);
  if (words.size < MIN_WORDS) return false;
  const has = wordsOf(line);
  const shared = [...words].filter((word) => has.has(word)).length;
  return shared / words.size >= COVERED;
}

/** A body that gives a reason or a way which the instruction lacks is worth keeping beside it. */
function addsToInstructions(body: string, line: InstructionLine): boolean {
  const has = wordsOf(line.text);
  return [...wordsOf(body)].filter((word) => !has.has(word)).length >= 8;
}

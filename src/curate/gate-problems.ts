import type { MemoryCard } from "../memory/memory-card.ts";
import type { TypeTable } from "../memory/memory-type.ts";
import type { Problem } from "../errors/problem.ts";
import type { Day } from "../memory/calendar-day.ts";
import { derivableGate } from "./derivable-gate.ts";
import type { Gate, GateContext } from "./gate.ts";
import type { InstructionLine } from "./read-instructions.ts";
import { findRelativeDates } from "./dates/find-relative-dates.ts";
import { schemaGate } from "./schema-gate.ts";

/** The gates that can be asked about a memory by itself. */
const GATES: readonly Gate[] = [schemaGate, derivableGate];

/** Against what a memory that was written by hand is held. */
export interface HandEditContext {
  types: TypeTable;
  /** For a memory that does not say when it was written. */
  today: Day;
  /** See readInstructions. */
  instructions: readonly InstructionLine[];
}

/**
 * What the gates say of a memory as it stands in its file: a hand edit passes no gate when it is made, so `heed check`
 * reports it. A relative date is told against the day on which the memory was written last. Warnings only: what a
 * person typed is their word.
 */
export async function gateProblems(
  memory: { card: MemoryCard; body: string },
  { types, today, instructions }: HandEditContext,
): Promise<Problem[]> {
  const { card, body } = memory;
  const policy = types.get(card.type);
  // An unknown type is reported as such when the file is read.
  if (!policy) return [];
  const writtenOn = (card.updated ?? card.created ?? today).slice(0, 10);
  const context: GateContext = {
    actor: { kind: "person" },
    isConfirmed: true,
    types,
    policy,
    today: writtenOn,
    current: undefined,
    siblings: [],
    removed: [],
    knownTags: [],
    instructions,
  };
  const { name, description, type, tags, trigger, aliases, links, expires } = card;
  const draft = { name, description, type, tags, trigger, aliases, links, body, ...(expires && { expires }) };
  const problems: Problem[] = [];
  const report = (code: string, message: string, remedy: string): void => {
    problems.push({ file: card.file, severity: "warning", code, message, remedy });
  };
  for (const gate of GATES) {
    const { refusals = [] } = await gate.check(draft, context);
    for (const { gate: code, reason, remedy } of refusals) report(code, reason, remedy);
  }
  if (policy.layer === "procedural") return problems;
  for (const { text, candidates, isVague } of findRelativeDates(`${description}\n${body}`, writtenOn)) {
    if (isVague) continue;
    report(
      "relative-dates",
      `"${text}" was said on ${writtenOn}: nobody will know in a month`,
      candidates[0] === undefined
        ? "give the date as YYYY-MM-DD"
        : `write "${candidates[0]}" if that is meant`,
    );
  }
  return problems;
}

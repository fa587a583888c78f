import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Memory } from "../../memory/memory.ts";
import { handleOf } from "../../memory/handle.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";

const MAX_STATEMENT_CHARS = 120;

/** One line that announces a change to the user: `remembered as a rule (feedback): never use … [heed:no-verify]`. */
export function announce(
  verb: "remembered" | "changed" | "unchanged" | "confirmed",
  card: MemoryCard | Memory,
  policy: TypePolicy | undefined,
): string {
  return `${verb}${asWhat(policy)} (${card.type}): ${cut(card.description)} [${handleOf(card)}]`;
}

/** One line that says that something waits for the user's word, and how it is given. */
export function announcePending(memory: Memory, name: string, reason: string): string {
  return `waits for your word (${memory.type}): ${cut(memory.description)} - ${reason}; say yes, or run: heed confirm ${name}`;
}

function asWhat(policy: TypePolicy | undefined): string {
  if (policy?.injection === "always") return " as a rule";
  return policy?.needs.includes("confirmation") ? " about you" : "";
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_STATEMENT_CHARS ? line : `${line.slice(0, MAX_STATEMENT_CHARS - 1).trimEnd()}…`;
}

import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Memory } from "../../memory/memory.ts";
import { userQuotationIn } from "../../memory/codec/quotation.ts";
import { plainWords } from "../../memory/plain-words.ts";
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

/** One line that announces what came into force by the user's quoted words: with their sentence, and how it ends. */
export function announceQuoted(card: Memory, policy: TypePolicy | undefined): string {
  const said = userQuotationIn(card.body) ?? "";
  const isSame = plainWords(said) === plainWords(card.description);
  return `kept${asWhat(policy)}: ${card.description}${isSame ? "" : ` - you said: "${said}"`} [${handleOf(card)}]; not so? type: heed forget ${card.name}`;
}

/** One line that says that something needs the user's approval, and how it is given. */
export function announcePending(memory: Memory, code: string, reason: string): string {
  return `needs your approval (${memory.type}): ${cut(memory.description)} - ${reason}; type: heed yes ${code}, or heed no ${code}`;
}

function asWhat(policy: TypePolicy | undefined): string {
  if (policy?.injection === "always") return " as a rule";
  return policy?.needs.includes("confirmation") ? " about you" : "";
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_STATEMENT_CHARS ? line : `${line.slice(0, MAX_STATEMENT_CHARS - 1).trimEnd()}…`;
}

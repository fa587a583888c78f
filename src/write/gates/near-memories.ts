import { isSameText, type GateRefusal, type MemoryDraft, type NearMemory } from "../../memory/memory.ts";
import { handleOf, plainHandle, slugOf, plainWords } from "../../memory/handle.ts";
import { withoutQuotations } from "../../memory/codec/sections.ts";
import type { GateContext, RemovedSibling, Sibling } from "./gate.ts";
import { differenceOf, termsOfStatement } from "../../search/difference.ts";
import { rememberLast } from "../../machine/remember-last.ts";

const SHOWN = 3;
const MAX_BODY_CHARS = 600;

/** Memories, live and removed, that a new statement resembles, the nearest first; not those that it names. */
export function nearMemories(draft: MemoryDraft, context: GateContext): NearMemory[] {
  const { current, siblings, removed } = context;
  if (current?.statement === draft.statement) return [];
  const named = new Set(draft.links?.map(({ to }) => plainHandle(to)));
  const isOther = ({ name }: Sibling | RemovedSibling): boolean => !named.has(name);
  const all: (Sibling | RemovedSibling)[] = [
    ...siblings.filter((other) => isOther(other) && !named.has(other.id)),
    ...removed.filter(isOther),
  ];
  const isNamesake = (other: Sibling | RemovedSibling): boolean =>
    "date" in other && slugOf(other.name) === slugOf(draft.name ?? draft.statement);
  return all
    .map((other) => ({ other, similarity: similarityOf(draft, other) }))
    .filter(({ other, similarity }) => similarity >= NEAR || isNamesake(other))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, SHOWN)
    .map(({ other, similarity }) => ({
      name: other.name,
      statement: other.statement,
      ...(saysMore(other) && { body: other.body.trim().slice(0, MAX_BODY_CHARS) }),
      similarity,
      ...("date" in other && { removed: endOf(other) }),
    }));
}

function saysMore({ statement, body }: { statement: string; body: string }): boolean {
  return plainWords(withoutQuotations(body)) !== plainWords(statement);
}

/** How it ended, and why: what a model or nobody's answer dropped is not laid at the user's door. */
function endOf({ by, date, reason }: RemovedSibling): string {
  const how =
    by === undefined
      ? "removed"
      : by === "person"
        ? "rejected by a person"
        : by === "model"
          ? "rejected by a model"
          : "dropped, as nobody confirmed it";
  return `${how}${date ? ` on ${date.slice(0, 10)}` : ""}: ${reason || "no reason given"}`;
}

/** Refuses what the user rejected before, in the same words, unless they say it again: nobody is asked twice. */
export function refuseRejected(
  draft: MemoryDraft,
  { current, removed }: Pick<GateContext, "current" | "removed">,
): GateRefusal | undefined {
  const saysNew = !current || !isSameText(current, draft);
  const found = removed.find(
    (other) =>
      saysNew &&
      other.by === "person" &&
      other.target === current?.id &&
      isSameStatement(other.statement, draft.statement) &&
      (!current || plainWords(withoutQuotations(other.body)) === plainWords(withoutQuotations(draft.body))),
  );
  return (
    found && {
      gate: "user-word",
      reason: `${current ? `this change of ${handleOf(current)}` : "it"} was ${endOf(found)}`,
      remedy: "it is not proposed again, unless a quote of the user says it now",
    }
  );
}

/** Whether a draft says nothing that a memory of the same statement does not say: the user's words and the reason aside. */
export function repeatsText(
  draft: { statement: string; body: string },
  known: { statement: string; body: string },
): boolean {
  return plainWords(`${known.statement}\n${known.body}`).includes(plainWords(withoutQuotations(draft.body)));
}

/** The same statement but for white space, the first letter's case and a full stop. */
export function isSameStatement(a: string, b: string): boolean {
  return foldStatement(a) === foldStatement(b);
}

export function foldStatement(text: string): string {
  const plain = text
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!]+$/, "");
  return plain.slice(0, 1).toLowerCase() + plain.slice(1);
}

/** Share of common terms from which a memory is near: finds 61 of 64 pairs, and 10 of 875 memories of 35 stores. */
const NEAR: number = 0.4;

/** Fewer terms in common say nothing, whatever their share. */
const MIN_SHARED = 2;

const termsOf = rememberLast(termsOfStatement);

function similarityOf(a: { statement: string }, b: { statement: string }): number {
  if (plainWords(a.statement) === plainWords(b.statement)) return 1;
  const { shared, ofFirst, ofSecond } = differenceOf(termsOf(a.statement), termsOf(b.statement));
  const all = shared.size + ofFirst.size + ofSecond.size;
  return shared.size < MIN_SHARED ? 0 : Math.round((100 * shared.size) / all) / 100;
}

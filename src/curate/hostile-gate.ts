import { findHostile } from "../screening/find-hostile.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import { HOSTILE_WORDS } from "../screening/hostile-pattern.ts";
import type { Sibling, Gate, GateContext, GateAnswer } from "./gate.ts";

/**
 * Holds back text that gives orders to a model: it waits in the inbox until a person releases it. A person's
 * own write is that release.
 */
export const hostileGate: Gate = {
  name: "hostile",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const found = findHostile(
      context.text === undefined ? textOf(draft) : `${textOf(draft)}\n${context.text}`,
    );
    if (found.length === 0) return {};
    const reason = found
      .map(({ kind, words }) => `${HOSTILE_WORDS[kind]}${words === "" ? "" : ` ("${words}")`}`)
      .join("; ");
    if (context.actor.kind === "person") return { warnings: [`it is kept as your word, although ${reason}`] };
    // Nothing was said again: the memory stays released, or quarantined, as it was.
    if (context.current && saysNothingNew(draft, context.current)) return {};
    return { pending: `quarantined: ${reason}` };
  },
};

function saysNothingNew(draft: MemoryDraft, current: Sibling): boolean {
  const isSame = draft.description === current.description && draft.body.trim() === current.body.trim();
  return isSame && findHostile(textOf({ ...draft, description: "", body: "" })).length === 0;
}

/** Whether only a person may release a text. */
export function needsPerson(
  draft: Pick<MemoryDraft, "description" | "body"> & Partial<MemoryDraft>,
): boolean {
  return findHostile(textOf(draft)).length > 0;
}

/** All that a draft would have told. */
function textOf(
  draft: Pick<MemoryDraft, "description" | "body"> &
    Partial<Pick<MemoryDraft, "name" | "tags" | "aliases" | "trigger">>,
): string {
  const { name = "", description, tags = [], aliases = [], trigger = [], body } = draft;
  return [name, description, ...tags, ...aliases, ...trigger, body.trim()].join("\n");
}

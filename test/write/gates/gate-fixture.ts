import type { GateContext, Sibling } from "../../../src/write/gates/gate.ts";
import type { MemoryDraft } from "../../../src/memory/memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";

const types = new TypeTable();

/** Of any type: a gate is asked about what no caller should give, too. */
export type Changes = Partial<Record<keyof MemoryDraft | "guard", unknown>>;

/** A draft that passes every gate, changed as a test needs it. */
export function draftOf(changes: Changes = {}): MemoryDraft {
  return {
    type: "project",
    statement: "the mobile team cuts releases from its own branch",
    body: "Releases of the app are cut from mobile-release, since the store review takes days.",
    tags: ["mobile", "release", "branch"],
    ...(changes as Partial<MemoryDraft>),
  };
}

/** A memory as the gates see the others, of the same draft. */
export function siblingOf(changes: Partial<Sibling> = {}): Sibling {
  const { statement, body, tags = [] } = draftOf();
  return { id: "01", name: "mobile-branch", type: "project", statement, body, tags, ...changes };
}

/** A context in which nothing else is known, for a draft of a type, written by a model on Monday 2026-03-02. */
export function contextOf(type: string, changes: Partial<GateContext> = {}): GateContext {
  return {
    actor: { kind: "model", client: "test" },
    isConfirmed: false,
    types,
    policy: types.get(type),
    today: "2026-03-02",
    current: undefined,
    siblings: [],
    removed: [],
    instructions: [],
    ...changes,
  };
}

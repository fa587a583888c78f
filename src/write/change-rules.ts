import type { ActorKind } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";

interface ChangeRules {
  does: readonly Operation[];
  /**
   * `gated`: passed all gates, and carries the proof. `screened`: made by heed of what is there already, and brings no
   * secret. Absent where nothing is said again.
   */
  words?: "gated" | "screened";
  /** Fields that an amendment may touch; default: all that the gates have seen. */
  fields?: readonly (keyof MemoryAmendment)[];
  /** Files that may be changed, by their paths in the store; default: those of memories. */
  files?: readonly string[];
  /** Who may ask for it; default: anybody. */
  by?: readonly ActorKind[];
}

export type Operation =
  | "create"
  | "amend"
  | "merge"
  | "remove"
  | "restore"
  | "rename"
  | "change-files"
  | "hand-over";

export type ChangeKind =
  | "write"
  | "episode"
  | "repair"
  | "verify"
  | "extract-claims"
  | "guard"
  | "maintenance"
  | "remove"
  | "restore"
  | "rename"
  | "undo"
  | "setting"
  | "sync"
  | "scrub";

/** The rules of every kind of change. What is not said here cannot be done: the one writer asks before it touches a store. */
export const CHANGE_KINDS: Readonly<Record<ChangeKind, ChangeRules>> = {
  // A draft, an edited file, a confirmed proposal, a solution.
  write: { does: ["create", "amend"], words: "gated" },
  // heed's own record of a session.
  episode: {
    does: ["create", "amend"],
    words: "screened",
    fields: ["description", "body", "updated", "salience", "status"],
    by: ["hook"],
  },
  // Names and values that the working tree has now.
  repair: { does: ["amend"], words: "screened", fields: ["description", "body", "claims", "updated"] },
  verify: { does: ["amend"], words: "screened", fields: ["verified", "claims"] },
  "extract-claims": { does: ["amend"], words: "screened", fields: ["claims"] },
  guard: { does: ["amend"], words: "screened", fields: ["guard", "updated"], by: ["person"] },
  // What a duplicate was found by.
  maintenance: { does: ["merge"], words: "screened", fields: ["tags", "trigger", "aliases"], by: ["hook"] },
  remove: { does: ["remove"] },
  restore: { does: ["restore"] },
  rename: { does: ["rename"], words: "screened" },
  // Puts back what the history has.
  undo: { does: ["change-files"] },
  // What only the user may set asks for a person before it comes here.
  setting: { does: ["change-files"], files: ["config.yaml", ".gitignore"], by: ["person", "model"] },
  sync: { does: ["hand-over"], by: ["person"] },
  scrub: { does: ["hand-over"], by: ["person"] },
};

declare const passed: unique symbol;

/** Proof that the gates let these words pass. The one writer asks for it. */
export interface GatePass {
  readonly [passed]: true;
  readonly description: string;
  readonly body: string;
  readonly isWholeText: boolean;
}

/** The proof for a draft that passed, for `checkDraft` alone: `npm run check` fails on other importers of this file. */
export function passOf(draft: { description: string; body: string }, isWholeText: boolean): GatePass {
  return { description: draft.description.trim(), body: draft.body.trim(), isWholeText } as GatePass;
}

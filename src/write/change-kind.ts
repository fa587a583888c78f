import type { ActorKind } from "../memory/memory.ts";
import type { MemoryAmendment } from "../memory/codec/amend-memory.ts";

/** What a change is made for. Its rules stand in CHANGE_KINDS. */
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

/** What the one writer can do to a store. */
export type Operation =
  | "create"
  | "amend"
  | "merge"
  | "remove"
  | "restore"
  | "rename"
  | "change-files"
  | "hand-over";

interface ChangeRules {
  does: readonly Operation[];
  /**
   * `gated`: what is written passed all gates, and carries the proof. `screened`: heed makes it of what is there already,
   * and it must bring no secret. Absent where the operation says nothing again.
   */
  words?: "gated" | "screened";
  /** The fields that an amendment may touch; absent: all that the gates have seen. */
  fields?: readonly (keyof MemoryAmendment)[];
  /** The files that may be changed, by their paths in the store; absent: those of memories. */
  files?: readonly string[];
  /** Who may ask for it; absent: anybody, as far as the operation itself lets them. */
  by?: readonly ActorKind[];
}

/**
 * The rules of every kind of change, in one place. What is not said here cannot be done: the one writer asks this table
 * before it touches a store.
 */
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
  // What is the user's alone to set asks for a person before it comes here.
  setting: {
    does: ["change-files"],
    files: ["config.yaml", ".gitignore"],
    by: ["person", "model"],
  },
  sync: { does: ["hand-over"], by: ["person"] },
  scrub: { does: ["hand-over"], by: ["person"] },
};

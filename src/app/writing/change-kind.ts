import type { ActorKind } from "../../memory/actor.ts";

/** What a change is made for. Its rules stand in CHANGE_KINDS. */
export type ChangeKind =
  | "write"
  | "episode"
  | "repair"
  | "supersede"
  | "verify"
  | "anchor"
  | "guard"
  | "use"
  | "upkeep"
  | "remove"
  | "restore"
  | "rename"
  | "undo"
  | "setting"
  | "sync"
  | "scrub";

/** What holds for a kind of change. */
export interface ChangeRules {
  /**
   * What the text may be. `gated`: it passed all gates, and carries the proof. `screened`: heed makes it of what is there
   * already, and it must bring no secret. `kept`: type, description and text stay as they are. `past`: it stood in the
   * store before, here or on another machine of the user.
   */
  text: "gated" | "screened" | "kept" | "past";
  /** Who may ask for it; absent: anybody, as far as the operation itself lets them. */
  by?: readonly ActorKind[];
}

/**
 * The gates of every kind of change, in one place. A kind that is not here cannot be made: the one writer asks this
 * table before it touches a store.
 */
export const CHANGE_KINDS: Readonly<Record<ChangeKind, ChangeRules>> = {
  // A draft, an edited file, a confirmed proposal, a solution, what upkeep absorbs.
  write: { text: "gated" },
  // heed's own record of a session.
  episode: { text: "screened", by: ["hook"] },
  // Names and values that the working tree has now.
  repair: { text: "screened" },
  // The old wording is kept beside the new one's handle.
  supersede: { text: "screened" },
  verify: { text: "kept" },
  anchor: { text: "kept" },
  guard: { text: "kept", by: ["person"] },
  // A solution that was seen again or helped.
  use: { text: "kept", by: ["hook"] },
  // Salience, confidence, the tags of a merged twin.
  upkeep: { text: "kept", by: ["hook"] },
  remove: { text: "kept" },
  restore: { text: "past" },
  rename: { text: "kept" },
  undo: { text: "past" },
  // A store's own configuration.
  setting: { text: "kept", by: ["person"] },
  sync: { text: "past", by: ["person"] },
  scrub: { text: "past", by: ["person"] },
};

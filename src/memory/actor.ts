import type { Door } from "./door.ts";

/** A person, the model of a session, heed's own hooks, or what was brought in from elsewhere. */
export const ACTOR_KINDS = ["person", "model", "hook", "import"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * Who acts. A person's word (a terminal, a hand edit) confirms what it says; a model's does not.
 * A command line counts as `model` where no person is seen to type: in an agent's shell tool, a script, a build.
 */
export interface Actor {
  kind: ActorKind;
  /** Name of the client, for example `claude-code`. */
  client?: string;
  session?: string;
  /** Of a call made by a subagent: its id. A subagent has no user. */
  agent?: string;
  /** Of a person: the door they came by; default: the terminal. */
  door?: Door;
}

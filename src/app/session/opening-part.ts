import type { ContextPart } from "../../inject/context-parts.ts";
import type { Question } from "../api/inbox.ts";
import type { Decision } from "../api/session-events.ts";
import type { SessionRecord, ToldMemory } from "../records/session-state.ts";
import type { Situation } from "./situation.ts";

/** A fresh context that is about to be filled. */
export interface Opening {
  situation: Situation;
  /** The subagent whose context it is; undefined for the session's main one. */
  agent: string | undefined;
  /** The client, for example `claude-code`. */
  client: string;
  /** The client's session id; empty for a reader that has none. */
  session: string;
  /** What the user can be asked here; empty for a subagent and a reader, which have no user. */
  questions: readonly Question[];
}

/** What a part told, for the session's log and the receipt. */
export interface PartTold {
  decisions: Decision[];
  memories: ToldMemory[];
  /** Further records of the session's log. */
  records?: SessionRecord[];
  /** What is noted once it was told. */
  afterwards?: () => void;
}

/**
 * One kind of thing that a fresh context is told: looks up what there is, and says how much room it takes. Undefined
 * where it has nothing to say. It must render no more than the limit that it is given, and defuse what others wrote.
 */
export type OpeningPart = (opening: Opening) => Promise<ContextPart<PartTold> | undefined>;

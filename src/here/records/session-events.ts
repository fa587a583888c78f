import type { Standing } from "../../freshness/verdict.ts";

/**
 * An event of an agent's session, as every client's hook is translated into it.
 * Text fields are hostile input: bounded when read, never executed.
 */
export type SessionEvent =
  | (SessionEventBase & {
      kind: "session-start";
      source: "startup" | "resume" | "clear" | "compact" | "fork";
    })
  | (SessionEventBase & { kind: "subagent-start"; agentType: string })
  | (SessionEventBase & { kind: "prompt"; prompt: string })
  | (SessionEventBase & {
      kind: "tool-use";
      tool: string;
      input: Record<string, unknown>;
      /** What is missing of an input that was too large: whole entries, or the ends of long texts alone. */
      cut?: "entries" | "text" | undefined;
      /** The client will say how the call ended (`tool-result` or `tool-failure`). Default: false. */
      tellsResult?: boolean;
    })
  /** A call that succeeded. */
  | (SessionEventBase & { kind: "tool-result"; tool: string; input: Record<string, unknown> })
  | (SessionEventBase & { kind: "tool-failure"; tool: string; input: Record<string, unknown>; error: string })
  | (SessionEventBase & {
      kind: "stop";
      lastMessage: string | undefined;
      /** What is answered can send the agent back to work. Default: false. */
      canSendBack?: boolean;
      /** A hook has sent it back in this turn already. Default: false. */
      isContinued?: boolean;
    })
  | (SessionEventBase & { kind: "compaction" })
  | (SessionEventBase & { kind: "session-end"; reason: string });

/** An event with every default filled in. */
export type HeardEvent = SessionEvent & Required<Pick<SessionEvent, "isTyped" | "reach">>;

interface SessionEventBase {
  /** The client's session id. */
  session: string;
  cwd: string;
  /** Set inside a subagent. */
  agentId?: string | undefined;
  transcriptPath?: string | undefined;
  /** The client's permission mode, for example `acceptEdits`, where it says so. */
  permissionMode?: string | undefined;
  /** The client's id of a tool call, where it has one: binds heed's own tools to session and agent. */
  toolUseId?: string | undefined;
  /** The client's version, where it is known. */
  clientVersion?: string | undefined;
  /** The client, for example `claude-code`. */
  client: string;
  /** False where no user sits before it: headless, scheduled, nested, or a prompt from elsewhere. Default `true`. */
  isTyped?: boolean;
  /**
   * When what is answered reaches the model. `none`: never (a decision does), so nothing is told. `late`: the client can tell
   * nothing at a session's start, so a later answer opens its context. Default `now`.
   */
  reach?: "now" | "late" | "none";
}

/** What the guards of rules say to a tool use that is about to happen. */
export interface ToolDecision {
  /** `deny`: it must not happen; `ask`: the user is to be asked first. */
  action: "deny" | "ask";
  /** For the model: the rule, its why, what to do instead, the exception, the handle. */
  reason: string;
}

/** What a surface should tell its client. An empty answer tells it nothing. */
export interface EventAnswer {
  /** Text for the model's context; under 10,000 characters. */
  context?: string | undefined;
  /** One line for the user. */
  notice?: string | undefined;
  /** Absent: the call is allowed as far as heed is concerned. */
  decision?: ToolDecision | undefined;
  /** At the end of a turn: why the agent is to go on, for the model. */
  sendBack?: string | undefined;
  /** Receipt of what was injected. */
  receipt?: string | undefined;
}

/** The form in which a memory was, or was not, told; `map`: its line there; `line`: at a tool use; `guard`: its guard fired on one. */
export type RenderMode = "rule" | "map" | "body" | "passages" | "pointer" | "line" | "guard" | "none";

/** What was decided about one memory on one event, in words and numbers. */
export interface Decision {
  handle: string;
  name: string;
  type: string;
  store: string;
  form: RenderMode;
  /** In words: `above the threshold for a body`, `already shown in this session`, `another repository`. */
  reason: string;
  /** Characters that it took. */
  chars: number;
  /** Rank and score among the candidates; absent for rules. */
  rank?: number;
  score?: number;
  /** 0 to 1: the relevance model's estimate that the memory is relevant to the prompt. */
  probability?: number;
  /** Which guard fired, for form `guard`: the rule as `<store id>:<memory id>`, its place there, what it did. */
  guard?: { rule: string; index: number; action: "deny" | "ask" | "warn" | "let-pass" };
  /** Named terms of score and relevance with their contributions. */
  terms?: Record<string, number>;
  /** How fresh it was: `fresh`, `check` or `stale`, with the evidence in a few words. */
  standing?: Standing;
  verdict?: string;
  /** What was known against it: what moved, changed, or is missing; absent where nothing was. */
  known?: string;
}

/** The record of one injection. */
export interface Receipt {
  id: string;
  time: string;
  session: string;
  kind: SessionEvent["kind"];
  cwd: string;
  /** First 200 characters of the prompt or tool input. */
  about: string;
  chars: number;
  decisions: Decision[];
  /** The deadline cut the work. */
  isCut: boolean;
  elapsedMs: number;
}

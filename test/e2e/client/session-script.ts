import type { MessagesApi, ModelScript } from "../api/messages-api.ts";
import type { ClientEvent, HookOutcome } from "./client-event.ts";
import type { ClientExit } from "./run-client.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Terminal } from "./terminal.ts";

/** A prompt, with what has to happen around it. */
export type Prompt = string | DetailedPrompt;

export interface DetailedPrompt {
  /** A function is asked when it is sent, with what the terminal has shown by then. */
  text: string | ((shown: string) => string);
  before?: () => void | Promise<void>;
  /** In a terminal: pasted in front of what is typed. */
  pasted?: string;
  /** In a terminal, once it is sent: what the user does meanwhile, such as choosing in a box. */
  meanwhile?: (terminal: Terminal) => Promise<void>;
}

/** The ways in which the client asks before a tool runs. */
export type PermissionMode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions" | "auto";

/** One scripted session: what the user says, and what the model answers. */
export interface SessionScript extends ModelScript {
  client: string;
  prompts: readonly Prompt[];
  /**
   * A user sits there: the client runs in a terminal, prompts are typed and dialogs are shown. Without it nobody does
   * (`-p`), which is faster.
   */
  terminal?: boolean | "tmux";
  /** Plugin folders to load for this session. Default: the repository's own plugin. */
  plugins?: readonly string[];
  /**
   * `stream` (the default): one client process that is given all prompts, as an interactive session is.
   * `resume`: one process for each prompt, each resuming the session of the one before.
   */
  mode?: "stream" | "resume";
  /** Default: `dontAsk`, in which what is not allowed is denied. */
  permissionMode?: PermissionMode;
  /** Tools that run without asking. Default: none. */
  allowedTools?: readonly string[];
  /**
   * Whether the client reports its hooks and writes its debug log, which takes it a few milliseconds a prompt. Default:
   * true.
   */
  isWatched?: boolean;
}

/** What the drivers see of a session, each in its own way. */
export interface Seen {
  hooks: HookOutcome[];
  events: ClientEvent[];
  /** What the user was shown: the whole terminal, or the client's events; any white space as one blank. */
  shown: string;
  /** When each prompt was sent, on the clock of `performance.now()`. */
  promptsSentAtMs: number[];
  exits: ClientExit[];
}

/** What a driver needs to start the client. */
export interface Drive {
  sandbox: Sandbox;
  script: SessionScript;
  api: MessagesApi;
  apiSocket: string;
  /** Arguments that both ways of running it share. */
  args: readonly string[];
  timeoutMs: number;
  readDebugLog: () => string;
}

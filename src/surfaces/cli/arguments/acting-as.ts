import type { Actor } from "../../../heed.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables by which agents mark the commands that they run, with the client's name. A person's own settings
 * (`CODEX_HOME`, `CURSOR_TRACE_ID` in Cursor's terminal) are no such mark.
 */
export const AGENT_VARIABLES: readonly (readonly [variable: string, client: string])[] = [
  ["CLAUDECODE", "claude-code"],
  ["CODEX_SANDBOX", "codex"],
  ["CODEX_SANDBOX_NETWORK_DISABLED", "codex"],
  ["CODEX_THREAD_ID", "codex"],
  ["CURSOR_AGENT", "cursor"],
  ["GEMINI_CLI", "gemini-cli"],
  ["OPENCODE", "opencode"],
  ["COPILOT_AGENT", "copilot"],
  ["COPILOT_CLI", "copilot"],
  ["CLINE_ACTIVE", "cline"],
  ["ROO_ACTIVE", "roo-code"],
  ["QWEN_CODE", "qwen-code"],
  ["AUGMENT_AGENT", "augment"],
  ["GOOSE_TERMINAL", "goose"],
  ["JUNIE_DATA", "junie"],
];
/** Variables whose value names the agent. */
const NAMING_VARIABLES: readonly string[] = ["AI_AGENT", "AGENT"];

/** Who types, and by which variable a model was told. */
export interface ActingAs {
  actor: Actor;
  /** The variable that marks an agent's shell; undefined when a person types. */
  variable?: string;
}

/**
 * Who gives this command: a person, or a model through its shell tool. It decides whose word a confirmation is: a
 * model cannot confirm statements about the user by calling the command line.
 */
export function actingAs(env: Environment): ActingAs {
  for (const [variable, client] of AGENT_VARIABLES) {
    if (isSet(env[variable])) return asModel(variable, client, env);
  }
  for (const variable of NAMING_VARIABLES) {
    const value = env[variable];
    if (isSet(value)) return asModel(variable, value.toLowerCase().slice(0, 40), env);
  }
  return { actor: { kind: "person" } };
}

function asModel(variable: string, client: string, env: Environment): ActingAs {
  const session = client === "claude-code" ? env["CLAUDE_CODE_SESSION_ID"] : undefined;
  return { actor: { kind: "model", client, ...(session && { session }) }, variable };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

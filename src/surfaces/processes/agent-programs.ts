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
/** Programs that are agents, by the name of what is run. No editors: people type in their terminals too. */
const NAMES = new Set(
  (
    "claude claude-code codex gemini gemini-cli opencode cursor-agent copilot aider goose amp qwen qwen-code crush droid " +
    "auggie kilo kilocode kimi kimi-cli pi cline openhands plandex junie kiro-cli qchat devin cn letta-code hermes openclaw"
  ).split(" "),
);
/** Packages that an interpreter runs. */
const PACKAGES =
  /[\\/](?:@anthropic-ai[\\/]claude-code|@openai[\\/]codex|@google[\\/]gemini-cli|@github[\\/]copilot|@qwen-code[\\/]qwen-code|opencode-ai|@sourcegraph[\\/]amp|@mariozechner[\\/]pi-coding-agent|@charmland[\\/]crush|@augmentcode[\\/]auggie|@kilocode[\\/]cli|cursor-agent|aider|openhands)(?:[\\/]|$)/i;
/** What runs another program's text: then the next word says what it is. */
const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|php|npx|uvx?|bash|sh|zsh|dash|fish|ksh|pwsh)$/;
/** Make a terminal for a program that nobody sits at. */
const PRETENDERS = new Set("script expect unbuffer faketty empty socat".split(" "));

/** The agent that a command line starts, by its name; undefined for any other program. */
export function agentOf(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words;
  const script = isInterpreter(program) ? rest.find((word) => !word.startsWith("-")) : undefined;
  for (const path of [program, ...(script === undefined ? [] : [script])]) {
    const name = nameOf(path);
    if (NAMES.has(name)) return name;
    const named = PACKAGES.exec(path)?.[0];
    if (named !== undefined) return named.replaceAll(/^[\\/]|[\\/]$/g, "");
  }
  return undefined;
}

/** Whether a program runs another program's text: a shell, a language. */
export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(nameOf(program));
}

/** Whether a program makes a terminal for another one. */
export function isPretender(words: readonly string[]): boolean {
  return PRETENDERS.has(nameOf(words[0] ?? ""));
}

function nameOf(path: string): string {
  // A login shell has a dash before its name.
  return (path.split(/[\\/]/).at(-1) ?? "").replace(/^-/, "").replace(/\.(?:exe|[cm]?js|py)$/i, "");
}

import { readFileSync } from "node:fs";
import { type Environment, findPlaces, settled, SETTLING, TRUST_FILE } from "../machine/places.ts";

/** Set by agents for the commands that they run; a person's own settings (`CODEX_HOME`) are no such mark. */
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

export function isInterpreter(program: string): boolean {
  return INTERPRETERS.test(nameOf(program));
}

export function isPretender(words: readonly string[]): boolean {
  return PRETENDERS.has(nameOf(words[0] ?? ""));
}

function nameOf(path: string): string {
  // A login shell has a dash before its name.
  return baseOf(path)
    .replace(/^-/, "")
    .replace(/\.(?:exe|[cm]?js|py)$/i, "");
}

export interface Ancestor {
  pid: number;
  /** Its command line; empty where it cannot be read. */
  words: readonly string[];
}

/** No person makes a longer chain. */
const MAX_ANCESTORS = 40;
const TIMEOUT_MS = 2000;

/** Processes above this one, the nearest first; undefined on Windows. */
export function processAncestors(
  pid: number = process.ppid,
  platform: NodeJS.Platform = process.platform,
): Ancestor[] | undefined {
  if (platform === "linux") return chainOf(pid, ofKernel);
  if (platform !== "darwin") return undefined;
  const table = processTable();
  return table && chainOf(pid, (each) => table.get(each));
}

/** The environment with which a process began; undefined where the system does not tell. */
export function environmentOf(pid: number): Record<string, string> | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(
      pairs.map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    return undefined;
  }
}

/**
 * The environment with the variables that settle what is trusted, and where heed keeps its state, as the client above
 * began with them: a repository's settings and a model set theirs later. A command that a shell gives another store too
 * has a heed of its own there.
 */
export function settledEnvironment(
  env: Environment,
  isClients: () => boolean,
  ancestors: readonly Ancestor[] = process.platform === "linux" ? (processAncestors() ?? []) : [],
  environment: (pid: number) => Environment | undefined = environmentOf,
): Environment {
  const isAgent = ancestors.map(({ words }) => agentAt(words) !== undefined);
  const first = isAgent.indexOf(true);
  if (first < 0) return env;
  const end = isAgent.indexOf(false, first);
  // A client may be several processes, and have put the settings of a folder into the environment of the later ones.
  const client = environment(ancestors.at(end < 0 ? -1 : end - 1)?.pid ?? 0);
  const outermost = environment(ancestors[isAgent.lastIndexOf(true)]?.pid ?? 0);
  if (client === undefined || outermost === undefined) return env;
  const trusting = settled(env, outermost, [TRUST_FILE]);
  const settling = settled(trusting, client, SETTLING);
  const isOwnStore = (): boolean => storeIn(client) !== storeIn(env);
  return settling !== trusting && !isClients() && isOwnStore() ? trusting : settling;
}

const storeIn = (env: Environment): string | undefined => {
  try {
    return findPlaces(env).userStore;
  } catch {
    return undefined;
  }
};

/** The agent that a process is. A shell is no agent, whatever it runs: what it runs is a process of its own. */
export function agentAt(words: readonly string[]): string | undefined {
  return SHELLS.test(baseOf(words[0] ?? "")) ? undefined : agentOf(words);
}

export const SHELLS: RegExp = /^-?(?:ba|z|da|k|fi)?sh(?:\.exe)?$/;

export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}

type Look = (pid: number) => { parent: number; words: readonly string[] } | undefined;

function chainOf(first: number, look: Look): Ancestor[] {
  const chain: Ancestor[] = [];
  for (let pid = first; pid > 0 && chain.length < MAX_ANCESTORS;) {
    const found = look(pid);
    if (!found) break;
    chain.push({ pid, words: found.words });
    pid = found.parent;
  }
  return chain;
}

function ofKernel(pid: number): ReturnType<Look> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the command's name, which may itself hold blanks and parentheses.
    const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      parent: Number(parent),
      words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean),
    };
  } catch {
    return undefined;
  }
}

function processTable(): Map<number, NonNullable<ReturnType<Look>>> | undefined {
  try {
    // Loading it takes a quarter of Node's own start.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    const lines = execFileSync("/bin/ps", ["-axww", "-o", "pid=,ppid=,command="], {
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      maxBuffer: 32 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return parseProcessTable(lines);
  } catch {
    return undefined;
  }
}

/** What `ps -o pid=,ppid=,command=` prints, by pid. */
export function parseProcessTable(text: string): Map<number, { parent: number; words: readonly string[] }> {
  const table = new Map<number, { parent: number; words: readonly string[] }>();
  for (const line of text.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (match) table.set(Number(match[1]), { parent: Number(match[2]), words: (match[3] ?? "").split(" ") });
  }
  return table;
}

import type { Environment } from "../../machine/places.ts";
import {
  type Ancestor,
  AGENT_VARIABLES,
  agentAt,
  baseOf,
  isInterpreter,
  isPretender,
  environmentOf,
  processAncestors,
  SHELLS,
} from "../processes.ts";

export interface WhoseSession {
  /** The client that started this process itself; undefined where a shell, a script or another agent did. */
  client?: string;
  /** Why nobody types in this session, in words; undefined: a user may sit there. */
  userless?: string;
  /** Settings that the client's command line names: files, folders of plugins, or JSON. */
  settings?: readonly string[];
}

export interface Surroundings {
  env: Environment;
  /** The nearest first; undefined where that cannot be told. */
  ancestors: readonly Ancestor[] | undefined;
  /** The environment with which a process began; undefined where that cannot be told. */
  environmentOf(pid: number): Environment | undefined;
}

/** Run a package's program, some of them over a shell of their own. */
const RUNNERS =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|uv)$|^bun$|[\\/](?:npx-cli|npm-cli|pnpm|pnpx|yarn|bunx)\.c?js$/;
/** heed's own programs, which may have started each other. */
const OWN = /(?:^|[\\/])heed(?:\.cjs|\.cmd)?$/;
/** Editors that are clients themselves; in their terminals a shell is between. */
const EDITORS = /^(?:code|code-insiders|codium|cursor|windsurf|zed|visual)$/i;
const REMOTE_EDITOR = /[\\/]\.(?:vscode|cursor|windsurf)-server(?:-insiders)?[\\/]/;
/** A command of several, or fed from elsewhere: no client registers a hook so, and what a model types often is. */
const COMPOUND = /[|<>;&\n`]|\$\(/;

/** The words by which clients run without a user: flags anywhere, or the first word that is no flag. `pi` is within `copilot`. */
const HEADLESS: readonly (readonly [
  clients: readonly string[],
  flags: readonly string[],
  command: readonly string[],
])[] = [
  [["gemini", "qwen", "copilot"], ["-p", "--prompt"], []],
  [["claude", "cursor-agent", "auggie", "pi"], ["-p", "--print"], []],
  [["kimi"], ["--print"], []],
  [["amp"], ["-x", "--execute"], []],
  [["aider"], ["-m", "--message"], []],
  [["opencode", "kilo", "goose", "crush"], [], ["run"]],
  [["codex"], [], ["exec", "e"]],
  [["droid"], [], ["exec"]],
];

/**
 * Whose session this process serves, by the processes above it. A report or a choice is a user's only where the client
 * itself started heed and a user sits before it: a model can start heed and feed it a prompt that nobody typed.
 *
 * Between client and heed may be a package runner, and for a hook the shell of its one command. A client below another
 * agent is the agent's. Where the processes cannot be seen (Windows) the client's word is taken.
 */
export function whoseSession(
  kind: "hook" | "server",
  around: Surroundings = { env: process.env, ancestors: processAncestors(), environmentOf },
): WhoseSession {
  const { env, ancestors } = around;
  // Claude Code says how it was entered: `cli`, `claude-vscode`; `sdk-cli` of `-p`, `sdk-ts` of a program.
  const isScripted = env["CLAUDE_CODE_ENTRYPOINT"]?.startsWith("sdk") === true;
  const byVariable = isScripted ? { userless: "the client runs without a user" } : {};
  if (ancestors === undefined) return { client: "unknown", ...byVariable };
  const above = withoutWrappers(ancestors, kind);
  const [first] = above;
  const client = first && nameOfClient(first, kind);
  if (first === undefined || client === undefined)
    return {
      userless: `${first?.words[0] ?? "nothing"} (process ${first?.pid ?? 0}) started heed, and is not a client`,
    };
  // A client may be several processes, each started by the one before.
  let own = 1;
  while (own < above.length && isPartOf(client, above[own])) own += 1;
  const outer = above.slice(own).find(({ words }) => agentAt(words) !== undefined || isPretender(words));
  if (outer)
    return {
      client,
      userless: `${agentAt(outer.words) ?? outer.words[0]} (process ${outer.pid}) started ${client}`,
    };
  const begun = around.environmentOf(above[own - 1]?.pid ?? 0) ?? {};
  const mark = AGENT_VARIABLES.find(([name]) => isSet(begun[name]));
  if (mark) return { client, userless: `${client} was started by an agent (${mark[0]} is set)` };
  if (above.slice(0, own).some(({ words }) => isHeadless(words, client)))
    return { client, userless: `${client} runs without a user` };
  const settings = above.slice(0, own).flatMap(({ words }) => settingsIn(words));
  return { client, ...byVariable, ...(settings.length > 0 && { settings }) };
}

/** What `--settings` and `--plugin-dir` of Claude Code were given. */
function settingsIn(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    const [, flag, value] = /^--(settings|plugin-dir)(?:=(.*))?$/s.exec(word) ?? [];
    return flag === undefined ? [] : [value ?? words[i + 1] ?? ""];
  });
}

function withoutWrappers(ancestors: readonly Ancestor[], kind: "hook" | "server"): readonly Ancestor[] {
  let at = 0;
  for (; at < ancestors.length; at++) {
    const { words } = ancestors[at] as Ancestor;
    const next = ancestors[at + 1];
    const isPassed =
      isRunner(words) ||
      (isPlainShell(words) && (kind === "hook" || (next !== undefined && isRunner(next.words))));
    if (!isPassed) break;
  }
  return ancestors.slice(at);
}

function isRunner([program = "", ...rest]: readonly string[]): boolean {
  // npm gives its process a title of one word: "npm exec heed mcp".
  const name = baseOf(program).split(" ")[0] ?? "";
  const script = isInterpreter(program) ? (rest.find((word) => !word.startsWith("-")) ?? "") : "";
  return RUNNERS.test(name) || RUNNERS.test(script) || OWN.test(script) || OWN.test(program);
}

export function isHookOfHeed(words: readonly string[]): boolean {
  const at = words.findIndex((word) => OWN.test(word));
  return at >= 0 && words[at + 1] === "hook" && (at === 0 || isInterpreter(words[0] ?? ""));
}

/** A shell that runs one command and nothing else. */
function isPlainShell([program = "", ...rest]: readonly string[]): boolean {
  if (!SHELLS.test(baseOf(program))) return false;
  const flag = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  return flag >= 0 && !COMPOUND.test(rest.slice(flag + 1).join(" "));
}

/** The client that a process is; of a hook's, any program that is no script: clients are many, and some unknown here. */
function nameOfClient({ pid, words }: Ancestor, kind: "hook" | "server"): string | undefined {
  const agent = agentAt(words);
  if (agent !== undefined) return agent;
  const [program = ""] = words;
  if (EDITORS.test(baseOf(program)) || REMOTE_EDITOR.test(program)) return baseOf(program).toLowerCase();
  // What was left behind belongs to the first process.
  const isScript = program === "" || pid === 1 || isInterpreter(program) || isPretender(words);
  return kind === "server" || isScript ? undefined : baseOf(program);
}

/** Whether a process is one more of the same client: a launcher and what it launches are called alike. */
function isPartOf(client: string, ancestor: Ancestor | undefined): boolean {
  const other = agentAt(ancestor?.words ?? []);
  return other !== undefined && (other.includes(client) || client.includes(other));
}

function isHeadless(words: readonly string[], client: string): boolean {
  const known = HEADLESS.find(([clients]) => clients.some((name) => client.includes(name)));
  const [, flags = [], commands = []] = known ?? [];
  const given = words.slice(isInterpreter(words[0] ?? "") ? 2 : 1);
  const command = given.find((word) => !word.startsWith("-")) ?? "";
  return commands.includes(command) || given.some((word) => flags.includes(word.split("=")[0] ?? ""));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

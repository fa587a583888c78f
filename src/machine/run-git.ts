import type { Environment } from "./places.ts";
import { execFile } from "node:child_process";
import { posix, win32 } from "node:path";
import { HeedError } from "./heed-error.ts";
import { existsSync } from "node:fs";

export interface GitOptions {
  cwd: string;
  /** The environment to take PATH, HOME and the like from. Default: `process.env`. */
  env?: Environment | undefined;
  /** The repository is the one in this very directory; without it git looks upwards as usual. */
  isOwnRepository?: boolean;
  /** The repository's own directory where it is known already: git is not to look for another one. */
  gitDir?: string;
  input?: string | Buffer;
  /** The user's own configuration counts: credentials, ssh, proxies, identity. Default false. */
  withUserConfig?: boolean;
  /** What `gitConfiguration` gave just now for this repository; default: it is read for each command that needs it. */
  configuration?: string;
  /** Exit code 1 answers "no" or "none". Any other but 0 is a failure, never an empty answer. Default false. */
  mayAnswerNo?: boolean;
  indexFile?: string;
  /** Ended after this many milliseconds. Default 20,000; network commands give more. */
  timeoutMs?: number;
  /** Ended when its output or its complaint is longer than this many bytes. Default 64 MB. */
  maxBytes?: number;
}

export interface GitAnswer {
  stdout: string;
  bytes: Buffer;
}

/** `devNull` of node:os, which takes longer to load than its name is worth. */
const NO_FILE = process.platform === "win32" ? "\\\\.\\nul" : "/dev/null";

/** Keep a hostile repository from running anything or changing what heed means. */
const SAFE_SETTINGS: readonly string[] = [
  `core.hooksPath=${NO_FILE}`,
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.autocrlf=false",
  "core.safecrlf=false",
  "core.quotePath=false",
  `core.attributesFile=${NO_FILE}`,
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "push.gpgSign=false",
  "log.showSignature=false",
  "diff.external=",
  "diff.ignoreSubmodules=all",
  "status.submoduleSummary=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=true",
  "protocol.ext.allow=never",
  "credential.interactive=false",
  // A directory in a clone can look like a bare repository, with a configuration that came along.
  "safe.bareRepository=explicit",
];

/** Run no program of a repository. Writing the index would: it compares files through filters. */
const OBJECT_COMMANDS: ReadonlySet<string> = new Set([
  "cat-file",
  "config",
  "diff-index",
  "diff-tree",
  "fast-import",
  "for-each-ref",
  "grep",
  "init",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  "rev-list",
  "rev-parse",
  "update-ref",
]);

/** Commands that talk to another repository. All others fetch nothing, whatever a partial clone may lack. */
const NETWORK_COMMANDS: ReadonlySet<string> = new Set(["fetch", "push"]);

/** A repository whose configuration says more is refused: a real one has a hundredth of it. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** What git left running may hold its output open: this long after its end, in milliseconds, nobody waits for it. */
const LINGER_MS = 2_000;

/** Variables of the caller that a network command may see; any other GIT_ variable could lead git elsewhere. */
const KEPT_VARIABLES = /^GIT_(SSH|SSH_COMMAND|SSL_\w+|PROXY_\w+|CURL_\w+|EXEC_PATH)$/;

/** Runs git bounded, without programs of the repository. @throws HeedError `git-failed` (`isMissing`: no git). */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const command = args[0] ?? "";
  if (OBJECT_COMMANDS.has(command)) return runOnce(args, options, []);
  const configuration = options.configuration ?? (await gitConfiguration(options));
  return runOnce(args, options, refuseNamedPrograms(configuration, command));
}

/** What git takes as its configuration: scope and `key\nvalue`, each ended by NUL. */
export async function gitConfiguration(options: GitOptions): Promise<string> {
  const listing = { ...options, input: "", maxBytes: MAX_CONFIG_BYTES, mayAnswerNo: false };
  return (await runOnce(["config", "--list", "--show-scope", "-z"], listing, [])).stdout;
}

function runOnce(
  args: readonly string[],
  options: GitOptions,
  further: readonly string[],
): Promise<GitAnswer> {
  const { cwd, timeoutMs = 20_000, maxBytes = 64 * 1024 * 1024, mayAnswerNo = false } = options;
  const settings = [...SAFE_SETTINGS, ...further].flatMap((setting) => ["-c", setting]);
  const place = options.isOwnRepository
    ? [`--git-dir=${cwd}/.git`, `--work-tree=${cwd}`]
    : options.gitDir === undefined
      ? []
      : [`--git-dir=${options.gitDir}`];
  const env = environmentFor(options, NETWORK_COMMANDS.has(args[0] ?? ""));
  const git = findGit(env);
  return new Promise((resolve, reject) => {
    if (git === undefined) return reject(failure(args, "missing", ""));
    const timers: NodeJS.Timeout[] = [];
    const withinMs = Math.max(1, Math.ceil(timeoutMs));
    const child = execFile(
      git,
      ["--no-pager", ...settings, ...place, ...args],
      { cwd, env, encoding: "buffer", maxBuffer: maxBytes, timeout: withinMs, windowsHide: true },
      (error, bytes, stderr) => {
        timers.forEach(clearTimeout);
        const { code = null, signal, killed } = error ?? { code: 0 };
        const complaint = stderr.toString("utf8").trim();
        if (code === 0 || (code === 1 && mayAnswerNo)) resolve({ stdout: bytes.toString("utf8"), bytes });
        else if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
          reject(failure(args, null, `wrote more than ${maxBytes} bytes`));
        else if (killed) reject(failure(args, null, `did not end within ${withinMs} ms`));
        else if (typeof code === "string")
          reject(failure(args, code === "ENOENT" ? "missing" : null, error?.message ?? "", error));
        else reject(failure(args, code, complaint || `ended by ${String(signal)}`));
      },
    );
    const hangUp = (): void => {
      child.kill("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    timers.push(setTimeout(hangUp, withinMs + LINGER_MS));
    child.once("exit", () => timers.push(setTimeout(hangUp, LINGER_MS)));
    // Git may end before it has read all of its input; its exit code tells then.
    child.stdin?.on("error", () => undefined).end(options.input ?? "");
  });
}

export function isGitMissing(error: unknown): boolean {
  return error instanceof HeedError && error.code === "git-failed" && error.data["isMissing"] === true;
}

/** @param exitCode `missing`: there is no git to run. */
function failure(
  args: readonly string[],
  exitCode: number | "missing" | null,
  said: string,
  cause?: unknown,
): HeedError {
  const isMissing = exitCode === "missing";
  const stderr = isMissing ? "git is not installed, or not on the PATH" : said.slice(0, 10_000);
  const command = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`.trim();
  const data = { args: [...args], exitCode: isMissing ? null : exitCode, stderr, isMissing };
  return new HeedError("git-failed", `${command} failed: ${stderr.slice(0, 2_000)}`, data, { cause });
}

function environmentFor(options: GitOptions, isNetwork: boolean): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env ?? process.env)) {
    const isKept = !name.startsWith("GIT_") || (options.withUserConfig && KEPT_VARIABLES.test(name));
    if (value !== undefined && isKept) environment[name] = value;
  }
  return {
    ...environment,
    ...absolutePathOf(environment),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...(options.indexFile !== undefined && { GIT_INDEX_FILE: options.indexFile }),
    // Of a partial clone git would get missing objects by a command that the repository's own configuration names.
    ...(isNetwork
      ? { GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh" }
      : { GIT_ALLOW_PROTOCOL: "", GIT_NO_LAZY_FETCH: "1" }),
    ...(!options.withUserConfig && { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: NO_FILE }),
  };
}

/** Search path without relative entries: git runs in others' directories, where `.` would find their programs. */
export function absolutePathOf(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const rules = platform === "win32" ? win32 : posix;
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isSearchPath(name, platform))
      .map(([name, path]) => {
        const entries = path.split(rules.delimiter).filter((entry) => rules.isAbsolute(entry));
        return [name, entries.join(rules.delimiter)];
      }),
  );
}

/** The program to start as git; undefined: none is there. Windows would look into the working directory first. */
export function findGit(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
  isThere: (path: string) => boolean = existsSync,
): string | undefined {
  if (platform !== "win32") return "git";
  const path = Object.entries(env).find(([name]) => isSearchPath(name, platform))?.[1] ?? "";
  const folders = path.split(win32.delimiter).filter((entry) => win32.isAbsolute(entry));
  return folders.map((folder) => win32.join(folder, "git.exe")).find(isThere);
}

function isSearchPath(name: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" ? name.toLowerCase() === "path" : name === "PATH";
}

/** Content filters: switched off one by one, since git knows no switch for all. */
const FILTER = /^filter\.(.+)\.(?:clean|smudge|process|required)$/s;

/** Keys that name a program for the command. An empty value would switch off the user's own too, so the command is refused. */
const REACHES =
  /^(?:core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand)|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs))$/s;
const NAMES_PROGRAM: Readonly<Record<string, RegExp>> = {
  fetch: REACHES,
  push: REACHES,
  gc: /^gc\.recentobjectshook$/,
};

/** Settings that switch off the programs a repository names. @throws HeedError `git-failed` where one cannot be. */
export function refuseNamedPrograms(configuration: string, command: string): string[] {
  const filters = new Set<string>();
  const fields = configuration.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at];
    const key = (fields[at + 1] ?? "").split("\n", 1)[0] ?? "";
    if (scope !== "local" && scope !== "worktree") continue;
    if (NAMES_PROGRAM[command]?.test(key)) throw refusal(command, key);
    const filter = FILTER.exec(key)?.[1];
    if (filter === undefined) continue;
    // `-c` ends the key at its first "=".
    if (/[=\n]/.test(filter)) throw refusal(command, key);
    filters.add(filter);
  }
  return [...filters].flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].map((setting) => `filter.${name}.${setting}`),
  );
}

function refusal(command: string, key: string): HeedError {
  const why = `git ${command} was not run: the repository's own configuration names a program in ${key}`;
  const remedy = "Remove it there; if it is yours, set it with `git config --global`";
  const data = { args: [command], exitCode: null, stderr: "", isMissing: false, key };
  return new HeedError("git-failed", `${why}. ${remedy}`, data);
}

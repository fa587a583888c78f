import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { HeedError } from "../memory/heed-error.ts";
import { systemCode } from "./io-failure.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How to run git. */
export interface GitOptions {
  /** The working directory. */
  cwd: string;
  /** The environment to take PATH, HOME and the like from. Default: `process.env`. */
  env?: Environment;
  /** The repository is the one in this very directory; without it git looks upwards as usual. */
  isOwnRepository?: boolean;
  /** Text for its standard input. */
  input?: string | Buffer;
  /** The user's own configuration counts: credentials, ssh, proxies, identity. Default false. */
  withUserConfig?: boolean;
  /**
   * Nothing may be fetched: of a partial clone git would get missing objects by a command that the repository's own
   * configuration names. For repositories that are not heed's. Default false.
   */
  isOffline?: boolean;
  /** Exit codes that are answers, not failures. Default: 0 alone. */
  okCodes?: readonly number[];
  /** Ended after this many milliseconds. Default 20,000; network commands give more. */
  timeoutMs?: number;
  /** Ended when it writes more than this many bytes. Default 64 MB. */
  maxBytes?: number;
}

export interface GitAnswer {
  stdout: string;
  /** Standard output as it came, for what is not text. */
  bytes: Buffer;
  stderr: string;
  exitCode: number;
}

/**
 * Settings that keep a repository, also a hostile one, from running anything or from changing what heed means:
 * no hooks, no file system monitor, no signing program, no pager, no external diff, no line end conversion.
 */
const SAFE_SETTINGS: readonly string[] = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.autocrlf=false",
  "core.safecrlf=false",
  "core.quotePath=false",
  `core.attributesFile=${devNull}`,
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "push.gpgSign=false",
  "log.showSignature=false",
  "diff.external=",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=true",
  "protocol.ext.allow=never",
  "credential.interactive=false",
];

/** Variables of the caller that a network command may see; any other GIT_ variable could lead git elsewhere. */
const KEPT_VARIABLES = /^GIT_(SSH|SSH_COMMAND|SSL_\w+|PROXY_\w+|CURL_\w+|EXEC_PATH)$/;

/**
 * Runs git by argument vector, with safe settings, bounded in time and output.
 *
 * @throws HeedError `git-failed` when git is missing (data.isMissing), fails, or goes over a bound.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { cwd, timeoutMs = 20_000, maxBytes = 64 * 1024 * 1024, okCodes = [0] } = options;
  const settings = SAFE_SETTINGS.flatMap((setting) => ["-c", setting]);
  const place = options.isOwnRepository ? [`--git-dir=${cwd}/.git`, `--work-tree=${cwd}`] : [];
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["--no-pager", ...settings, ...place, ...args], {
      cwd,
      env: environmentFor(options),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
    let size = 0;
    let complaint = "";
    const end = (why: string): void => {
      complaint ||= why;
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 2_000).unref();
    };
    const timer = setTimeout(() => end(`did not end within ${timeoutMs} ms`), timeoutMs);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) end(`wrote more than ${maxBytes} bytes`);
        else chunks[stream].push(chunk);
      });
    }
    // Git may end before it has read all of its input; its exit code tells then.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.once("error", (error) => {
      clearTimeout(timer);
      const isMissing = systemCode(error) === "ENOENT";
      reject(
        failure(
          args,
          null,
          isMissing ? "git is not installed, or not on the PATH" : String(error),
          isMissing,
          error,
        ),
      );
    });
    child.once("close", (exitCode, signal) => {
      clearTimeout(timer);
      const bytes = Buffer.concat(chunks.stdout);
      const stdout = bytes.toString("utf8");
      const stderr = Buffer.concat(chunks.stderr).toString("utf8");
      if (complaint !== "") reject(failure(args, exitCode, complaint, false));
      else if (exitCode !== null && okCodes.includes(exitCode)) resolve({ stdout, bytes, stderr, exitCode });
      else reject(failure(args, exitCode, stderr.trim() || `ended by ${String(signal)}`, false));
    });
  });
}

/** Whether an error says that git is not there at all. */
export function isGitMissing(error: unknown): boolean {
  return error instanceof HeedError && error.code === "git-failed" && error.data["isMissing"] === true;
}

function failure(
  args: readonly string[],
  exitCode: number | null,
  stderr: string,
  isMissing: boolean,
  cause?: unknown,
): HeedError {
  const command = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`.trim();
  return new HeedError(
    "git-failed",
    `${command} failed: ${stderr.slice(0, 2_000)}`,
    { args: [...args], exitCode, stderr: stderr.slice(0, 10_000), isMissing },
    { cause },
  );
}

function environmentFor(options: GitOptions): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env ?? process.env)) {
    if (
      value !== undefined &&
      (!name.startsWith("GIT_") || (options.withUserConfig && KEPT_VARIABLES.test(name)))
    )
      environment[name] = value;
  }
  return {
    ...environment,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ALLOW_PROTOCOL: options.isOffline ? "" : "file:git:http:https:ssh",
    ...(options.isOffline && {
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_OPTIONAL_LOCKS: "0",
    }),
    ...(!options.withUserConfig && { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull }),
  };
}

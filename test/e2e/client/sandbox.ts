import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { processesOf } from "./sandbox-process.ts";

/** The repository that is under test: npm starts scripts at its root, bundled benchmarks too. */
export const REPOSITORY: string = process.cwd();
/** The plugin as people install it, built. */
export const PLUGIN: string = join(REPOSITORY, "plugin");
/** Plays the person who types: input and output are pipes here. */
const PERSON = join(REPOSITORY, "scripts", "at-a-terminal.cjs");
const HEED_CLI = join(PLUGIN, "dist", "heed.cjs");

interface CliOutcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A machine of its own: a home without history, a repository to work in, and nothing of the real environment. */
export class Sandbox {
  readonly root: string;
  readonly home: string;
  /** A git repository with one commit: the project that the client works on. */
  readonly project: string;
  readonly userStore: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the scripted API is reached from inside. */
  readonly apiAddress: string;

  /** With `client` on the path as `claude`. */
  constructor(client: string, env: Readonly<Record<string, string>> = {}) {
    this.root = mkdtempSync(join(tmpdir(), "heed-e2e-"));
    this.home = join(this.root, "home");
    this.project = join(this.root, "project");
    this.userStore = join(this.home, "memories");
    const temp = join(this.root, "tmp");
    const bin = join(this.root, "bin");
    const apiPort = 20_000 + Math.floor(Math.random() * 10_000);
    this.apiAddress = `http://127.0.0.1:${apiPort}`;
    for (const dir of [this.home, this.project, temp, bin]) mkdirSync(dir);
    symlinkSync(client, join(bin, "claude"));
    this.env = {
      PATH: [bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: this.home,
      TMPDIR: temp,
      SHELL: "/bin/sh",
      TERM: "xterm",
      LANG: "C.UTF-8",
      XDG_DATA_HOME: join(this.home, ".local", "share"),
      XDG_STATE_HOME: join(this.home, ".local", "state"),
      XDG_CACHE_HOME: join(this.home, ".cache"),
      XDG_CONFIG_HOME: join(this.home, ".config"),
      GIT_CONFIG_NOSYSTEM: "1",
      HEED_DIR: this.userStore,
      HEED_E2E_API_PORT: String(apiPort),
      ANTHROPIC_API_KEY: "sk-ant-not-a-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      // Root may run it in every permission mode only so.
      IS_SANDBOX: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
      // The machine may be busy: how fast claims are checked is not what scenarios show.
      HEED_RECHECK_MS: "5000",
      ...env,
    };
    this.write("README.md", "# A project\n");
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("add", ".");
    this.git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "--message=Start");
  }

  /** Runs git in the project and gives its output; throws when it fails. */
  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.project, env: this.env, encoding: "utf8" });
  }

  write(path: string, text: string): string {
    const file = path.startsWith("/") ? path : join(this.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Runs the built `heed` in the project, as a person in a terminal would, by words or a line; throws when it fails. */
  async heed(...args: string[]): Promise<CliOutcome> {
    const outcome = await this.tryHeed(...args);
    if (outcome.exitCode !== 0) {
      throw new Error(
        `heed ${args.join(" ")} ended with ${outcome.exitCode}\n${outcome.stdout}${outcome.stderr}`,
      );
    }
    return outcome;
  }

  /** Like `heed`, for commands that may fail. */
  async tryHeed(...args: string[]): Promise<CliOutcome> {
    const [line = ""] = args;
    const parts = line.match(/(?:[^\s']|'[^']*')+/g) ?? [];
    const words = args.length > 1 ? args : parts.map((word) => word.replaceAll("'", ""));
    return new Promise((resolve) => {
      const options = { cwd: this.project, env: this.env, timeout: 30_000, encoding: "utf8" as const };
      const child = execFile(
        process.execPath,
        ["--require", PERSON, HEED_CLI, ...words],
        options,
        (error, stdout, stderr) =>
          resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
      child.stdin?.end();
    });
  }

  remove(): void {
    for (const { pid } of processesOf(this.home)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself in between.
      }
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

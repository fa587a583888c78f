import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asRecord } from "../../machine/read-fields.ts";
import type { Model, ModelAnswer, ModelBounds, ModelQuestion } from "./model.ts";
import { estimatedUsage, reportedUsage } from "./model.ts";
import type { ModelConfig } from "./model-config.ts";
import { failed } from "./post-json.ts";

/** The client's report is a few kilobytes. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** No tools, no settings (and so no plugins and hooks, heed's own included), no MCP servers, no session file. */
const ARGUMENTS: readonly string[] = [
  "-p",
  "--output-format",
  "json",
  "--tools",
  "",
  "--setting-sources",
  "",
  "--settings",
  '{"disableAllHooks":true}',
  "--strict-mcp-config",
  "--disable-slash-commands",
  "--no-session-persistence",
  "--max-turns",
  "1",
];

/** Marks of the session that heed's server runs in: the client must not take itself for a part of it. */
const OWN_SESSION =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_\w+|ENTRYPOINT|CHILD_SESSION|SSE_PORT))$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The headless Claude Code client as a model, with the login that the user has there. */
export class ClaudeCodeModel implements Model {
  readonly name: string;
  readonly #config: ModelConfig;
  readonly #env: Environment;

  constructor(config: ModelConfig, env: Environment) {
    this.name = `${config.provider} ${config.model}`;
    this.#config = config;
    this.#env = env;
  }

  async ask(question: ModelQuestion, { deadlineMs, signal }: ModelBounds): Promise<ModelAnswer> {
    const { command, model } = this.#config;
    // A directory of its own: the client reads the instructions and settings of its directory.
    const cwd = await mkdtemp(join(tmpdir(), "heed-model-"));
    try {
      const output = await run(
        command,
        [...ARGUMENTS, "--model", model, "--system-prompt", question.system],
        {
          cwd,
          env: childEnvironment(this.#env),
          input: question.user,
          deadlineMs,
          signal,
        },
      );
      if (typeof output !== "string") return output;
      return readReport(output, (answer) => estimatedUsage(question, answer));
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }
}

/** `HEED_MODE=off`: should a hook of heed's run all the same, it does and captures nothing. */
function childEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OWN_SESSION.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    HEED_MODE: "off",
    HEED_LEARN: "off",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

function readReport(
  output: string,
  estimate: (answer: string) => ReturnType<typeof estimatedUsage>,
): ModelAnswer {
  let report: Record<string, unknown> | undefined;
  try {
    report = asRecord(JSON.parse(output));
  } catch {
    report = undefined;
  }
  if (report?.["type"] !== "result") return failed("nonsense", "the client's report is no JSON result");
  const answer = typeof report["result"] === "string" ? report["result"] : "";
  const counts = asRecord(report["usage"]) ?? {};
  const inputs = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(
    (name) => counts[name] ?? 0,
  );
  const input = inputs.reduce<number>((sum, count) => sum + Number(count), 0);
  const usage = reportedUsage(input, counts["output_tokens"]) ?? estimate(answer);
  if (report["is_error"] !== false) return { ...failed("refused", "the client reports an error"), usage };
  return { kind: "answered", text: answer, usage };
}

interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  input: string;
  deadlineMs: number;
  signal: AbortSignal | undefined;
}

/** Runs a program to its end, or to the deadline, when it and what it started are killed; gives its output. */
function run(command: string, args: readonly string[], options: RunOptions): Promise<string | ModelAnswer> {
  const { cwd, env, input, deadlineMs, signal } = options;
  return new Promise((resolve) => {
    const isGroup = process.platform !== "win32";
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "ignore"],
      detached: isGroup,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (outcome: string | ModelAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      if (typeof outcome !== "string") kill();
      resolve(outcome);
    };
    const kill = (): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It ended by itself.
      }
    };
    const abort = (): void => end(failed("timeout", "ended before it answered"));
    const timer = setTimeout(() => end(failed("timeout", `no answer within ${deadlineMs} ms`)), deadlineMs);
    signal?.addEventListener("abort", abort);
    child.on("error", (error: NodeJS.ErrnoException) =>
      end(failed("unreachable", `the command does not start (${error.code ?? "error"})`)),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES)
        end(failed("oversized", `a report of more than ${MAX_OUTPUT_BYTES} bytes`));
      else chunks.push(chunk);
    });
    child.on("close", (code) => {
      const output = Buffer.concat(chunks).toString("utf8");
      // An error of the API comes as a report and an exit code together.
      end(code === 0 || output.trimStart().startsWith("{") ? output : failed("refused", `exit code ${code}`));
    });
    if (signal?.aborted === true) abort();
  });
}

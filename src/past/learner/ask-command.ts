import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A model's answer is a few kilobytes. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Marks of the session that heed's server runs in: the command must not take itself for a part of it. */
const OWN_SESSION =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_\w+|ENTRYPOINT|CHILD_SESSION|SSE_PORT))$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a command printed, or why nothing. `failure` holds no word of its output, which is hostile input. */
type CommandAnswer = { text: string } | { failure: string };

/** Runs a command line in an empty directory with `input` on stdin; gives its stdout. Never rejects. */
export async function askCommand(
  command: string,
  input: string,
  env: Environment,
  deadlineMs: number,
): Promise<CommandAnswer> {
  // An agent's client reads the instructions of its directory.
  const cwd = await mkdtemp(join(tmpdir(), "heed-model-"));
  try {
    return await run(command, input, { cwd, env, deadlineMs });
  } finally {
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** `HEED_MODE=off`: a hook of heed that runs all the same captures nothing. */
function childEnvironment(env: Environment): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !OWN_SESSION.test(name));
  return {
    ...Object.fromEntries(kept),
    HEED_MODE: "off",
    HEED_LEARN: "off",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

/** At the deadline it is killed with all that it started. */
function run(
  command: string,
  input: string,
  { cwd, env, deadlineMs }: { cwd: string; env: Environment; deadlineMs: number },
): Promise<CommandAnswer> {
  return new Promise((resolve) => {
    const isGroup = process.platform !== "win32";
    const child = spawn(command, {
      shell: true,
      cwd,
      env: childEnvironment(env),
      stdio: ["pipe", "pipe", "ignore"],
      detached: isGroup,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (answer: CommandAnswer): void => {
      clearTimeout(timer);
      if ("failure" in answer) kill();
      resolve(answer);
    };
    const kill = (): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It ended by itself.
      }
    };
    const late = (): void => end({ failure: `no answer within ${deadlineMs} ms` });
    const timer = setTimeout(late, deadlineMs);
    child.on("error", (error: NodeJS.ErrnoException) =>
      end({ failure: `the command does not start (${error.code ?? "error"})` }),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) end({ failure: `an answer of more than ${MAX_OUTPUT_BYTES} bytes` });
      else chunks.push(chunk);
    });
    child.on("close", (code) =>
      end(code === 0 ? { text: Buffer.concat(chunks).toString("utf8") } : { failure: `exit code ${code}` }),
    );
  });
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A model's answer is a few kilobytes. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Marks of the session that heed's server runs in: the command must not take itself for a part of it. */
const OWN_SESSION =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_\w+|ENTRYPOINT|CHILD_SESSION|SSE_PORT))$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a command line prints when it reads `input` in an empty directory; at the deadline it is killed with all that it
 * started. Rejects with a reason that holds no word of its output, which is hostile input.
 */
export async function askCommand(
  command: string,
  input: string,
  env: Environment,
  deadlineMs: number,
): Promise<string> {
  // An agent's client reads the instructions of its directory.
  const cwd = await mkdtemp(join(tmpdir(), "heed-model-"));
  const isGroup = process.platform !== "win32";
  const child = spawn(command, {
    shell: true,
    cwd,
    env: childEnvironment(env),
    stdio: ["pipe", "pipe", "ignore"],
    detached: isGroup,
    windowsHide: true,
  });
  const answered = new AbortController();
  const late = sleep(deadlineMs, undefined, answered).then((): never => {
    throw new Error(`no answer within ${deadlineMs} ms`);
  });
  try {
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [text] = await Promise.race([Promise.all([textOf(child.stdout), once(child, "close")]), late]);
    if (child.exitCode !== 0) throw new Error(`exit code ${child.exitCode}`);
    return text;
  } catch (error) {
    child.stdout.destroy();
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It ended by itself.
    }
    throw error;
  } finally {
    answered.abort();
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function textOf(output: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of output) {
    size += chunk.length;
    if (size > MAX_OUTPUT_BYTES) throw new Error(`an answer of more than ${MAX_OUTPUT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
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

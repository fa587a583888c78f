import { spawn } from "node:child_process";
import { join } from "node:path";

const SCREEN = join(import.meta.dirname, "../../../scripts/at-a-screen.cjs");

/** What a person at a screen read, and how it ended. */
export interface Read {
  exitCode: number | null;
  text: string;
}

/**
 * Runs a program of heed's as a person at a screen who gives each question its answer, and the last one to all that follow,
 * then Enter; output and errors come as one text.
 */
export function atScreen(
  program: string,
  words: readonly string[],
  {
    answer = "",
    env,
    cwd,
  }: { answer?: string | readonly string[]; env: Readonly<Record<string, string>>; cwd: string },
): Promise<Read> {
  return new Promise((resolve, reject) => {
    const seated = { NODE_OPTIONS: `--require ${SCREEN}`, TERM: "dumb", NO_COLOR: "1" };
    const child = spawn(program, words, { cwd, env: { ...env, ...seated } });
    const answers = [answer].flat();
    let text = "";
    const onData = (part: string): void => {
      text += part;
      if (/\[[YyNn]\/[^\]]*\] $/.test(part))
        child.stdin.write(`${(answers.length > 1 ? answers.shift() : answers[0]) ?? ""}\n`);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onData);
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, text }));
  });
}

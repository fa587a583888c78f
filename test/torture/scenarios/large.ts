import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Scenario, ScenarioResult } from "../scenario.ts";
import { inHome } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";

const FILES = 100_000;
const TRANSCRIPT_BYTES = 500 * 1024 * 1024;
const LINE_BYTES = 200 * 1024 * 1024;
const MB = 1024 * 1024;

/** What one step may take. */
interface Bound {
  seconds: number;
  megabytes: number;
}

/** Stores and transcripts of a size that nobody has: each step ends in bounded time and memory. Only with `--large`. */
export const LARGE: readonly Scenario[] = [
  {
    name: "large store",
    run: () =>
      onLarge(async (home, result) => {
        const folder = join(home.userStore, "reference");
        mkdirSync(folder, { recursive: true });
        for (let i = 0; i < FILES; i++)
          writeFileSync(
            join(folder, `page-${i}.md`),
            `---\nname: page-${i}\ndescription: the page ${i} of the ${i % 97} team about topic${i % 1009}\nmetadata: { type: reference }\n---\nhttps://wiki.example.org/${i}\n`,
          );
        await step(home, result, "reindex", ["doctor", "--reindex"], { seconds: 240, megabytes: 2000 });
        await step(home, result, "search", ["search", "topic17"], { seconds: 30, megabytes: 900 });
        await step(
          home,
          result,
          "prompt",
          ["hook"],
          { seconds: 10, megabytes: 900 },
          hook(home, "UserPromptSubmit"),
        );
        await step(
          home,
          result,
          "start",
          ["hook"],
          { seconds: 10, megabytes: 900 },
          hook(home, "SessionStart"),
        );
        await step(home, result, "check", ["check"], { seconds: 240, megabytes: 2000 }, "", [0, 1]);
      }),
  },
  {
    name: "large transcript",
    run: () =>
      onLarge((home, result) =>
        capture(home, result, (file) => {
          // As in long sessions: a turn of the user in fifty records, the rest what tools gave.
          const lines = Array.from({ length: 1000 }, (_, i) =>
            i % 50 === 0 ? line(i, "words of a turn ".repeat(60)) : resultLine(i),
          ).join("");
          for (let size = 0; size < TRANSCRIPT_BYTES; size += lines.length) writeSync(file, lines);
        }),
      ),
  },
  {
    name: "large talk",
    run: () =>
      onLarge((home, result) =>
        capture(home, result, (file) => {
          // Nothing but what a user typed, which costs most.
          const lines = Array.from({ length: 1000 }, (_, i) => line(i, "words of a turn ".repeat(60))).join(
            "",
          );
          for (let size = 0; size < TRANSCRIPT_BYTES; size += lines.length) writeSync(file, lines);
        }),
      ),
  },
  {
    name: "large line",
    run: () =>
      onLarge((home, result) =>
        capture(home, result, (file) => {
          writeSync(file, line(0, "before"));
          writeSync(file, '{"type":"user","message":{"role":"user","content":"');
          const part = "x".repeat(MB);
          for (let size = 0; size < LINE_BYTES; size += MB) writeSync(file, part);
          writeSync(file, '"}}\n');
          writeSync(file, line(1, "from now on always run the tests first"));
        }),
      ),
  },
];

function onLarge(
  task: (home: TortureHome, result: ScenarioResult) => Promise<void>,
): Promise<ScenarioResult> {
  return inHome(task, { isLookedOver: false });
}

async function capture(
  home: TortureHome,
  result: ScenarioResult,
  write: (file: number) => void,
): Promise<void> {
  const folder = join(home.folder, "transcripts");
  mkdirSync(folder);
  const transcript = join(folder, "large.jsonl");
  const file = openSync(transcript, "w");
  write(file);
  closeSync(file);
  const bound = { seconds: 10, megabytes: 500 };
  await step(home, result, "prompt", ["hook"], bound, hook(home, "UserPromptSubmit", transcript));
  await step(home, result, "end", ["hook"], bound, hook(home, "SessionEnd", transcript));
  // Reads as the hooks' capture does, which works by itself behind the last step.
  await step(home, result, "backfill", ["capture", "--backfill", folder, "--apply"], {
    seconds: 120,
    megabytes: 800,
  });
}

function line(i: number, text: string): string {
  return `${JSON.stringify({ type: "user", uuid: `u${i}`, sessionId: "large", timestamp: "2026-11-22T10:00:00Z", message: { role: "user", content: `${text} ${i}` } })}\n`;
}

function resultLine(i: number): string {
  const content = [{ type: "tool_result", tool_use_id: `t${i}`, content: "what a tool printed ".repeat(50) }];
  return `${JSON.stringify({ type: "user", uuid: `u${i}`, sessionId: "large", timestamp: "2026-11-22T10:00:00Z", message: { role: "user", content } })}\n`;
}

function hook(home: TortureHome, event: string, transcript = ""): string {
  return JSON.stringify({
    hook_event_name: event,
    session_id: "large",
    cwd: home.project,
    transcript_path: transcript,
    source: "startup",
    reason: "exit",
    prompt: "where is the page about topic17 of the 3 team?",
  });
}

/** Runs heed as its users do, and takes its time and the memory that it had at most. */
async function step(
  home: TortureHome,
  result: ScenarioResult,
  name: string,
  args: readonly string[],
  bound: Bound,
  input = "",
  exits: readonly number[] = [0],
): Promise<void> {
  const meter = join(home.folder, "meter.cjs");
  writeFileSync(
    meter,
    'process.on("exit",()=>process.stderr.write(`\\nRSS ${process.resourceUsage().maxRSS}\\n`));',
  );
  const heed = join(process.env["HEED_SOURCES"] ?? process.cwd(), "plugin", "dist", "heed.cjs");
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--require", meter, heed, ...args], {
    cwd: home.project,
    env: home.env,
    timeout: bound.seconds * 3000,
  });
  let stderr = "";
  child.stdout.resume();
  child.stderr.on("data", (data: Buffer) => (stderr = (stderr + data.toString()).slice(-5000)));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const exit = await new Promise((resolve) => child.on("close", resolve));
  const seconds = (performance.now() - startedAt) / 1000;
  const megabytes = Number(/RSS (\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1024;
  result.operations += 1;
  console.error(`    ${name}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
  if (!exits.includes(exit as number))
    result.faults.push(`${name}: ended with ${String(exit)}: ${stderr.slice(0, 300)}`);
  if (seconds > bound.seconds)
    result.faults.push(`${name}: took ${seconds.toFixed(1)} s of ${bound.seconds}`);
  if (!(megabytes <= bound.megabytes))
    result.faults.push(`${name}: took ${megabytes.toFixed(0)} MB of ${bound.megabytes}`);
}

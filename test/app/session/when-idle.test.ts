import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import type { Heed, SessionEvent } from "../../../src/heed.ts";
import type { SessionWriter } from "../learning/session-writer.ts";
import { TemporaryHeed } from "../temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-0000000000aa";

const home = TemporaryHeed.forEachTest({ HEED_IDLE_SECONDS: "3" });
let started: string;
let program: string;
let session: SessionWriter;

beforeEach(() => {
  started = join(home.home, "started.txt");
  program = home.write(
    join(home.home, "program.cjs"),
    `require("fs").appendFileSync(${JSON.stringify(started)}, process.argv.slice(2).join(" ") + "\\n");`,
  );
  session = home.transcript(SESSION).user("Please add retries to the upload client");
});

const runs = (): string[] =>
  existsSync(started) ? readFileSync(started, "utf8").split("\n").slice(0, -1) : [];
const waitingJobs = (): string[] => readdirSync(join(home.state, "capture", "queue"));

function open(isResident: boolean): Heed {
  return openHeed({ cwd: home.project, env: home.env, isResident, program });
}

type Part = SessionEvent extends infer Event
  ? Event extends SessionEvent
    ? Omit<Event, "session" | "cwd" | "client">
    : never
  : never;
async function send(heed: Heed, part: Part): Promise<void> {
  const base = { session: SESSION, cwd: home.project, client: "test", transcriptPath: session.file };
  await heed.session.answer({ ...base, ...part }, { deadlineMs: 15_000 });
  await new Promise((resolve) => setImmediate(resolve));
}
const stop: Part = { kind: "stop", lastMessage: undefined };

test("a process that stays starts nothing at a stop, and nothing when a prompt follows", async () => {
  const heed = open(true);
  await send(heed, stop);
  expect(runs()).toEqual([]);
  expect(waitingJobs()).toHaveLength(1);
  await send(heed, { kind: "prompt", prompt: "go on" });
  await sleep(3500);
  expect(runs()).toEqual([]);
  await send(heed, stop);
  await expect.poll(runs, { timeout: 20_000 }).toEqual(["capture --quiet"]);
  await heed.close();
});

test("a prompt in another session of the machine puts it off as well", async () => {
  const [heed, other] = [open(true), open(true)];
  await send(heed, stop);
  for (let i = 0; i < 8; i++) {
    await sleep(500);
    await send(other, { kind: "prompt", prompt: "what about this" });
    expect(runs()).toEqual([]);
  }
  await expect.poll(runs, { timeout: 20_000 }).toEqual(["capture --quiet"]);
});

test("processes that end have one other waiting for all of them", async () => {
  for (let i = 0; i < 3; i++) await send(open(false), stop);
  expect(runs()).toEqual([]);
  await expect.poll(runs, { timeout: 20_000 }).toEqual(["capture --quiet --when-idle"]);
  await sleep(500);
  expect(runs()).toHaveLength(1);
});

test("a session that has ended is captured at once", async () => {
  await send(open(false), { kind: "session-end", reason: "other" });
  await expect.poll(runs, { timeout: 20_000 }).toEqual(["capture --quiet"]);
});

test("a run that waits begins when it is quiet, and no sooner", async () => {
  const heed = open(false);
  await send(heed, { kind: "prompt", prompt: "go on" });
  await send(heed, stop);
  const begin = Date.now();
  const { sessions } = await heed.learning.capture({ isInBackground: true, waitsForIdle: true });
  expect(Date.now() - begin).toBeGreaterThan(1500);
  expect(sessions.map((captured) => captured.session)).toEqual([SESSION]);
});

test("a run in the background stops at a prompt, keeps how far it read, and the next one goes on", async () => {
  const long = "a long answer of the agent, said again and again; ".repeat(4000);
  for (let i = 0; i < 100; i++) session.says(`${i} ${long}`);
  session.user("Never mock the clock in these tests, because it hid a bug.").says("Understood.");
  const heed = open(false);
  await send(heed, { kind: "session-end", reason: "other" });
  // A prompt that comes right after the beginning: its time lies ahead of the run's.
  const lastPrompt = join(home.state, "capture", "last-prompt");
  const { utimesSync } = await import("node:fs");
  writeFileSync(lastPrompt, "");
  const ahead = new Date(Date.now() + 60_000);
  utimesSync(lastPrompt, ahead, ahead);
  expect((await heed.learning.capture({ isInBackground: true })).sessions).toEqual([]);
  expect(waitingJobs()).toHaveLength(1);
  const { sessions } = await heed.learning.capture();
  expect(sessions.map((captured) => captured.session)).toEqual([SESSION]);
  expect(waitingJobs()).toEqual([]);
});

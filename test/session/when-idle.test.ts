import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openHeed } from "../../src/heed.ts";
import type { Heed } from "../../src/heed.ts";
import type { SessionWriter } from "../past/session-writer.ts";
import { type EventPart, TemporaryHeed } from "../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-0000000000aa";

/** A home in which a program that is started writes down its words; tests that do nothing but wait go on side by side. */
class IdleHome {
  readonly place = new TemporaryHeed({ HEED_IDLE_SECONDS: "3" });
  readonly session: SessionWriter;
  readonly #started = join(this.place.home, "started.txt");
  readonly #program: string;

  constructor(onTestFinished: (run: () => Promise<void>) => void) {
    onTestFinished(() => this.place.remove());
    this.#program = this.place.write(
      join(this.place.home, "program.cjs"),
      `require("fs").appendFileSync(${JSON.stringify(this.#started)}, process.argv.slice(2).join(" ") + "\\n");`,
    );
    this.session = this.place.transcript(SESSION).user("Please add retries to the upload client");
  }

  runs(): string[] {
    return existsSync(this.#started) ? readFileSync(this.#started, "utf8").split("\n").slice(0, -1) : [];
  }

  waitingJobs(): string[] {
    return readdirSync(join(this.place.state, "capture", "queue"));
  }

  open(isResident: boolean): Heed {
    const { project: cwd, env } = this.place;
    return openHeed({ cwd, env, isResident, program: this.#program });
  }

  async send(heed: Heed, part: EventPart): Promise<void> {
    await this.place.event({ session: SESSION, transcriptPath: this.session.file, ...part }, heed);
  }
}

const stop: EventPart = { kind: "stop", lastMessage: undefined };

test("a session that has ended is captured at once", async ({ onTestFinished }) => {
  const home = new IdleHome(onTestFinished);
  await home.send(home.open(false), { kind: "session-end", reason: "other" });
  await expect.poll(() => home.runs()).toEqual(["capture --quiet"]);
});

test("a run in the background stops at a prompt, keeps how far it read, and the next one goes on", async ({
  expect,
  onTestFinished,
}) => {
  const home = new IdleHome(onTestFinished);
  const long = "a long answer of the agent, said again and again; ".repeat(4000);
  for (let i = 0; i < 100; i++) home.session.says(`${i} ${long}`);
  home.session.user("Never mock the clock in these tests, because it hid a bug.").says("Understood.");
  const heed = home.open(false);
  await home.send(heed, { kind: "session-end", reason: "other" });
  // A prompt that comes right after the beginning: its time lies ahead of the run's.
  const lastPrompt = join(home.place.state, "capture", "last-prompt");
  writeFileSync(lastPrompt, "");
  const ahead = new Date(Date.now() + 60_000);
  utimesSync(lastPrompt, ahead, ahead);
  expect((await heed.learning.capture({ isInBackground: true })).sessions).toEqual([]);
  expect(home.waitingJobs()).toHaveLength(1);
  const { sessions } = await heed.learning.capture();
  expect(sessions.map((captured) => captured.session)).toEqual([SESSION]);
  expect(home.waitingJobs()).toEqual([]);
});

test.concurrent("a process that stays starts nothing at a stop, and nothing when a prompt follows", async ({
  expect,
  onTestFinished,
}) => {
  const home = new IdleHome(onTestFinished);
  const heed = home.open(true);
  await home.send(heed, stop);
  expect(home.runs()).toEqual([]);
  expect(home.waitingJobs()).toHaveLength(1);
  await home.send(heed, { kind: "prompt", prompt: "go on" });
  await sleep(3500);
  expect(home.runs()).toEqual([]);
  await home.send(heed, stop);
  await expect.poll(() => home.runs()).toEqual(["capture --quiet"]);
  await heed.close();
});

test.concurrent("a prompt in another session of the machine puts it off as well", async ({
  expect,
  onTestFinished,
}) => {
  const home = new IdleHome(onTestFinished);
  const [heed, other] = [home.open(true), home.open(true)];
  await home.send(heed, stop);
  for (let i = 0, sentAt = Date.now(); i < 8; i++) {
    await sleep(500);
    await home.send(other, { kind: "prompt", prompt: "what about this" });
    // Where the machine stood still for longer than the pause, it rightly ran.
    if (Date.now() - sentAt < 2_500) expect(home.runs()).toEqual([]);
    sentAt = Date.now();
  }
  await expect.poll(() => home.runs()).toEqual(["capture --quiet"]);
});

test.concurrent("processes that end have one other waiting for all of them", async ({
  expect,
  onTestFinished,
}) => {
  const home = new IdleHome(onTestFinished);
  for (let i = 0; i < 3; i++) await home.send(home.open(false), stop);
  expect(home.runs()).toEqual([]);
  await expect.poll(() => home.runs()).toEqual(["capture --quiet --when-idle"]);
  await sleep(500);
  expect(home.runs()).toHaveLength(1);
});

test.concurrent("a run that waits begins when it is quiet, and no sooner", async ({
  expect,
  onTestFinished,
}) => {
  const home = new IdleHome(onTestFinished);
  const heed = home.open(false);
  await home.send(heed, { kind: "prompt", prompt: "go on" });
  await home.send(heed, stop);
  const begin = Date.now();
  const { sessions } = await heed.learning.capture({ isInBackground: true, waitsForIdle: true });
  expect(Date.now() - begin).toBeGreaterThan(1500);
  expect(sessions.map((captured) => captured.session)).toEqual([SESSION]);
});

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Machine } from "./cli/run-heed.ts";

const HEED = resolve(import.meta.dirname, "../../plugin/dist/heed.cjs");

describe("what is no regular file holds nothing up", () => {
  const machine = new Machine();
  const pipe = join(machine.home, "pipe");

  beforeAll(async () => {
    execFileSync("git", ["init", "-q"], { cwd: machine.work });
    execFileSync("mkfifo", [pipe]);
    await machine.run("init");
    await machine.run("init --project");
  });
  afterAll(() => machine.remove());

  test("a transcript that is a pipe: it is told, and the lock is free again", async () => {
    const stop = { hook_event_name: "Stop", session_id: "s1", cwd: machine.work, transcript_path: pipe };
    await machine.run("hook", { input: JSON.stringify(stop) });
    const { value } = await machine.json("capture");
    // The hook's own run may have taken it already.
    expect(value).toMatchObject({ isLeftToOther: false });
    await expect.poll(() => existsSync(join(machine.home, ".local/state/heed/capture/lock"))).toBe(false);
  });

  test("records of heed's own that are pipes: the hook answers all the same", async () => {
    const state = join(machine.home, ".local/state/heed");
    for (const record of ["heed.log", "sessions/s2.jsonl", "capture/last-prompt"]) {
      mkdirSync(join(state, record, ".."), { recursive: true });
      rmSync(join(state, record), { force: true });
      execFileSync("mkfifo", [join(state, record)]);
    }
    const prompt = {
      hook_event_name: "UserPromptSubmit",
      session_id: "s2",
      cwd: machine.work,
      prompt: "hello",
    };
    const { exitCode } = await machine.run("hook", { input: JSON.stringify(prompt) });
    expect(exitCode).toBe(0);
    rmSync(join(state, "heed.log"));
  });

  // What holds a lock has to end when somebody ends it, as the message about a lock says.
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s ends heed, whatever it waits for",
    async (signal) => {
      const child = spawn(process.execPath, [HEED, "write", "--type", "project", "-"], {
        cwd: machine.work,
        env: machine.environment(),
        stdio: ["pipe", "ignore", "ignore"],
      });
      const ended = new Promise<string | number | null>((done) =>
        child.on("exit", (code, by) => done(by ?? code)),
      );
      await new Promise((done) => setTimeout(done, 400));
      child.kill(signal);
      expect(await ended).toBe(signal);
    },
  );
});

import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { atScreen, type Read } from "./at-screen.ts";
import { Machine } from "./run-heed.ts";

const HEED = resolve(import.meta.dirname, "../../../plugin/dist/heed.cjs");

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  onTestFinished(() => machine.remove());
  mkdirSync(join(machine.home, ".claude"));
});

/** Runs `heed init` as a person who gives each question this answer. */
const init = (answer: string): Promise<Read> =>
  atScreen(process.execPath, [HEED, "init"], { answer, env: machine.environment(), cwd: machine.work });

test.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s at the first question ends it with nothing written", async (_key, answer) => {
  const { exitCode, text } = await init(answer);
  expect(exitCode).toBe(130);
  expect(text.match(/\[Y\/n/g)).toHaveLength(1);
  const files = [".claude.json", ".claude/settings.json", ".local/share/heed/memory", ".config/heed"];
  expect(files.filter((file) => existsSync(join(machine.home, file)))).toEqual([]);
});

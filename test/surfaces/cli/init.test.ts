import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Finished, Machine } from "./run-heed.ts";

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  onTestFinished(() => machine.remove());
  mkdirSync(join(machine.home, ".claude"));
});

/** Runs `heed init` as a person who gives each question this answer, or these one after the other. */
const init = (answer: string | readonly string[], ...words: string[]): Promise<Finished> =>
  machine.atScreen(["init", ...words], answer);

test.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s at the first question ends it with nothing written", async (_key, answer) => {
  const { exitCode, stdout: text } = await init(answer);
  expect(exitCode).toBe(130);
  expect(text.match(/\[Y\/n/g)).toHaveLength(1);
  const files = [".claude.json", ".claude/settings.json", ".local/share/heed/memory", ".config/heed"];
  expect(files.filter((file) => existsSync(join(machine.home, file)))).toEqual([]);
});

test("Enter leaves it open which memory is written, and the status tells what was said", async () => {
  const writer = async (): Promise<unknown> => {
    const { stdout } = await machine.run("doctor --quick");
    return /^writer +(.*)$/m.exec(stdout)?.[1];
  };
  const { stdout: text } = await init("");
  expect(text).toContain("Choose with heed config writer heed");
  expect(text).toContain(
    'next: say a rule to your agent, for example "from now on use pnpm here, never npm"',
  );
  expect(await writer()).toBeUndefined();
  await init("n");
  expect(await writer()).toBe("client: heed only on your request");
  await machine.run("config writer heed");
  expect(await writer()).toBe("heed");
});

test("of Claude Code nothing is asked where another client was named, nor where it was not connected", async () => {
  expect(await init("", "--client", "gemini")).toMatchObject({ exitCode: 0 });
  expect((await init("", "--client", "gemini")).stdout).not.toContain("?");
  expect((await init("n")).stdout).not.toContain("Use heed for new memories?");
});

test("a script makes a repository's store without naming a client", async () => {
  const { exitCode, stdout } = await machine.run("init --yes --project");
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(".heed")]);
});

test("an answer that is none is asked for again", async () => {
  const { stdout: text } = await init(["maybe", "d", "y", "d", "n"]);
  expect(text.match(/Connect /g)).toHaveLength(3);
  expect(text).toContain(" + ");
  expect(text.match(/Use heed for new memories/g)).toHaveLength(2);
});

test("on a screen heed list says each sentence whole, then its handle", async () => {
  const long =
    "the staging database is restored from production at the start of each month, without its users";
  await machine.run(["write", "--type", "project", long]);
  expect((await machine.atScreen("list")).stdout).toContain(`  ${long} [heed:the-stagin.`);
});

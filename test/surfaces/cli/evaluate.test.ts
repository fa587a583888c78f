import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signTest, verdictOf } from "../../../src/surfaces/cli/evaluate/verdict.ts";
import { type Finished, Machine } from "./run-heed.ts";

describe("heed evaluate", () => {
  // Each run has a home of its own, which takes a second to make: they are made once, and answered again by each test.
  const TASKS = 5;
  let machine: Machine;
  let folder: string;

  beforeAll(async () => {
    machine = new Machine();
    await machine.run("init --yes");
    const steps = "1. npm test\n2. npm version patch";
    const written = ["--type", "procedure", "--name", "release", "--steps", steps, "--everywhere"];
    await machine.run(["write", "Release the parser", ...written]);
    folder = join(machine.home, "eval");
    for (let i = 1; i <= TASKS; i++) {
      write(`tasks/t${i}/prompt.md`, `Release version 1.${i}`);
      write(`tasks/t${i}/files/package.json`, "{}");
    }
    write("placebo.txt", "The palette of the map has twelve colours, each with a name. ".repeat(10));
    await evaluate();
  }, 180_000);
  afterAll(() => machine.remove());
  beforeEach(() => {
    for (const run of runs())
      for (const name of ["result.json", "work/solved"]) rmSync(join(run, name), { force: true });
  });

  function write(path: string, text: string): string {
    const file = join(folder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  function runs(): string[] {
    const [version = ""] = readdirSync(join(folder, "runs"));
    const at = join(folder, "runs", version);
    return readdirSync(at).flatMap((task) => readdirSync(join(at, task)).map((run) => join(at, task, run)));
  }

  /** A solver: its shell text sees the prompt as `$P`, and what heed knows in its home as `$KNOWN`. */
  function solver(text: string): string[] {
    const file = write("solver.sh", `P=$(cat)\nKNOWN=$(ls "$HEED_DIR/procedure" 2>/dev/null)\n${text}\n`);
    return ["--run", `sh ${file}`];
  }

  const command = (...more: string[]): string[] => {
    return ["evaluate", "release", folder, "--placebo", join(folder, "placebo.txt"), ...more];
  };
  const evaluate = (...more: string[]): Promise<Finished> => machine.run(command(...more));

  test.each([
    ["helps", 'test -n "$KNOWN"', "with : without is 5 : 0, with : placebo is 5 : 0"],
    ["harms", 'test -z "$KNOWN"', "with : without is 0 : 5"],
    ["not enough evidence", "true", "with : without is 0 : 0; 5 : 0, 7 : 1, 9 : 2 or 10 : 3 is enough"],
    [
      // Any text in front of the prompt does it, and heed's line does it as well.
      "not enough evidence",
      'test -n "$KNOWN" || case "$P" in "From earlier"*) true;; *) false;; esac',
      "it beats no memory, but not as long a text from elsewhere: with : placebo is 0 : 0",
    ],
  ])("says %s: %s", async (verdict, text, why) => {
    const { stdout, stderr } = await evaluate(...solver(text), "--yes");
    expect(stdout).toContain(`release: ${verdict}\n  ${why}\n`);
    expect(stderr).toContain("release: 5 tasks, 20 runs, 20 to make");
    // Nothing is rewritten or removed by itself.
    expect(stderr.includes("heed remove release removes it")).toBe(verdict === "harms");
    expect((await machine.run("show release")).stdout).toContain("npm version patch");
  });

  test("shows what it costs, and runs nothing without a yes or for a model", async () => {
    const { exitCode, stderr } = await evaluate(...solver("touch solved"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/20 to make\n {2}their prompts: [\d,]+ characters, about [\d,]+ tokens/);
    const env = { CLAUDECODE: "1" };
    const asked = await machine.run(command(...solver("touch solved"), "--yes"), { env });
    expect(asked.stderr).toContain("not seen to be typed by a person");
    expect(runs().filter((run) => existsSync(join(run, "work", "solved")))).toEqual([]);
  });

  test("writes runs to be answered elsewhere: blind, alike but for what they are told, each with its own heed", async () => {
    const { stdout } = await evaluate();
    expect(stdout).toContain("No verdict before all runs have a result.json. 20 of 20 have none: ");
    const four = runs().filter((run) => run.includes("/t1/"));
    const prompts = four
      .map((run) => readFileSync(join(run, "prompt.md"), "utf8"))
      .sort((a, b) => a.length - b.length);
    expect(prompts.slice(0, 2)).toEqual(["Release version 1.1\n", "Release version 1.1\n"]);
    expect(prompts[2]).toHaveLength(prompts[3]!.length);
    expect(prompts.slice(2).filter((prompt) => prompt.includes("npm version patch"))).toHaveLength(1);
    expect(four.filter((run) => existsSync(join(run, "heed", "procedure")))).toHaveLength(1);
    for (const run of four) expect(readdirSync(join(run, "work"))).toEqual(["package.json"]);
    const { value } = await machine.json(command());
    const { runs: planned } = value as { runs: { arm: string; folder: string }[] };
    for (const { arm, folder: at } of planned)
      writeFileSync(join(at, "result.json"), `{"solved": ${arm === "with"}}`);
    expect((await evaluate()).stdout).toContain("release: helps");
    writeFileSync(join(planned[0]!.folder, "result.json"), "{}");
    expect((await evaluate()).stderr).toContain('needs {"solved": true}, false, or null');
  });

  test("goes on where it stopped; a run that gave no answer is no pair, and is made again", async () => {
    const first = await evaluate(...solver('case "$P" in *1.5) exit 127;; esac; test -n "$KNOWN"'), "--yes");
    expect(first.stdout).toContain("with : without     4 : 0, p 0.063; 0 pairs alike");
    expect(first.stdout).toContain("4 runs without an answer: no pair");
    const again = await evaluate(...solver('test -n "$KNOWN"'), "--yes");
    expect(again.stderr).toContain("20 runs, 4 to make");
    expect(again.stdout).toContain("with : without     5 : 0");
    write("tasks/t1/prompt.md", "Release something else");
    expect((await evaluate()).stderr).toContain("changed since it was answered: remove that folder");
    write("tasks/t1/prompt.md", "Release version 1.1");
  });

  test("grades by --check, which alone is told where the task lies", async () => {
    for (let i = 1; i <= TASKS; i++) write(`tasks/t${i}/check.sh`, i === 1 ? "test -f solved" : "exit 1");
    const solve = solver('test -z "$HEED_TASK" && test -n "$KNOWN" && touch solved; true');
    const { stdout } = await evaluate(...solve, "--check", 'sh "$HEED_TASK/check.sh"', "--yes");
    expect(stdout).toContain("with : without     1 : 0, p 0.500; 4 pairs alike");
  });

  test("leaves out what the memory came from; takes no folder of a repository, no empty one, no short placebo", async () => {
    const session = "11111111-2222-4333-8444-555555555555";
    const { value } = await machine.json("show release");
    const { path } = value as { path: string };
    const before = readFileSync(path, "utf8");
    writeFileSync(path, before.replace(/\n---\n/, `\n  origin: { session: ${session} }\n---\n`));
    write("tasks/t2/from", session);
    const { stderr } = await evaluate(...solver("true"));
    expect(stderr).toContain("4 tasks, 16 runs, 16 to make");
    expect(stderr).toContain("left out: t2 (the memory came from it)");
    writeFileSync(path, before);
    const short = await machine.run([
      "evaluate",
      "release",
      folder,
      "--placebo",
      write("short.txt", "short"),
    ]);
    expect(short.stderr).toMatch(/the placebo has 5 of \d+ characters/);
    const none = await machine.run(["evaluate", "release", folder]);
    expect(none.stderr).toContain("the placebo has 0 of");
    expect((await machine.run(["evaluate", "release", machine.work])).stderr).toContain("has no task");
    mkdirSync(join(folder, ".git"));
    expect((await evaluate()).stderr).toContain("give a folder outside of a repository");
    rmSync(join(folder, ".git"), { recursive: true });
  });
});

test.each([
  [5, 0, true],
  [4, 0, false],
  [7, 1, true],
  [6, 1, false],
  [9, 2, true],
  [8, 2, false],
  [10, 3, true],
  [9, 3, false],
  [12, 4, true],
  [13, 5, true],
  [12, 5, false],
])("%i : %i discordant pairs pass: %s", (won, lost, passes) => {
  expect(signTest(won + lost, lost) <= 0.05).toBe(passes);
  const tasks = [
    ...Array.from({ length: won }, () => ({ with: true, without: false, placebo: false })),
    ...Array.from({ length: lost }, () => ({ with: false, without: true, placebo: true })),
    ...Array.from({ length: 9 }, () => ({ with: true, without: true, placebo: true })),
  ];
  expect(verdictOf(tasks).verdict).toBe(passes ? "helps" : "not enough evidence");
});

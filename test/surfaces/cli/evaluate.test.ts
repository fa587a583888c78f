import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signTest, verdictOf } from "../../../src/surfaces/cli/evaluate/verdict.ts";
import { Machine } from "./run-heed.ts";

const TASKS = 6;
let machine: Machine;
let folder: string;

beforeEach(async () => {
  machine = new Machine();
  folder = join(machine.home, "eval");
  for (let i = 1; i <= TASKS; i++) {
    write(`tasks/t${i}/prompt.md`, `Release version 1.${i}`);
    write(`tasks/t${i}/files/package.json`, "{}");
  }
  write("placebo.txt", "The palette of the map has twelve colours, each with a name. ".repeat(10));
  await machine.run("init --yes");
  await machine.run([
    "write",
    "--type",
    "procedure",
    "--name",
    "release",
    "Release the parser",
    "--steps",
    "1. npm test\n2. npm version patch",
    "--everywhere",
  ]);
});
afterEach(() => machine.remove());

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A solver: its shell text sees the prompt as `$P`, and what heed knows in its home as `$KNOWN`. */
function solver(text: string): string[] {
  const file = write("solver.sh", `P=$(cat)\nKNOWN=$(ls "$HEED_DIR/procedure" 2>/dev/null)\n${text}\n`);
  chmodSync(file, 0o755);
  return ["--run", `sh ${file}`];
}

const evaluate = (...more: string[]) =>
  machine.run(["evaluate", "release", folder, "--placebo", join(folder, "placebo.txt"), ...more]);

describe("heed evaluate", () => {
  test.each([
    ["helps", 'test -n "$KNOWN"', "with : without is 6 : 0, with : placebo is 6 : 0"],
    ["harms", 'test -z "$KNOWN"', "with : without is 0 : 6"],
    ["not enough evidence", "true", "with : without is 0 : 0; 5 : 0, 7 : 1, 9 : 2 or 10 : 3 is enough"],
    // Any text in front of the prompt does it, and heed's line does it as well.
    [
      "not enough evidence",
      'test -n "$KNOWN" || case "$P" in "From earlier"*) true;; *) false;; esac',
      "it beats no memory, but not as long a text from elsewhere: with : placebo is 0 : 0",
    ],
  ])("says %s: %s", async (verdict, text, why) => {
    const { stdout, stderr } = await evaluate(...solver(text), "--yes");
    expect(stdout).toContain(`release: ${verdict}\n  ${why}\n`);
    expect(stderr).toContain("release: 6 tasks, 24 runs, 24 to make");
    expect(stderr.includes("heed remove release removes it")).toBe(verdict === "harms");
    // Nothing is rewritten or removed by itself.
    expect((await machine.run("show release")).stdout).toContain("npm version patch");
  });

  test("shows what it costs and runs nothing without a yes, and nothing for a model", async () => {
    const { exitCode, stderr } = await evaluate(...solver("touch ran; exit 0"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/24 to make\n {2}their prompts: [\d,]+ characters, about [\d,]+ tokens/);
    expect(existsSync(join(folder, "runs"))).toBe(false);
    const asked = await machine.run(
      ["evaluate", "release", folder, "--placebo", join(folder, "placebo.txt"), ...solver("true"), "--yes"],
      { env: { CLAUDECODE: "1" } },
    );
    expect(asked.stderr).toContain("not seen to be typed by a person");
    expect(existsSync(join(folder, "runs"))).toBe(false);
  });

  test("writes runs to be answered elsewhere: blind, alike but for what they are told, each with its own heed", async () => {
    const { stdout } = await evaluate();
    expect(stdout).toContain("No verdict before all runs have a result.json: 24 of 24 have none.");
    const [version = ""] = readdirSync(join(folder, "runs"));
    const runs = [1, 2, 3, 4].map((number) => join(folder, "runs", version, "t1", String(number)));
    const prompts = runs
      .map((run) => readFileSync(join(run, "prompt.md"), "utf8"))
      .sort((a, b) => a.length - b.length);
    expect(prompts.slice(0, 2)).toEqual(["Release version 1.1\n", "Release version 1.1\n"]);
    expect(prompts[2]).toHaveLength(prompts[3]!.length);
    expect(prompts.slice(2).filter((prompt) => prompt.includes("npm version patch"))).toHaveLength(1);
    const knowing = runs.filter((run) => existsSync(join(run, "heed", "procedure")));
    expect(knowing).toHaveLength(1);
    for (const run of runs) expect(readdirSync(join(run, "work"))).toEqual(["package.json"]);
    const { value } = await machine.json([
      "evaluate",
      "release",
      folder,
      "--placebo",
      join(folder, "placebo.txt"),
    ]);
    const { runs: planned } = value as { runs: { arm: string; folder: string }[] };
    for (const { arm, folder: at } of planned)
      writeFileSync(join(at, "result.json"), `{"solved": ${arm === "with"}}`);
    expect((await evaluate()).stdout).toContain("release: helps");
    writeFileSync(join(planned[0]!.folder, "result.json"), "{}");
    expect((await evaluate()).stderr).toContain('needs {"solved": true}, false, or null');
  });

  test("goes on where it stopped; a run that gave no answer is no pair, and is made again", async () => {
    const first = await evaluate(...solver('case "$P" in *1.6) exit 127;; esac; test -n "$KNOWN"'), "--yes");
    expect(first.stdout).toContain("with : without     5 : 0, p 0.031; 0 pairs alike");
    expect(first.stdout).toContain("4 runs without an answer: no pair");
    const again = await evaluate(...solver('test -n "$KNOWN"'), "--yes");
    expect(again.stderr).toContain("24 runs, 4 to make");
    expect(again.stdout).toContain("with : without     6 : 0");
    write("tasks/t1/prompt.md", "Release something else");
    expect((await evaluate()).stderr).toContain("changed since it was answered: remove that folder");
  });

  test("grades by --check, which the runner's failure comes before; nothing of a task is run", async () => {
    write("tasks/t1/check.sh", "test -f solved");
    write("tasks/t1/files/run.sh", "touch /should-not-run");
    for (let i = 2; i <= TASKS; i++) write(`tasks/t${i}/check.sh`, "exit 1");
    const { stdout } = await evaluate(
      ...solver('test -n "$KNOWN" && touch solved; true'),
      "--check",
      'sh "$HEED_TASK/check.sh"',
      "--yes",
    );
    expect(stdout).toContain("with : without     1 : 0, p 0.500; 5 pairs alike");
    const failing = await evaluate(...solver("exit 3"), "--check", "true", "--yes");
    expect(failing.stderr).toContain("0 to make");
  });

  test("leaves out an example that the memory came from, and takes no folder of a repository, no empty one, no short placebo", async () => {
    const session = "11111111-2222-4333-8444-555555555555";
    const file = join(machine.home, ".local/share/heed/memory/procedure/release.md");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/\n---\n/, `\n  origin: { session: ${session} }\n---\n`),
    );
    write("tasks/t2/from", session);
    expect((await evaluate()).stderr).toContain("5 tasks, 20 runs, 20 to make");
    expect((await evaluate()).stderr).toContain("left out: t2 (the memory came from it)");
    const short = await machine.run([
      "evaluate",
      "release",
      folder,
      "--placebo",
      write("short.txt", "short"),
    ]);
    expect(short.stderr).toMatch(/the placebo has 5 of \d+ characters/);
    expect((await machine.run(["evaluate", "release", folder])).stderr).toContain("the placebo has 0 of");
    expect((await machine.run(["evaluate", "release", machine.work])).stderr).toContain("has no task");
    mkdirSync(join(folder, ".git"));
    expect((await evaluate()).stderr).toContain("give a folder outside of a repository");
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

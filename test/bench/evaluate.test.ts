import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { run } from "../../bench/evaluate.bench.ts";
import { signTest, verdictOf } from "../../bench/paired-verdict.ts";
import { Machine } from "../surfaces/cli/run-heed.ts";

// Each run has a home of its own, which takes a second to make: they are made once, and answered again by each test.
const TASKS = 5;
let machine: Machine;
let folder: string;

beforeAll(async () => {
  machine = new Machine();
  await machine.run("init --yes");
  const steps = "1. npm test\n2. npm version patch";
  const memory = ["write", "Release the parser", "--type", "procedure", "--name", "release", "--everywhere"];
  await machine.run([...memory, "--steps", steps]);
  folder = join(machine.home, "eval");
  for (let i = 1; i <= TASKS; i++) {
    write(`tasks/t${i}/prompt.md`, `Release version 1.${i}`);
    write(`tasks/t${i}/files/package.json`, "{}");
    write(`tasks/t${i}/check.sh`, i === 1 ? "test -f solved" : "exit 1");
  }
  write("placebo.txt", "The palette of the map has twelve colours, each with a name. ".repeat(10));
  await evaluate();
}, 180_000);
afterAll(() => machine.remove());
beforeEach(() => {
  for (const one of runs())
    for (const name of ["result.json", "work/solved"]) rmSync(join(one, name), { force: true });
});

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function runs(): string[] {
  const [version] = existsSync(join(folder, "runs")) ? readdirSync(join(folder, "runs")) : [];
  if (version === undefined) return [];
  const at = join(folder, "runs", version);
  return readdirSync(at).flatMap((task) => readdirSync(join(at, task)).map((one) => join(at, task, one)));
}

/** Wins and losses of each pair of arms. A solver's shell text sees the prompt as `$P`, what heed knows there as `$KNOWN`. */
async function evaluate(solver?: string, ...more: string[]): Promise<Record<string, number | null>> {
  const file =
    solver && write("solver.sh", `P=$(cat)\nKNOWN=$(ls "$HEED_DIR/procedure" 2>/dev/null)\n${solver}\n`);
  const made = file ? ["--run", `sh ${file}`, "--yes"] : [];
  const args = ["release", folder, "--placebo", join(folder, "placebo.txt"), ...made, ...more];
  const figures = await run(args, machine.environment());
  return Object.fromEntries(figures.map(({ name, value }) => [name, value]));
}

test.each([
  ["helps", 'test -n "$KNOWN"', [5, 0, 5, 0]],
  ["harms", 'test -z "$KNOWN"', [0, 5, 0, 5]],
  ["tells nothing", "true", [0, 0, 0, 0]],
  ["gives no answer", "exit 127", [0, 0, 0, 0]],
])("a memory that %s", async (_, solver, wanted) => {
  const told = await evaluate(solver);
  const names = ["with : without won", "with : without lost", "with : placebo won", "with : placebo lost"];
  expect(names.map((name) => told[name])).toEqual(wanted);
});

test("runs nothing without --yes, and --check alone is told where the task lies", async () => {
  expect(await evaluate(undefined, "--run", "touch solved")).toEqual({ "runs left": 20 });
  expect(runs().filter((one) => existsSync(join(one, "work/solved")))).toEqual([]);
  const solver = 'test -z "$HEED_TASK" && test -n "$KNOWN" && touch solved; true';
  const told = await evaluate(solver, "--check", 'sh "$HEED_TASK/check.sh"');
  expect(told["with : without won"]).toBe(1);
});

test.each([
  [
    "a short placebo",
    ["release", "FOLDER", "--placebo", "package.json"],
    /the placebo has \d+ of \d+ characters/,
  ],
  ["a folder without tasks", ["release", "HOME/work"], /has no task/],
])("refuses %s", async (_, args, why) => {
  const placebo = write("short.txt", "short");
  const given = args.map((one) =>
    one.replace("FOLDER", folder).replace("HOME", machine.home).replace("package.json", placebo),
  );
  await expect(run(given, machine.environment())).rejects.toThrow(why);
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

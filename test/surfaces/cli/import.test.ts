import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Machine } from "./run-heed.ts";

async function machineWith(name: string, text: string): Promise<Machine> {
  const machine = new Machine();
  onTestFinished(() => machine.remove());
  writeFileSync(join(machine.work, name), text);
  await machine.run("init");
  return machine;
}

const listed = async (machine: Machine): Promise<unknown> =>
  (JSON.parse((await machine.run("list --json")).stdout) as { memories: unknown[] }).memories.length;

describe("heed import where nobody sits", () => {
  test("says of a file of instructions how many it holds and which flag takes them", async () => {
    const machine = await machineWith(
      "CLAUDE.md",
      "# A\n\n- Wrap at 100\n\n## B\n\n- Indent by 2\n- Never push\n",
    );
    const { exitCode, stderr, stdout } = await machine.run("import CLAUDE.md --apply");
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("holds 3 statements in 2 sections, and nothing is written");
    expect(stderr).toContain("--as feedback takes all as rules, --as project as facts");
    expect(await listed(machine)).toBe(0);
    expect((await machine.run("import CLAUDE.md --as project --apply")).stdout).toContain("3 written");
    expect(await listed(machine)).toBe(3);
  });

  const many = Array.from({ length: 101 }, (_, i) => `service${i} keeps shard${i * 7} of ledger${i * 13}`);
  test.each([
    ["mem0.json", "", JSON.stringify(many.map((memory, i) => ({ id: `m${i}`, memory })))],
    // The type is the answer to the type, not to the number.
    ["mem0.json", "--as project", JSON.stringify(many.map((memory, i) => ({ id: `m${i}`, memory })))],
    ["CLAUDE.md", "--as feedback", many.map((line) => `- ${line}\n`).join("")],
  ])("does not write more than a hundred statements unasked: %s %s", async (name, as, text) => {
    const machine = await machineWith(name, text);
    const { exitCode, stderr } = await machine.run(`import ${name} ${as} --apply`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("holds 101 new statements, and nothing is written: --yes writes them");
    expect((await machine.run(`import ${name} ${as} --apply --yes`)).stdout).toContain("101 written");
  });
});

test("what is not taken is named", async () => {
  const records = [{ memory: "uses vim", id: "1" }, { other: 1 }];
  const machine = await machineWith("mem0.json", JSON.stringify(records));
  expect((await machine.run("import mem0.json")).stdout).toContain(
    '- 1 × not taken: it has no "memory" ({"other":1})\n',
  );
});

test.each([
  [
    ["f", "r", ""],
    ["feedback: Rules: Never push", "feedback: Rules: Run tests", "project: Layout is src"],
  ],
  [["maybe", ""], []],
  [["n", "o", "r", "", ""], ["feedback: Rules: Never push"]],
  [
    ["y", "n", "y"],
    ["project: Layout is src", "project: Links: See the wiki"],
  ],
  [["r", "q"], []],
])("at a terminal a section is rules, facts or left by one answer: %j", async (answer, kept) => {
  const text =
    "## Layout\n\n- Layout is src\n\n## Rules\n\n- Never push\n- Run tests\n\n## Links\n\n- See the wiki\n";
  const machine = await machineWith("CLAUDE.md", text);
  expect((await machine.atScreen("import CLAUDE.md --apply", answer)).stdout).toContain(
    "Layout  1/3\n  Layout is src\n",
  );
  const { stdout } = await machine.run("list");
  expect(stdout.split("\n").map((line) => line.replace(/\t.*\t/, ": "))).toEqual([...kept, ""]);
});

test("y takes a section as rules where its file says that they always hold", async () => {
  const machine = await machineWith("always.mdc", "---\nalwaysApply: true\n---\n- Never push\n");
  expect((await machine.atScreen("import always.mdc --apply", "y")).stdout).toContain("Rules? [y/N, ");
  expect((await machine.run("list")).stdout).toMatch(/^feedback\t/);
});

describe("heed export", () => {
  test("writes a file whole or not at all, and says why", async () => {
    const machine = await machineWith("taken.json", "mine");
    for (const name of ["north", "south"])
      await machine.run([
        "write",
        "--type",
        "reference",
        "--name",
        name,
        `the ${name} board: https://b.test/${name}`,
      ]);
    const printed = await machine.run("export --format json");
    expect((await machine.run("export --format json --json")).stdout).toContain(`"text":"---\\nname: south`);
    const [memories] = [JSON.parse(printed.stdout) as { memories: { name: string }[] }].map(
      (one) => one.memories,
    );
    expect(memories?.map(({ name }) => name)).toEqual(["north", "south"]);

    // A byte of the last memory's record: what went before it can be read.
    const cache = join(machine.home, ".cache");
    const segments = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".segment"),
    );
    for (const file of segments) {
      const bytes = readFileSync(join(cache, file));
      const at = bytes.indexOf('"name":"south"');
      if (at > 0) bytes.write("S", at + 8);
      writeFileSync(join(cache, file), bytes);
    }
    const before = readdirSync(machine.work);
    const damaged = await machine.run("export --format json all.json");
    expect([damaged.exitCode, damaged.stderr]).toEqual([5, expect.stringContaining("export again")]);
    expect(readdirSync(machine.work)).toEqual(before);
    expect((await machine.run("export --format json all.json")).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(machine.work, "all.json"), "utf8"))).toMatchObject({ memories });
    expect((await machine.run("export --format json taken.json")).exitCode).toBe(2);
    expect(readFileSync(join(machine.work, "taken.json"), "utf8")).toBe("mine");
  });
});

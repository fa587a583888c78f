import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../bench/help.bench.ts";
import { canIsolate } from "../../bench/help-task.ts";
import { signTest } from "../../bench/statistics.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

test("without tasks, or without a solver, it says all that it needs and what calls no model", async () => {
  for (const args of [[], ["--tasks", "x"]])
    await expect(run(args)).rejects.toThrow(/--tasks DIR .*--host DIR .*--solver CMD .*no model is called/s);
});

/** A data set of two tasks in the layout of SDE-bench: each rule is a number that was said in a chat alone. */
function dataset(): string {
  const folder = temporaryFolder();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const chat = (...texts: string[]): object[] =>
    texts.map((text, i) => ({ role: i % 2 === 0 ? "user" : "assistant", text }));
  const task = (name: string, rule: number, report: string, said: string): void => {
    put(
      `toy-${name}/build.py`,
      `import pathlib, subprocess, sys
out = pathlib.Path(sys.argv[1]); (out / "tests").mkdir(parents=True)
(out / "${name}.py").write_text("LIMIT = 1\\n")
(out / "tests" / "test_old.py").write_text("from ${name} import LIMIT\\n\\ndef test_old():\\n    assert LIMIT > 0\\n")
for args in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "start"]):
    subprocess.run(["git", "-C", str(out), *args], check=True)
`,
    );
    const assertion = (test: string): string =>
      `from ${name} import LIMIT\n\ndef test_it():\n    assert ${test}\n`;
    put(`toy-${name}/tasks/main/regression_test.py`, assertion("LIMIT > 2"));
    put(
      `toy-${name}/tasks/main/hidden_test.py`,
      `import pytest, socket\n${assertion(`LIMIT == ${rule}`)}
def test_network():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 80), 1)
`,
    );
    put(
      `toy-${name}/tasks/main/task.json`,
      JSON.stringify({
        task_id: name,
        source: "conversation",
        module: `${name}.py`,
        bug_report: report,
        conversations: chat(said, "Settled then, exactly that and nothing else."),
        pass_to_pass: ["tests/test_old.py"],
      }),
    );
  };
  const walrus = "the walrus uploader gives up on torn envelopes of the harbour gateway far too early";
  const quokka = "the quokka planner overbooks sleeper berths whenever a ferry timetable slips at dusk";
  task("walrus", 7, `Customs says ${walrus}.`, `${walrus}: the number is LIMIT=7`);
  task("quokka", 11, `Dispatch says ${quokka}.`, `${quokka}: the number is LIMIT=11`);
  const decoy = (i: number): object => ({
    turns: chat(
      `rename column ${i} of the billing page, and mind the order of its rows`,
      "Renamed, the order is as it was.",
    ),
  });
  put("gen/decoy_conversations.json", JSON.stringify(Array.from({ length: 12 }, (_, i) => decoy(i))));
  return folder;
}

/** Reads the chat that it was pointed to, greps the folder that it was pointed to, and else guesses. */
const SOLVER = `
prompt=$(cat); session=$(printf %s "$prompt" | grep -o '[0-9a-f-]*-8000-[0-9]*' | head -1)
folder=$(printf %s "$prompt" | grep -o '/[^ ]*projects/bench')
if [ -n "$session" ] && [ -n "$HEED_CLI" ]; then node "$HEED_CLI" history --session "$session" > "$HELP_READ"
elif [ -n "$folder" ]; then cat "$folder"/*.jsonl | grep "$HELP_TASK [a-z]* " > "$HELP_READ"; fi
rule=$(grep -o 'LIMIT=[0-9]*' "$HELP_READ" 2>/dev/null | head -1 | cut -d= -f2)
echo "LIMIT = \${rule:-3}" > "$HELP_TASK.py"
echo 'def test_it(): pass' > tests/test_hidden.py
`;

test.skipIf(!hasPytest)(
  "a scripted solver solves what it was pointed to, and is graded by hidden tests",
  async () => {
    const figures = await run(["--tasks", dataset(), "--only", "walrus", "--solver", SOLVER]);
    const value = (name: string): number | null | undefined =>
      figures.find((one) => one.name === name)?.value;
    const isolated = Number(canIsolate());
    expect(value("graded_without_network")).toBe(isolated);
    const solved = ["none", "grep", "heed", "placebo"].map((arm) => value(`solved_${arm}`));
    // Without a namespace the hidden test of the network need not hold.
    expect(solved).toEqual([0, isolated, isolated, 0]);
    expect(value("heed_alone_solved_against_none")).toBe(value("solved_heed"));
    expect(value("none_alone_solved_against_heed")).toBe(0);
    const chars = ["none", "grep", "heed", "placebo"].map((arm) => value(`chars_read_${arm}`) ?? 0);
    expect(chars[2]).toBeGreaterThan(chars[3] ?? 0);
    expect(chars[3]).toBeGreaterThan((chars[0] ?? 0) + 100);
  },
  120_000,
);

test("a folder without tasks, and no solver, are told", async () => {
  const folder = temporaryFolder();
  await expect(run(["--tasks", folder, "--solver", "true"])).rejects.toThrow("a checkout of sde-bench");
  await expect(run(["--tasks", folder])).rejects.toThrow("--solver CMD");
});

test.each([
  [5, 0, true],
  [7, 1, true],
  [9, 2, true],
  [10, 3, true],
  [4, 0, false],
  [6, 1, false],
  [8, 2, false],
  [9, 3, false],
])("%i wins against %i losses", (won, lost, isEnough) => {
  expect(signTest(won, lost) <= 0.05).toBe(isEnough);
});

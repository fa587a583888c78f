import { describe, expect, test } from "vitest";
import type { SessionWriter } from "../session-writer.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();
const SESSION = "aaaaaaaa-0000-4000-8000-000000000001";

function begin(): SessionWriter {
  const writer = home.conversation(SESSION, "2026-11-21");
  writer.now = new Date(Date.now() - 60_000);
  return writer.user("make the tests of the parser pass");
}

const fixed = async (): Promise<string[]> => {
  const { passages } = await home.heed.conversations.show({ session: SESSION });
  return passages.filter(({ kind }) => kind === "fixed").map(({ text }) => text);
};

/** A call of the shell: the command line, what it printed, whether its status says that it failed. */
type Run = [command: string, output: string, isError?: boolean];
/** Or a file that is edited. */
type Step = Run | { edit: string };

function play(steps: readonly Step[]): SessionWriter {
  const session = begin();
  for (const step of steps)
    if ("edit" in step)
      session.tool("Edit", { file_path: step.edit, old_string: "a", new_string: "b" }, "edited");
    else session.tool("Bash", { command: step[0] }, step[1], step[2]);
  return session;
}

const EDIT: Step = { edit: "src/parser.x" };

describe("what failed and then worked is kept, by the results of tools", () => {
  /** The command that fails, what it prints, and the command that passes then. */
  test.each<[string, string, string]>([
    ["go test ./... 2>&1 | tail", "--- FAIL: TestParse (0.00s)\nFAIL\tacme/parser\t0.01s", "go test ./..."],
    ["pytest -q | tail -3", "1 failed, 4 passed in 0.12s", "uv run pytest"],
    ["python -m unittest 2>&1 | cat", "Ran 3 tests\n\nFAILED (failures=1)", "python3 -m unittest"],
    ["cargo test 2>&1 | tail", "test result: FAILED. 1 passed; 1 failed", "RUST_LOG=off cargo test"],
    ["mvn -q test | tail", "[INFO] BUILD FAILURE", "mvn test"],
    ["cd api && ./gradlew test; true", "BUILD FAILED in 3s", "./gradlew test"],
    ["npm test 2>&1 | tail", "Tests:       1 failed, 3 passed, 4 total", "npm test"],
    [
      "npx vitest run | cat",
      "\u001B[2m Tests \u001B[22m \u001B[1m1 failed\u001B[22m | 3 passed (4)",
      "npm exec vitest run",
    ],
    ["npx mocha | tail", "  4 passing (9ms)\n  1 failing", "npx mocha"],
    ["make check", "", "make -C api check"],
  ])("%s", async (command, output, passing) => {
    const failing: Run = [command, output, output === ""];
    play([failing, failing, failing, EDIT, [passing, "ok"]]);
    await home.heed.conversations.search();
    const [text] = await fixed();
    expect(text).toMatch(/^failed: .*\nchanged meanwhile: src\/parser\.x\nworked then: /);
    expect(text).toContain(`worked then: ${passing}`);
  });

  test.each<[string, Run, ...Step[]]>([
    ["what passed by itself", ["npm test", "x", true], ["npm test", "ok"]],
    ["another program", ["npm test", "x", true], ["npm run build", "ok"]],
    ["a look around", ["grep x src", "", true], ["grep y src", "y"]],
    ["a log that is read", ["cat test.log", "1 failed, 4 passed in 0.12s"], EDIT, ["cat test.log", "ok"]],
    [
      "words about failure",
      ["npm run report", "the upload failed, 1 error"],
      EDIT,
      ["npm run report", "fine"],
    ],
  ])("not %s", async (_, ...steps) => {
    play(steps);
    await home.heed.conversations.search();
    expect(await fixed()).toEqual([]);
  });

  test("a tool that is no shell, but not one that edits files", async () => {
    begin()
      .tool("mcp__browser__upload", { paths: ["/tmp/a"] }, "outside of the root", true)
      .tool("mcp__browser__upload", { paths: ["./a"] }, "uploaded")
      .tool("Edit", { file_path: "a.ts", old_string: "x" }, "not found", true)
      .tool("Edit", { file_path: "a.ts", old_string: "y" }, "edited");
    await home.heed.conversations.search();
    expect(await fixed()).toHaveLength(1);
  });
});

describe("the next prompt asks for a solution", () => {
  const FAILS: Run = ["npm test", "1 failing", true];
  const say = async (prompt = "and now the docs"): Promise<string> => {
    const { context = "" } = await home.event({ kind: "prompt", prompt, session: SESSION });
    return context;
  };

  const OTHER: Run = ["CI=1 npm test", "ok"];
  test.each<[string, Step[], string]>([
    [
      "after two failures and another try",
      [FAILS, FAILS, OTHER],
      '"CI=1 npm test" worked after "npm test" had failed',
    ],
    [
      "after three and the same",
      [FAILS, FAILS, FAILS, EDIT, ["npm test", "ok"]],
      '"npm test" worked after it had failed',
    ],
    ["not after two and the same", [FAILS, FAILS, EDIT, ["npm test", "ok"]], ""],
    ["not while it fails", [FAILS, FAILS, FAILS, EDIT], ""],
  ])("%s", async (_, steps, said) => {
    await say("make the tests of the parser pass");
    play(steps);
    await home.heed.conversations.search();
    const context = await say();
    expect(/heed: (".*?had failed)/.exec(context)?.[1] ?? "").toBe(said);
    await home.heed.conversations.search();
    expect(await say("go on with the next file")).not.toContain("had failed");
  });

  test("not where the model wrote since, nor of a session that no hook knows", async () => {
    const steps: Step[] = [FAILS, FAILS, FAILS, EDIT, ["CI=1 npm test", "ok"]];
    play(steps);
    await home.heed.conversations.search();
    expect(await say()).not.toContain("had failed");
    play(steps);
    const draft = {
      type: "solution",
      statement: "tests need CI=1",
      body: "Set it.",
      trigger: ["1 failing"],
    };
    await home.heed.memories.write(draft, { kind: "model", client: "test", session: SESSION });
    await home.heed.conversations.search();
    expect(await say()).not.toContain("had failed");
  });
});

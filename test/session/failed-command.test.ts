import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HandWritten, TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();

const fails = async (command: string): Promise<string> =>
  (await home.event({ kind: "tool-failure", tool: "Bash", input: { command }, error: "exit 1" })).context ??
  "";
const run = async (command: string): Promise<string> => (await home.shell(command)).context ?? "";

describe("a command that a solution says failed", () => {
  const solution = (body: string): HandWritten => ({
    type: "solution",
    name: "port",
    statement: "Tests need the database port",
    body,
    metadata: ["trigger: [econnrefused]"],
  });
  const SECTIONS =
    "**Symptom:** ECONNREFUSED.\n\n**Failed:** `npm test`\n\n**Solution:** `PGPORT=5433 npm test`";

  test.each<[string, string, string, boolean]>([
    ["code", SECTIONS, "npm test", true],
    ["inside a chain", SECTIONS, "cd api && npm test", true],
    ["a field alone", SECTIONS.replace("`npm test`", "npm test"), "npm test", true],
    ["a list", SECTIONS.replace("`npm test`", "\n- npm ci\n- npm test"), "npm test", true],
    ["its statement once", `Tests need the database port.\n\n${SECTIONS}`, "npm test", true],
    ["what worked", SECTIONS, "PGPORT=5433 npm test", false],
    ["with another word", SECTIONS, "npm test -- a", false],
    ["a sentence about it", SECTIONS.replace("`npm test`", "npm test without the port"), "npm test", false],
    ["words in quotes", SECTIONS, 'echo "npm test"', false],
  ])("%s", async (_, body, command, isTold) => {
    home.remember(solution(body));
    home.opened();
    const line = /\[heed:port\] solution · .*: Tests need the database port\. .*PGPORT=5433 npm test/;
    const told = await run(command);
    expect([line.test(told), told.split("Tests need the database").length]).toEqual([isTold, isTold ? 2 : 1]);
    expect(await run(command)).toBe("");
  });
});

describe("after a failed command", () => {
  const played = async (
    runs: readonly [command: string, isError?: boolean][],
    session = "old",
    cwd?: string,
  ): Promise<void> => {
    const transcript = home
      .transcript(session, { now: "2026-11-20T11:00:00Z", cwd })
      .user("run the tests of the api, please");
    for (const [command, isError = false] of runs)
      transcript.tool("Bash", { command }, isError ? "Error: connect" : "ok", isError);
    await home.endsWith(transcript);
    await home.heed.conversations.search();
    home.opened();
  };

  test.each<[string, string, string]>([
    ["the environment", "npm test", "PGPORT=5433 npm test"],
    ["a flag", "pytest tests", "pytest --no-cov tests"],
    ["a flag with a value", "vitest run", "vitest run --pool forks"],
    ["the folder", "make build", "cd api && make build"],
    ["an exported variable", "cargo test", "export CC=clang && cargo test"],
    ["its Python", "source .venv/bin/activate && pytest", "source venv/bin/activate && pytest"],
    ["what starts it", "vitest run a", "npx vitest run a"],
    ["a number glued to its flag", "make build", "make -j4 build"],
    ["a folder's name", "make build", "make -C web2 build"],
  ])("what worked then is told, once a context, with its day: %s", async (_, failed, worked) => {
    await played([[failed, true], [worked]]);
    expect(await fails(failed)).toBe(
      `heed: an earlier session here (a record, not an instruction): worked on 2026-11-20: \`${worked}\``,
    );
    expect(await fails(failed)).toBe("");
    const [receipt] = await home.heed.session.receipts({ limit: 1 });
    expect(receipt).toMatchObject({
      kind: "tool-failure",
      decisions: [{ handle: "conversation:old", form: "line" }],
    });
    await home.start("s1", "compact");
    expect(await fails(failed)).toContain(worked);
  });

  test.each<[string, [string, boolean?][], string]>([
    ["it worked by itself", [["npm test", true], ["ls"], ["npm test"]], "npm test"],
    ["another program", [["npm test", true], ["CI=1 npm run lint"]], "npm test"],
    ["another file", [["pytest a", true], ["X=1 pytest b"]], "pytest a"],
    ["another command failed now", [["npm test", true], ["CI=1 npm test"]], "npm run build"],
    ["what worked failed now", [["npm test", true], ["CI=1 npm test"]], "CI=1 npm test"],
    ["a message", [["git commit -m a", true], ["git commit -m b"]], "git commit -m c"],
    ["a look", [["cat a", true], ["cat -n a"]], "cat a"],
    ...[
      "DB_PASSWORD=testpass1 make ci",
      "make --db-password testpass1 ci",
      "make --env=DB_PASSWORD=testpass1 ci",
      "make --token=abc ci",
      "make -phunter2 ci",
      "make -p hunter2 ci",
      "make -u bob:hunter ci",
      "sshpass -p 'Hunter2x' make ci",
    ].map((worked): [string, [string, boolean?][], string] => [
      `a secret in ${worked}`,
      [["make ci", true], [worked]],
      "make ci",
    ]),
  ])("nothing is told: %s", async (_, runs, command) => {
    await played(runs);
    expect(await fails(command)).toBe("");
  });

  test("the two newest, none of another repository, and no secret", async () => {
    for (const [i, value] of ["one", "two", "three"].entries())
      await played([["npm test", true], [`A=${value} npm test`]], `s-${i}`);
    await played([["npm test", true], ["B=1 npm test"]], "elsewhere", join(home.folder, "elsewhere"));
    expect(await fails("npm test")).toMatch(
      /: worked on \S+: `A=\w+ npm test`; worked on \S+: `A=\w+ npm test`$/,
    );
    const token = ["ghp", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY12"].join("_");
    await played([["make ci", true], [`TOKEN=${token} make ci`]], "secret");
    expect(await fails("make ci")).toBe("");
  });

  test("nothing is told that a rule stops", async () => {
    home.remember({
      type: "feedback",
      name: "hooks",
      statement: "Never bypass the hooks",
      metadata: ["guard: { command: git commit, flags: [--no-verify] }"],
    });
    await played([["git commit -m x", true], ["git commit --no-verify -m x"]]);
    expect(await fails("git commit -m x")).toBe("");
  });
});

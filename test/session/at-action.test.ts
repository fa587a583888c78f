import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EventPart, type HandWritten, TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();

const fact = (name: string, description: string, claims: string[], body?: string): HandWritten => ({
  type: "project",
  name,
  description,
  ...(body !== undefined && { body }),
  metadata: [`claims: ${JSON.stringify(claims)}`],
});
const BATCH = fact("batch", "MAX_BATCH must stay 5: the vendor bans larger batches", [
  "must:path:src/limits.ts::MAX_BATCH=5",
]);
const SYNC = fact("sync", "The journal is written synchronously", ["path:src/journal.ts"]);

async function say(part: EventPart): Promise<string> {
  const { context = "", decision } = await home.event(part);
  await new Promise((resolve) => setImmediate(resolve));
  return decision ? `${decision.action}: ${decision.reason}` : context;
}
const use = (tool: string, input: Record<string, unknown>, more = {}): Promise<string> =>
  say({ kind: "tool-use", tool, input, ...more });
const fails = (command: string, more = {}): Promise<string> =>
  say({ kind: "tool-failure", tool: "Bash", input: { command }, error: "exit 1", ...more });
const edit = (path: string, old_string = "a", new_string = "b"): Promise<string> =>
  use("Edit", { file_path: join(home.project, path), old_string, new_string });

describe("a fact with a claim on the file of an edit", () => {
  const PATCH = "*** Begin Patch\n*** Update File: src/journal.ts\n@@\n-a\n+b\n*** End Patch";
  test.each<[string, string, Record<string, unknown>]>([
    ["Edit", "Edit", { file_path: "src/journal.ts", old_string: "a", new_string: "b" }],
    ["Write", "Write", { file_path: "src/journal.ts", content: "b" }],
    [
      "MultiEdit",
      "MultiEdit",
      { file_path: "src/journal.ts", edits: [{ old_string: "a", new_string: "b" }] },
    ],
    ["a notebook", "NotebookEdit", { notebook_path: "src/journal.ts", new_source: "b" }],
    ["a patch", "apply_patch", { input: PATCH }],
    ["Codex's patch", "apply_patch", { command: PATCH }],
    ["opencode's spelling", "Edit", { filePath: "src/journal.ts", oldString: "a", newString: "b" }],
    ["a server's tool", "mcp__fs__write_file", { path: "src/journal.ts", content: "b" }],
  ])("is told with date and verdict, once a context: %s", async (_, tool, input) => {
    home.remember(SYNC);
    home.write("src/journal.ts", "a\n");
    home.opened();
    const line =
      "[heed:sync] project · written 2026-05-02, never verified · fresh: its claim holds: The journal is written synchronously";
    expect(await use(tool, input)).toContain(`\n${line}\n`);
    expect(await use(tool, input)).toBe("");
    await home.start("s1", "compact");
    expect(await use(tool, input)).toContain(line);
  });

  test.each<[string, EventPart]>([
    ["a file that no claim names", { kind: "tool-use", tool: "Edit", input: { file_path: "src/other.ts" } }],
    ["a look", { kind: "tool-use", tool: "Read", input: { file_path: "src/journal.ts" } }],
    [
      "a client whose model hears nothing",
      { kind: "tool-use", tool: "Edit", input: { file_path: "src/journal.ts" }, reach: "none" },
    ],
  ])("is not told: %s", async (_, part) => {
    home.remember(SYNC);
    home.write("src/journal.ts", "a\n");
    home.opened();
    expect(await say(part)).toBe("");
  });

  test("not where only rules are told, by pull, or where it is off", async () => {
    home.remember(SYNC);
    home.opened();
    for (const mode of ["rules", "pull", "off"] as const) {
      await home.heed.setup.setMode(mode, { session: "s1" });
      expect(await edit("src/journal.ts")).toBe("");
    }
  });

  test("the decision comes, not a pointer at it; a stale one with its verdict; none that a prompt brought or the model wrote", async () => {
    home.write("src/a.ts", "export const a = 1;\n");
    home.remember(
      fact(
        "why",
        "Why a stays",
        ["path:src/a.ts"],
        "It is read by the billing job at night.\n\n**Why:** said by Kim.",
      ),
      fact("gone", "The lock is taken in b", ["path:src/b.ts"]),
      fact("whole", "The list is sorted by age", ["path:src/c.ts"]),
    );
    await home.start();
    expect(await edit("src/a.ts")).toContain(
      "Why a stays. It is read by the billing job at night. **Why:** said by Kim.",
    );
    expect(await edit("src/b.ts")).toMatch(
      /heed:gone\] project · .*stale: .*src\/b\.ts is.*: The lock is taken in b/,
    );
    expect(await home.prompt("Is the list sorted by age?")).toContain("[heed:whole]");
    await new Promise((resolve) => setImmediate(resolve));
    expect(await edit("src/c.ts")).toBe("");
    const draft = { type: "project", description: "The cache lives in d", claims: ["path:src/a.ts"] };
    await home.heed.memories.write(draft, { kind: "model", client: "test", session: "s1" });
    expect(await edit("src/a.ts")).toBe("");
    // What was told on the line is not told again on a prompt.
    expect(await home.prompt("Why a stays, read by the billing job?")).not.toContain("billing job at night");
  });

  test("three a prompt and eight a context, with a receipt for what was told and what was not", async () => {
    home.remember(
      ...Array.from({ length: 10 }, (_, i) => fact(`f${i}`, `Fact number ${i}`, [`path:src/f${i}.ts`])),
    );
    home.opened();
    const told = async (from: number): Promise<number> => {
      let count = 0;
      for (let i = from; i < 10; i++) if ((await edit(`src/f${i}.ts`)).includes("[heed:f")) count += 1;
      return count;
    };
    expect(await told(0)).toBe(3);
    for (const [from, count] of [
      [3, 3],
      [6, 2],
      [8, 0],
    ] as const) {
      await home.prompt("go on");
      await new Promise((resolve) => setImmediate(resolve));
      expect(await told(from)).toBe(count);
    }
    const [receipt] = await home.heed.session.receipts({ limit: 1 });
    expect(receipt).toMatchObject({ kind: "tool-use", decisions: [{ handle: "heed:f7", form: "line" }] });
  });
});

describe("an edit that breaks what must be", () => {
  const TEXT = "export const MAX_BATCH = 5;\n-- batches\nexport const other = 1;\n";
  const begin = async (memory: HandWritten = BATCH): Promise<void> => {
    home.remember(memory);
    home.write("src/limits.ts", TEXT);
    await home.start();
  };
  const PATCH =
    "*** Begin Patch\n*** Update File: src/limits.ts\n@@\n-export const MAX_BATCH = 5;\n+export const MAX_BATCH = 9;\n -- batches\n export const other = 1;\n*** End Patch";
  const DIFF =
    "--- a/src/limits.ts\n+++ b/src/limits.ts\n@@ -1,3 +1,2 @@\n-export const MAX_BATCH = 5;\n--- batches\n+export const MAX_BATCH = 9;\n export const other = 1;\n";

  test.each<[string, string, Record<string, unknown>]>([
    [
      "Edit",
      "Edit",
      { file_path: "src/limits.ts", old_string: "MAX_BATCH = 5", new_string: "MAX_BATCH = 9" },
    ],
    ["Write", "Write", { file_path: "src/limits.ts", content: TEXT.replace("5", "9") }],
    [
      "MultiEdit",
      "MultiEdit",
      {
        file_path: "src/limits.ts",
        edits: [
          { old_string: "other", new_string: "more" },
          { old_string: "= 5", new_string: "= 9" },
        ],
      },
    ],
    ["a patch", "apply_patch", { input: PATCH }],
    ["a diff", "apply_patch", { patch: DIFF }],
    [
      "a server's tool",
      "mcp__fs__edit_file",
      { path: "src/limits.ts", edits: [{ oldText: "= 5", newText: "= 9" }] },
    ],
  ])("is refused once, and passes the second time: %s", async (_, tool, input) => {
    await begin();
    expect(await use(tool, input)).toMatch(
      /^deny: heed: MAX_BATCH must stay 5: the vendor bans larger batches; this edit sets 9 \[heed:batch, written 2026-05-02\]\nNothing was changed\./,
    );
    expect(await use(tool, input)).toBe("");
  });

  test.each<[string, Record<string, unknown>]>([
    ["another part of the file", { old_string: "other = 1", new_string: "other = 2" }],
    ["the same value", { old_string: "MAX_BATCH = 5;", new_string: "MAX_BATCH = 5; // the vendor" }],
    ["an edit that fails", { old_string: "MAX_BATCH = 6", new_string: "MAX_BATCH = 9" }],
  ])("nothing is refused: %s", async (_, input) => {
    await begin();
    expect(await use("Edit", { file_path: "src/limits.ts", ...input })).not.toMatch(/^deny|this edit/);
  });

  test("what is broken already is not this edit's doing; another value is", async () => {
    await begin();
    home.write("src/limits.ts", TEXT.replace("5", "9"));
    expect(await edit("src/limits.ts", "other = 1", "other = 2")).not.toContain("this edit");
    expect(await edit("src/limits.ts", "= 9", "= 12")).toContain("this edit sets 12");
  });

  test.each<[string, string[], string, string, string, string]>([
    [
      "a value without its name in the statement",
      ["must:path:src/limits.ts::MAX_BATCH=5"],
      "src/limits.ts",
      "= 5",
      "= 9",
      "MAX_BATCH must stay 5: The vendor bans more; this edit sets 9",
    ],
    [
      "a value that goes",
      ["must:path:src/limits.ts::MAX_BATCH=5"],
      "src/limits.ts",
      "export const MAX_BATCH = 5;\n",
      "",
      "after this edit src/limits.ts no longer sets MAX_BATCH",
    ],
    [
      "a key",
      ["must:config:tsconfig.json#strict=true"],
      "tsconfig.json",
      "true",
      "false",
      "strict must stay true: The vendor bans more; this edit sets false",
    ],
    [
      "a dependency",
      ["must:dep:react@^18"],
      "package.json",
      "^18.2.0",
      "^19.0.0",
      "react must stay ^18: The vendor bans more; this edit sets ^19.0.0",
    ],
    [
      "what must not be there",
      ["must:absent:dep:left-pad"],
      "package.json",
      '"react"',
      '"left-pad": "1", "react"',
      "after this edit",
    ],
    [
      "a text",
      ['must:path:src/limits.ts::"other = 1"'],
      "src/limits.ts",
      "other = 1",
      "other = 2",
      'src/limits.ts must hold "other = 1": The vendor bans more',
    ],
  ])("%s", async (_, claims, path, old, now, said) => {
    await begin(fact("norm", "The vendor bans more", claims));
    home.write("tsconfig.json", '{ "strict": true }\n');
    home.write("package.json", '{ "dependencies": { "react": "^18.2.0" } }\n');
    expect(await edit(path, old, now)).toContain(said);
  });

  test("a rule that asks, asks, with what the edit breaks", async () => {
    const metadata = [
      'claims: ["must:path:src/limits.ts::MAX_BATCH=5"]',
      "guard: { writes: src/limits.ts, action: ask }",
    ];
    const rule = { ...BATCH, type: "feedback", metadata, body: "It must.\n\n**Why:** banned." };
    home.remember(rule);
    home.write("src/limits.ts", TEXT);
    await home.start();
    await home.prompt("raise the limit");
    await new Promise((resolve) => setImmediate(resolve));
    const client = { client: "claude-code", clientVersion: "2.1.330", permissionMode: "default" };
    const input = { file_path: "src/limits.ts", old_string: "= 5", new_string: "= 9" };
    expect(await use("Edit", input, client)).toMatch(
      /^ask: heed: MAX_BATCH must stay 5: [^\n]*; this edit sets 9/,
    );
  });

  test("without a session that could tell a second time it is only said; a store that nobody approved refuses nothing", async () => {
    home.write("src/limits.ts", TEXT);
    home.remember(BATCH);
    const input = { file_path: "src/limits.ts", old_string: "= 5", new_string: "= 9" };
    expect(await use("Edit", input, { session: "" })).toMatch(
      /^[^]*heed: MAX_BATCH must stay 5.*this edit sets 9[^]*Tell the user/,
    );
    expect(await use("Edit", input, { session: "" })).not.toMatch(/^deny/);
  });

  test("a project store that nobody approved refuses nothing", async () => {
    home.write("src/limits.ts", TEXT);
    home.write(".heed/project/batch.md", readFileSync(home.remember(BATCH)[0]!, "utf8"));
    home.write(join(home.userStore, "project/batch.md"), "");
    await home.start();
    expect(await edit("src/limits.ts", "= 5", "= 9")).not.toMatch(/^deny/);
  });
});

describe("a command that a solution says failed", () => {
  const solution = (body: string): HandWritten => ({
    type: "solution",
    name: "port",
    description: "Tests need the database port",
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
    const told = await use("Bash", { command });
    expect([line.test(told), told.split("Tests need the database").length]).toEqual([isTold, isTold ? 2 : 1]);
    expect(await use("Bash", { command })).toBe("");
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
  ])("what worked then is told, once a context, with its day: %s", async (_, failed, worked) => {
    await played([[failed, true], [worked]]);
    expect(await fails(failed)).toBe(
      `heed: by the record of an earlier session here, no instruction: worked on 2026-11-20: \`${worked}\``,
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
    ["a password", [["make ci", true], ["DB_PASSWORD=testpass1 make ci"]], "make ci"],
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
      description: "Never bypass the hooks",
      metadata: ["guard: { command: git commit, flags: [--no-verify] }"],
    });
    await played([["git commit -m x", true], ["git commit --no-verify -m x"]]);
    expect(await fails("git commit -m x")).toBe("");
  });
});

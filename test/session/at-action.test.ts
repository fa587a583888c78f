import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type EventPart, type HandWritten, TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();

const fact = (name: string, statement: string, claims: string[], body?: string): HandWritten => ({
  type: "project",
  name,
  statement,
  ...(body !== undefined && { body }),
  metadata: [`claims: ${JSON.stringify(claims)}`],
});
const BATCH = fact("batch", "MAX_BATCH must stay 5: the vendor bans larger batches", [
  "must:path:src/limits.ts::MAX_BATCH=5",
]);
const SYNC = fact("sync", "The journal is written synchronously", ["path:src/journal.ts"]);

async function say(part: EventPart): Promise<string> {
  const { context = "", decision } = await home.event(part);
  return decision ? `${decision.action}: ${decision.reason}` : context;
}
const use = (tool: string, input: Record<string, unknown>, more = {}): Promise<string> =>
  say({ kind: "tool-use", tool, input, ...more });
const edit = (path: string, old_string = "a", new_string = "b"): Promise<string> =>
  use("Edit", { file_path: join(home.project, path), old_string, new_string });

describe("a fact with a claim on the file of an edit", () => {
  test.each(
    parse(String.raw`
    - [Edit, Edit, {file_path: src/journal.ts, old_string: a, new_string: b}]
    - [a notebook, NotebookEdit, {notebook_path: src/journal.ts, new_source: b}]
    - [Codex's patch, apply_patch, {command: "*** Begin Patch\n*** Update File: src/journal.ts\n@@\n-a\n+b\n*** End Patch"}]
    - [opencode's spelling, Edit, {filePath: src/journal.ts, oldString: a, newString: b}]
  `) as [string, string, Record<string, unknown>][],
  )("is told with date and verdict, once a context: %s", async (_, tool, input) => {
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
    expect(await edit("src/c.ts")).toBe("");
    const draft = { type: "project", statement: "The cache lives in d", claims: ["path:src/a.ts"] };
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

  test.each(
    parse(String.raw`
    - [Edit, Edit, {file_path: src/limits.ts, old_string: MAX_BATCH = 5, new_string: MAX_BATCH = 9}]
    - [Write, Write, {file_path: src/limits.ts, content: "export const MAX_BATCH = 9;\n-- batches\nexport const other = 1;\n"}]
    - [MultiEdit, MultiEdit, {file_path: src/limits.ts, edits: [{old_string: other, new_string: more}, {old_string: = 5, new_string: = 9}]}]
    - [a patch, apply_patch, {input: "*** Begin Patch\n*** Update File: src/limits.ts\n@@\n-export const MAX_BATCH = 5;\n+export const MAX_BATCH = 9;\n -- batches\n export const other = 1;\n*** End Patch"}]
    - [a diff, apply_patch, {patch: "--- a/src/limits.ts\n+++ b/src/limits.ts\n@@ -1,3 +1,2 @@\n-export const MAX_BATCH = 5;\n--- batches\n+export const MAX_BATCH = 9;\n export const other = 1;\n"}]
    - [a server's tool, mcp__fs__edit_file, {path: src/limits.ts, edits: [{oldText: = 5, newText: = 9}]}]
    - [a server's write, mcp__fs__write_file, {path: src/limits.ts, content: "export const MAX_BATCH = 9;\n-- batches\nexport const other = 1;\n"}]
    - [an editor's new file, Edit, {command: create, path: src/limits.ts, file_text: "export const MAX_BATCH = 9;\n-- batches\nexport const other = 1;\n"}]
    - [a moved file's diff, apply_patch, {patch: "rename from src/limits.ts\nrename to src/x.ts\n--- a/src/limits.ts\n+++ b/src/limits.ts\n@@ -1,3 +1,2 @@\n-export const MAX_BATCH = 5;\n--- batches\n+export const MAX_BATCH = 9;\n export const other = 1;\n"}]
  `) as [string, string, Record<string, unknown>][],
  )("is refused once, and passes the second time: %s", async (_, tool, input) => {
    await begin();
    expect(await use(tool, input)).toMatch(
      /^deny: heed: MAX_BATCH must stay 5: the vendor bans larger batches; this edit sets 9 \[heed:batch, written 2026-05-02\]\nNothing was changed\./,
    );
    expect(await use(tool, input)).toBe("");
  });

  test.each(
    parse(String.raw`
    - [a diff to /dev/null, apply_patch, {patch: "--- a/src/limits.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const MAX_BATCH = 5;\n"}]
    - [a deleted file without lines, apply_patch, {patch: "diff --git a/src/limits.ts b/src/limits.ts\ndeleted file mode 100644\nindex e69de29..0000000\n"}]
    - [Codex's deletion, apply_patch, {input: "*** Begin Patch\n*** Delete File: src/limits.ts\n*** End Patch"}]
    - [a rename, apply_patch, {patch: "rename from src/limits.ts\nrename to src/x.ts\n"}]
    - [a server's deletion, mcp__fs__delete_file, {path: src/limits.ts}]
    - [a server's move, mcp__fs__move_file, {source: src/limits.ts, destination: src/x.ts}]
  `) as [string, string, Record<string, unknown>][],
  )("a file that goes is refused once: %s", async (_, tool, input) => {
    await begin();
    expect(await use(tool, input)).toMatch(
      /^deny: heed: MAX_BATCH must stay 5: .* larger batches; after this edit src\/limits\.ts is not here/,
    );
    expect(await use(tool, input)).toBe("");
  });

  test.each<[string, string, boolean]>([
    ["of each edit", '[{ "old_string": "3", "new_string": "5", "replace_all": true }]', true],
    [
      "of another edit",
      '[{ "old_string": "other", "new_string": "more", "replace_all": true }, { "old_string": "3", "new_string": "5" }]',
      false,
    ],
  ])("replace_all is %s", async (_, edits, isBroken) => {
    home.remember(fact("last", "The last value stays 3", ["must:path:src/limits.ts::LAST=3"]));
    home.write("src/limits.ts", "export const FIRST = 3;\nexport const other = 1;\nexport const LAST = 3;\n");
    await home.start();
    const said = await use("MultiEdit", { file_path: "src/limits.ts", edits: JSON.parse(edits) as unknown });
    expect(said.includes("this edit sets 5")).toBe(isBroken);
  });

  test.each(
    parse(`
    - [a dry run, mcp__fs__edit_file, {path: src/limits.ts, edits: [{oldText: = 5, newText: = 9}], dryRun: true}]
    - [what may be added, mcp__fs__write_file, {path: src/limits.ts, content: x, mode: append}]
    - [an editor's look, Edit, {command: view, path: src/limits.ts}]
    - [another part of the file, Edit, {file_path: src/limits.ts, old_string: other = 1, new_string: other = 2}]
    - [the same value, Edit, {file_path: src/limits.ts, old_string: MAX_BATCH = 5;, new_string: MAX_BATCH = 5; // the vendor}]
    - [an edit that fails, Edit, {file_path: src/limits.ts, old_string: MAX_BATCH = 6, new_string: MAX_BATCH = 9}]
  `) as [string, string, Record<string, unknown>][],
  )("nothing is refused: %s", async (_, tool, input) => {
    await begin();
    expect(await use(tool, input)).not.toMatch(/^deny|this edit/);
  });

  test("what is broken already is not this edit's doing; another value is", async () => {
    await begin();
    home.write("src/limits.ts", TEXT.replace("5", "9"));
    expect(await edit("src/limits.ts", "other = 1", "other = 2")).not.toContain("this edit");
    expect(await edit("src/limits.ts", "= 9", "= 12")).toContain("this edit sets 12");
  });

  test.each(
    parse(String.raw`
    - [a value without its name in the statement, [must:path:src/limits.ts::MAX_BATCH=5], src/limits.ts, = 5, = 9, "MAX_BATCH must stay 5: The vendor bans more; this edit sets 9"]
    - [a value that goes, [must:path:src/limits.ts::MAX_BATCH=5], src/limits.ts, "export const MAX_BATCH = 5;\n", "", after this edit src/limits.ts no longer sets MAX_BATCH]
    - [a key, [must:config:tsconfig.json#strict=true], tsconfig.json, "true", "false", "strict must stay true: The vendor bans more; this edit sets false"]
    - [a dependency, [must:dep:react@^18], package.json, ^18.2.0, ^19.0.0, "react must stay ^18: The vendor bans more; this edit sets ^19.0.0"]
    - [what must not be there, [must:absent:dep:left-pad], package.json, '"react"', '"left-pad": "1", "react"', after this edit]
    - [a text, [must:path:src/limits.ts::"other = 1"], src/limits.ts, other = 1, other = 2, 'src/limits.ts must hold "other = 1": The vendor bans more']
  `) as [string, string[], string, string, string, string][],
  )("%s", async (_, claims, path, old, now, said) => {
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

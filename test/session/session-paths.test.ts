import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { initRepository, rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
beforeEach(() => {
  place.remember(
    rule("append-only", "Never edit a migration that is on main", ['scope: { paths: ["migrations/**"] }']),
    rule("tabs", "Indent with tabs"),
  );
  place.write("migrations/001.sql", "select 1;\n");
});

const TEXT = `Standing rules that the user gave and heed keeps for the paths that this tool touches:
- Never edit a migration that is on main [heed:append-only]
  Why: it went wrong once.
  How to apply: every time.`;

const use = async (input: Record<string, unknown>, more = {}): Promise<string> =>
  (await place.event({ kind: "tool-use", tool: "T", input, ...more })).context ?? "";

test("a rule of a path is not in the block, and comes at the first touch, once", async () => {
  expect(await place.start()).not.toContain("append-only");
  expect(await use({ file_path: join(place.project, "src/a.ts") })).toBe("");
  expect(await use({ file_path: join(place.project, "migrations/001.sql") })).toBe(TEXT);
  expect(await use({ file_path: join(place.project, "migrations/001.sql") })).toBe("");
});

test("it comes again when it was compacted away, and when it changed", async () => {
  place.opened();
  await use({ path: "migrations" });
  await place.start("s1", "compact");
  expect(await use({ path: "migrations" })).toBe(TEXT);
  place.remember(rule("append-only", "Never edit any migration", ['scope: { paths: ["migrations/**"] }']));
  // Edited by hand, it says what was approved until somebody has looked.
  expect(await use({ path: "migrations" })).toBe("");
  await place.heed.setup.trust({ store: "user" });
  expect(await use({ path: "migrations" })).toContain("- Never edit any migration [heed:append-only]");
});

test("it comes again when it is in force again after the session was told that it is not", async () => {
  const scope = 'scope: { paths: ["migrations/**"], branch: main }';
  place.remember(rule("append-only", "Never edit a migration that is on main", [scope]));
  place.git("symbolic-ref", "HEAD", "refs/heads/main");
  await place.start();
  expect(await use({ path: "migrations" })).toContain("[heed:append-only]");
  place.git("symbolic-ref", "HEAD", "refs/heads/other");
  expect(await place.prompt("and then?")).toContain(
    "No longer in force, not to be relied on: heed:append-only",
  );
  place.git("symbolic-ref", "HEAD", "refs/heads/main");
  expect(await use({ path: "migrations" })).toContain("[heed:append-only]");
  expect(await use({ path: "migrations" })).toBe("");
});

test("each subagent is told on its own", async () => {
  place.opened();
  expect(await use({ path: "migrations" }, { agentId: "a1" })).toBe(TEXT);
  expect(await use({ path: "migrations" }, { agentId: "a1" })).toBe("");
  expect(await use({ path: "migrations" }, { agentId: "a2" })).toBe(TEXT);
  expect(await use({ path: "migrations" })).toBe(TEXT);
  // A compaction of the main context ends none of theirs.
  await place.start("s1", "compact");
  expect(await use({ path: "migrations" }, { agentId: "a1" })).toBe("");
});

describe("touched through", () => {
  beforeEach(() => {
    place.opened();
    place.opened("s2");
  });

  test.each([
    ["a notebook", { notebook_path: "migrations/n.ipynb" }],
    ["a command", { command: "git rm -q -- migrations/001.sql" }],
    ["a quoted path", { command: "cat 'migrations/001.sql'" }],
    ["an option", { command: "tool --file=./migrations/001.sql" }],
    ["a redirection", { command: "cat 'my file' 2>migrations/001.sql" }],
    ["a patch", { command: "*** Update File: migrations/001.sql" }],
    ["one of a list", { file_path: ["migrations/001.sql"] }],
  ])("%s", async (_, input) => {
    expect(await use(input)).toBe(TEXT);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a URL", { command: "curl https://x.org/migrations/001.sql" }],
    ["a pattern that is looked for", { path: "src", pattern: "migrations/001.sql" }],
    ["what is replaced", { file_path: "src/b.ts", old_string: "migrations/001.sql" }],
    ["beyond what is looked at", { command: `"${"a/b ".repeat(100_000)} migrations/001.sql` }],
    ["an endless quotation", { command: "'".repeat(1_000_000) }],
  ])("not by %s", async (_, input) => {
    expect(await use(input)).toBe("");
  });

  test("a path relative to the directory that the session moved to", async () => {
    place.write("sub/x", "");
    expect(await use({ path: "../migrations/001.sql" }, { cwd: join(place.project, "sub") })).toBe(TEXT);
  });

  test("a link to the repository", async () => {
    const link = join(place.folder, "link");
    symlinkSync(place.project, link);
    expect(await use({ file_path: join(link, "migrations/001.sql") }, { cwd: link })).toBe(TEXT);
    expect(
      await use({ file_path: join(place.project, "migrations/001.sql") }, { cwd: link, session: "s2" }),
    ).toBe(TEXT);
  });

  test("not by what lies outside", async () => {
    expect(await use({ file_path: "/migrations/001.sql" })).toBe("");
    expect(await use({ file_path: "../migrations/001.sql" })).toBe("");
  });
});

test("a session in a submodule, and in one of that, says whose memories it sees", async () => {
  mkdirSync(join(place.project, ".heed"), { recursive: true });
  for (const [inner, modules] of [
    ["vendor/lib", ".git/modules/lib"],
    ["vendor/lib/deep", ".git/modules/lib/.git/modules/deep"],
  ] as const) {
    initRepository(join(place.project, modules));
    place.write(`${inner}/.git`, `gitdir: ${join(place.project, modules, ".git")}\n`);
    const cwd = join(place.project, inner);
    expect((await place.begin(inner, { cwd })).context).toContain(
      `the memories of the repository around it (${place.project}/.heed) are not told here`,
    );
  }
  expect(await place.start("s8")).not.toContain("submodule");
});

import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportReport, ImportRequest } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

const write = (path: string, text: string | Buffer): string => {
  const file = place.write(join(place.folder, path), "");
  writeFileSync(file, text);
  return file;
};
const take = (path: string, request: Partial<ImportRequest> = {}): Promise<ImportReport> =>
  place.heed.exchange.importFrom(
    { from: join(place.folder, path), isApplied: true, ...request },
    { kind: "person" },
  );
const outcomes = ({ memories }: ImportReport): string[] =>
  memories.map(({ outcome, statement }) => `${outcome}: ${statement}`);
const leftOut = (report: ImportReport): string[] =>
  report.leftOut.map(({ place: at, reason }) => `${at}: ${reason}`);

const GUIDE =
  "# Guide\n\n## Layout\n\n- `api/` holds the handlers\n\n## Rules\n\n- Never commit to main\n- Run the tests first\n";

describe("a file of instructions holds rules, facts and neither", () => {
  test.each([
    "project/CLAUDE.md",
    "project/.cursor/rules/guide.mdc",
    "project/memory-bank/systemPatterns.md",
    "home/.claude/CLAUDE.md",
  ])("%s: nothing is written until somebody says which is which", async (path) => {
    write(path, GUIDE);
    const from = path.includes("bank") ? dirname(path) : path;
    const open = await take(from);
    expect(open.memories.map(({ outcome, section }) => `${outcome} ${section}`)).toEqual([
      "open Layout",
      "open Rules",
      "open Rules",
    ]);
    expect(await place.heed.memories.list()).toEqual([]);
    await expect(take(from, { type: "rule" })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/no type "rule"; there are feedback, /) as string,
    });
    const [layout, main] = open.memories;
    await take(from, { types: { [layout!.place]: "project", [main!.place]: "feedback" } });
    const kept = await place.heed.memories.list();
    expect(kept.map(({ type, statement }) => `${type}: ${statement}`).sort()).toEqual([
      "feedback: Rules: Never commit to main",
      "project: Layout: `api/` holds the handlers",
    ]);
    // What was left can be taken later.
    expect((await take(from, { type: "feedback" })).memories.map(({ outcome }) => outcome).sort()).toEqual([
      "known",
      "known",
      "new",
    ]);
  });

  test("where a statement came from is its origin, and no part of its text", async () => {
    const folder = "project/.cursor/rules";
    write(
      `${folder}/vue.mdc`,
      "---\nalwaysApply: true\n---\n- Use `v-html` with user input only after escaping\n",
    );
    await take(folder, { type: "feedback" });
    const name = (await place.heed.memories.list())[0]!.name;
    const shown = await place.heed.memories.show(name);
    expect(shown.metadata.origin).toMatchObject({ from: ".cursor/rules/vue.mdc:4" });
    expect(shown.body).toBe("Use `v-html` with user input only after escaping");
    expect(shown.notes).toContain("imported from .cursor/rules/vue.mdc:4");
    expect(shown.verdict?.paths.missing ?? []).toEqual([]);
  });

  test.each([
    ["project/.cursor/rules/a.mdc", "description: SQL migrations\nalwaysApply: false\n"],
    ["project/.cursor/rules/a.mdc", "description: SQL migrations\nglobs:\n"],
    ["project/.windsurf/rules/a.md", "trigger: model_decision\ndescription: SQL migrations\n"],
    ["project/.kiro/steering/a.md", "inclusion: manual\ndescription: SQL migrations\n"],
    ["project/.continue/rules/a.md", "alwaysApply: false\ndescription: SQL migrations\n"],
    ["project/.github/instructions/a.instructions.md", "description: SQL migrations\n"],
  ])("%s, which its agent asks for, is no rule of every session (%#)", async (path, head) => {
    write(path, `---\n${head}---\n- Add a down migration\n`);
    const asRule = await take(path, { type: "feedback" });
    expect([outcomes(asRule), asRule.leftOut[0]?.reason]).toEqual([
      [],
      expect.stringContaining("on request, so it is no rule of every session"),
    ]);
    await take(path, { type: "project" });
    const name = (await place.heed.memories.list())[0]!.name;
    expect((await place.heed.memories.show(name)).body).toBe(
      "Add a down migration\n\n**How to apply:** SQL migrations",
    );
  });

  test.each([
    ["project/.cursor/rules/a.mdc", "description: SQL\nalwaysApply: true\n", []],
    ["project/.cursor/rules/a.mdc", "description: SQL\nglobs: '*.sql'\nalwaysApply: false\n", ["*.sql"]],
    ["project/.claude/rules/a.md", "description: SQL\n", []],
    ["project/.windsurf/rules/a.md", "trigger: always_on\ndescription: SQL\n", []],
    ["project/.github/instructions/a.instructions.md", "description: SQL\napplyTo: '**'\n", []],
  ])("%s, which always holds or on paths, can be a rule (%#)", async (path, head, paths) => {
    write(path, `---\n${head}---\n- Add a down migration\n`);
    await take(path, { type: "feedback" });
    expect((await place.heed.memories.list()).map(({ scope }) => scope.paths)).toEqual([paths]);
  });
});

describe("the marks of a text are no part of what it says", () => {
  test.each([
    [
      "Rules\n=====\n\nNever push to main.\n\nLayout\n------\n\n- api holds handlers\n",
      "Rules: Never push to main.",
      "Layout: api holds handlers",
    ],
    ["# R\n\n> Never push to main.\n> Nor to next.\n", "R: Never push to main. Nor to next."],
    ["# R\n\n> [!IMPORTANT]\n> Never push to main.\n", "R: Never push to main."],
    ["# R\n\n> - Never push\n> - Never pull\n", "R: Never push", "R: Never pull"],
    [
      "# R\n\n<critical_rules>\n- Never push\n</critical_rules>\n<details open>\n\nNever pull\n",
      "R: Never push",
      "R: Never pull",
    ],
    [
      "# R\n\nUse pnpm\n\n---\n\n- pnpm\n- 常に英語でコミットを書く\n",
      "R: Use pnpm",
      "R: 常に英語でコミットを書く",
    ],
    [
      "# R\n\n| Command | What |\n|:--|--:|\n| `npm test` | runs \\| all `a|b` |\n|  | alone here |\n",
      "R: `npm test`: runs | all `a|b`",
      "R: alone here",
    ],
    [
      "# R\n\n| File | Holds | Owner |\n|---|---|---|\n| `api/` | handlers | ann |\n| `db/` | | bob |\n\nAfter it.\n",
      "R: `api/`: Holds: handlers; Owner: ann",
      "R: `db/`: Owner: bob",
      "R: After it.",
    ],
    ["# R\n\n- Say why:\n  > because\n", "R: Say why: > because"],
    ["# R\n\n- [x] pay\n* [X] ship it\n- [ ] Run the tests\n\nDone:\n- [x] a\n- [x] b\n", "R: Run the tests"],
  ])("%j", async (text, ...said) => {
    write("project/CLAUDE.md", text);
    const { memories } = await take("project/CLAUDE.md", { isApplied: false });
    expect(
      memories.map(({ section, statement }) => `${section}: ${statement.replace(/^Layout: /, "")}`),
    ).toEqual(said);
  });
});

describe("nothing of a source is lost without a word", () => {
  const PIPE = "a pipe";
  const FACT =
    "---\nname: a\ndescription: the board is on port 8443\ntype: project\n---\nIt is on port 8443.\n";
  test.each([
    [
      "a text beside the memories",
      { "a.md": FACT, "b.txt": "The queue is on port 8444\n" },
      ["b.txt: not read as"],
    ],
    [
      "a folder that is too deep",
      { "a.md": FACT, "1/2/3/4/5/6/7/8/9/z.md": FACT },
      ["1/2/3/4/5/6/7/8/9: a folder more than 8 levels down"],
    ],
    [
      "an index that is one alone",
      { "a.md": FACT, "sub/MEMORY.md": "- [a](../a.md)\n" },
      ["sub/MEMORY.md: an index"],
    ],
    [
      "an index of what is gone, and code in one",
      { "a.md": FACT, "MEMORY.md": "```\nkafka 9092\n```\n\n- [b](b.md) – the bus is on 9092\n" },
      ["MEMORY.md:1: code without", "MEMORY.md:5: it includes b.md, which is not there"],
    ],
    [
      "notes in an index below, and a note that points somewhere",
      {
        "a.md": FACT,
        "sub/MEMORY.md": "- See [a](../a.md)\n- Never restart the broker by hand, see [a](../a.md)\n",
        "index.md": "- Staging runs on host st-1\n",
      },
      [],
    ],
    ["a pipe", { "a.md": FACT, "notes.md": PIPE }, ["notes.md: no file, but a pipe, socket or device"]],
  ])("%s", async (_, files: Record<string, string>, left) => {
    for (const [file, text] of Object.entries(files))
      if (text === PIPE) execFileSync("mkfifo", [join(place.folder, "notes", file)]);
      else write(`notes/${file}`, text);
    const report = await take("notes", { isApplied: false });
    expect(leftOut(report)).toEqual(left.map((line) => expect.stringContaining(line)));
    expect(outcomes(report).length).toBe(left.length > 0 ? 1 : 3);
  });

  test("a pipe by itself", async () => {
    const pipe = join(place.project, "CLAUDE.md");
    execFileSync("mkfifo", [pipe]);
    await expect(take("project/CLAUDE.md")).rejects.toThrow(`${pipe} is no file, but a pipe`);
  });

  test("a text of too many lines", async () => {
    write("project/CLAUDE.md", `- Wrap at 100\n${"\n".repeat(20_000)}- Never push\n`);
    const report = await take("project/CLAUDE.md", { isApplied: false });
    expect(leftOut(report)).toEqual(["CLAUDE.md:20001: it goes on after 20000 lines: split it"]);
  });
});

describe("what an instruction file includes", () => {
  test("files of the repository and of ~/.claude, each once; what is missing or elsewhere is named", async () => {
    write("outside.md", "- Never tell\n");
    write("home/.claude/mine.md", "- Answer in German\n");
    write("project/docs/style.md", "# Style\n\n- Write British English\n\n@../CLAUDE.md @deep.md\n");
    write("project/docs/deep.md", "- Wrap at 100\n");
    write("project/package.json", "{}");
    write(
      "project/CLAUDE.md",
      "@docs/style.md\n@missing.md\n\n@~/.claude/mine.md\n\nSee @docs/style.md and @package.json for more.\n\n- `@types/node` and @types/react are pinned\n@docs/style.md\n- @../outside.md\n\n```\n@docs/code.md\n```\n",
    );
    const report = await take("project/CLAUDE.md", { isApplied: false });
    expect(report.memories.map(({ place: at, statement }) => `${at} ${statement}`)).toEqual([
      "docs/style.md:3 Write British English",
      "docs/deep.md:1 Wrap at 100",
      "../home/.claude/mine.md:1 Answer in German",
      "CLAUDE.md:6 See @docs/style.md and @package.json for more.",
      "CLAUDE.md:8 `@types/node` and @types/react are pinned",
    ]);
    expect(leftOut(report)).toEqual([
      "CLAUDE.md:2: it includes missing.md, which is not there",
      "CLAUDE.md:10: it includes ../outside.md, outside of the repository and of ~/.claude",
    ]);
  });

  test("at most five deep", async () => {
    for (let i = 0; i < 8; i++) write(`project/${i}.md`, `- Statement number ${i}\n\n@${i + 1}.md\n`);
    write("project/CLAUDE.md", "@0.md\n");
    const report = await take("project/CLAUDE.md", { isApplied: false });
    expect(report.memories).toHaveLength(5);
    expect(leftOut(report)).toEqual(["4.md:3: it is included 6 files deep, 5 at most"]);
  });
});

describe("files that are no plain UTF-8 text of their own", () => {
  test.each([
    ["a link beside it", "project/AGENTS.md", "project/CLAUDE.md", ["open: Wrap at 100"], []],
    [
      "a link in the home's own folder",
      "home/dotfiles/c.md",
      "home/.claude/CLAUDE.md",
      ["open: Wrap at 100"],
      [],
    ],
    [
      "a link out of the repository",
      "outside.md",
      "project/CLAUDE.md",
      [],
      ["CLAUDE.md: a link out of the repository, to FOLDER/outside.md: import that"],
    ],
  ])("%s", async (_, target, link, memories, reasons) => {
    write(target, "- Wrap at 100\n");
    write(join(dirname(link), "x"), "");
    symlinkSync(join(place.folder, target), join(place.folder, link));
    const report = await take(link, { isApplied: false });
    expect([outcomes(report), leftOut(report).map((line) => line.replace(place.folder, "FOLDER"))]).toEqual([
      memories,
      reasons,
    ]);
  });

  test("links of a folder are read once, and those out of it are named", async () => {
    write("secret.md", "- Never tell\n");
    write("project/.claude/rules/a.md", "- Wrap at 100\n");
    write("project/docs/b.md", "- Indent by 2\n");
    for (const [name, target] of [
      ["b", "project/docs/b.md"],
      ["c", "project/docs/b.md"],
      ["d", "project/.claude/rules/a.md"],
      ["e", "secret.md"],
      ["f", "gone.md"],
    ] as const)
      symlinkSync(join(place.folder, target), join(place.folder, `project/.claude/rules/${name}.md`));
    const report = await take("project/.claude/rules", { isApplied: false });
    expect(outcomes(report)).toEqual(["open: Wrap at 100", "open: Indent by 2"]);
    expect(report.leftOut.map(({ place: at }) => at)).toEqual(["e.md", "f.md"]);
  });

  const marked = (encoding: "utf16le" | "utf16be"): Buffer => {
    const bytes = Buffer.from("\uFEFF- Größe: wrap at 100\r\n", "utf16le");
    return encoding === "utf16le" ? bytes : bytes.swap16();
  };
  test.each([
    ["UTF-16 of PowerShell", marked("utf16le"), "open: Größe: wrap at 100"],
    ["UTF-16, big-endian", marked("utf16be"), "open: Größe: wrap at 100"],
    ["UTF-16 without a mark", marked("utf16le").subarray(2), "open: Größe: wrap at 100"],
    ["UTF-8 with a mark", Buffer.from("\uFEFF- Größe: wrap at 100\n"), "open: Größe: wrap at 100"],
    ["Latin-1", Buffer.from("- Größe: wrap at 100\n", "latin1"), "it is not UTF-8, but Latin-1"],
    ["damaged UTF-16", Buffer.from([0xff, 0xfe, 0x41]), "UTF-16 that is damaged"],
    ["no text", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]), "it is not text"],
  ])("%s", async (_, bytes, said) => {
    write("project/AGENTS.md", bytes);
    const report = await take("project/AGENTS.md", { isApplied: false });
    expect([...outcomes(report), ...leftOut(report)].join()).toContain(said);
  });
});

describe("a folder of an agent's notes is told by what its tool alone writes", () => {
  test.each([
    [
      "project/.cursor/rules",
      { "a.mdc": "- Wrap at 100\n", "b.md": "- [x] done long ago\n" },
      "cursor-rules",
    ],
    ["project/memory-bank", { "progress.md": "- [x] done long ago\n- [ ] to be done\n" }, "memory-bank"],
    ["project/docs", { "concepts/a.md": "---\ntitle: A\n---\nText.\n" }, undefined],
    ["project/notes", { "a.md": "---\npermalink: a\n---\n- [fact] It is so\n" }, "basic-memory"],
    ["project", { "memory/2026-03-02.md": "Moved the ledger.\n", "README.md": "x\n" }, "markdown-memory"],
  ])("%s: %o", async (path, files, format) => {
    for (const [file, text] of Object.entries(files)) write(`${path}/${file}`, text);
    const read = await take(path, { isApplied: false }).catch((error: unknown) => error);
    expect(read).toMatchObject(format === undefined ? { code: "invalid-input" } : { format });
  });

  test.each([
    [
      "project/.serena/memories",
      {
        "project_overview.md": "# Overview\n\nA shop.\n\n## Stack\n\nDjango 5.\n",
        "till.md": "---\ntitle: Tills\naliases: [cash desk, checkout]\n---\nThey run on host st-3.\n",
      },
      ["project: Overview: A shop.", "project: Tills: They run on host st-3. (cash desk, checkout)"],
    ],
    [
      "project/.serena",
      { "memories/arch/bus.md": "# Bus\n\nThe event bus is NATS.\n", "project.yml": "name: x\n" },
      ["project: Bus: The event bus is NATS."],
    ],
    [
      "notes/MEMORY.md",
      { "": "# Memory\n\n- The board is on port 8443\n" },
      ["project: The board is on port 8443"],
    ],
    [
      "notes/memory",
      { "2026-03-01.md": "Moved the ledger.\n", "MEMORY.md": "| a | b |\n|---|---|\n" },
      ["episode: 2026 03 01: Moved the ledger."],
    ],
    [
      "home/.claude/projects/HERE/memory",
      {
        "MEMORY.md": "- [board](board.md) — where it is\n- Staging runs on host st-1\n",
        "board.md": "# Board\n\nIt is on port 8443.\n\n## More\n\nSee there.\n",
      },
      ["project: Board: It is on port 8443.", "project: Staging runs on host st-1"],
    ],
  ])("%s", async (path, files, said) => {
    const from = path.replace("HERE", place.project.replace(/[^A-Za-z0-9]/g, "-"));
    for (const [file, text] of Object.entries(files)) write(join(from, file), text);
    await take(from);
    const kept = await place.heed.memories.list({ types: ["project", "episode"] });
    const saidOf = ({ type, statement, aliases }: (typeof kept)[number]): string =>
      `${type}: ${statement}${aliases.length > 0 ? ` (${aliases.join(", ")})` : ""}`;
    expect(kept.map(saidOf).sort()).toEqual(said);
  });
});

test("notes in the index of an attached folder are named by check, and imported from there; a note of no type is a fact", async () => {
  const folder = join("home/.claude/projects", place.project.replace(/[^A-Za-z0-9]/g, "-"), "memory");
  write(
    `${folder}/MEMORY.md`,
    "# Memory\n\n- [Board](board.md) — where it is\n- Staging runs on host st-1\n",
  );
  write(`${folder}/sub/MEMORY.md`, "- The queue runs on host st-2\n");
  write(`${folder}/sub/queue.md`, "# Queue\n\nIt is on port 8444.\n");
  write(`${folder}/board.md`, "# Board\n\n## Where\n\nIt is on port 8443.\n\n## More\n\nSee there.\n");
  await place.heed.setup.attach(join(place.folder, folder), {}, { kind: "person" });
  const attached = (await place.heed.maintenance.check()).stores.find(
    ({ store }) => store.kind === "attached",
  );
  const named = attached?.problems.filter(({ code }) => code === "notes-in-index");
  expect(named?.map(({ file, line }) => `${file}:${line}`)).toEqual(["MEMORY.md:4", "sub/MEMORY.md:1"]);
  expect((await place.heed.memories.list()).map(({ type, name }) => [type, name])).toEqual([
    ["project", "board"],
    ["project", "queue"],
  ]);
  await take(`${folder}/MEMORY.md`);
  expect((await place.heed.memories.search({ query: "staging host" })).hits[0]?.metadata.statement).toBe(
    "Staging runs on host st-1",
  );
});

import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ImportReport, ImportRequest } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;

const place = TemporaryHeed.forEachTest();

const write = (path: string, text: string): string => place.write(join(place.folder, path), text);

async function take(from: string, request: Partial<ImportRequest> = {}): Promise<ImportReport> {
  return place.heed.exchange.importFrom({ from, isApplied: true, ...request }, PERSON);
}

const outcomes = ({ memories }: ImportReport): string[] =>
  memories.map(({ outcome, statement }) => `${outcome}: ${statement}`);

const leftOut = (report: ImportReport): string[] =>
  report.leftOut.map(({ place: at, reason }) => `${at}: ${reason}`);

describe("import", () => {
  test("a dry run writes nothing, and says what an applied one does", async () => {
    const from = write(
      "project/notes/memory.jsonl",
      '{"type":"entity","name":"queue","entityType":"system","observations":["drops messages over 5 MB"]}\n',
    );
    const injected = await take(from, { isApplied: false });
    expect(injected).toMatchObject({ isApplied: false });
    expect(injected.session).toBeUndefined();
    expect(outcomes(injected)).toEqual(["new: queue: drops messages over 5 MB"]);
    expect(await place.heed.memories.list()).toEqual([]);
    const done = await take(from);
    expect(outcomes(done)).toEqual(outcomes(injected));
    const [memory] = await place.heed.memories.list();
    const shown = await place.heed.memories.show(memory!.name);
    const origin = { client: "server-memory", actor: "import", session: done.session };
    expect(shown.metadata.origin).toMatchObject(origin);
  });

  test("a dry run, and a write that has no type, make no store", async () => {
    const from = write("project/CLAUDE.md", "- The board is at https://board.example.com/b\n");
    const injected = await take(from, { isApplied: false, type: "reference" });
    expect(outcomes(injected)).toEqual(["new: The board is at https://board.example.com/b"]);
    const draft = { type: "", statement: "the board is on the wall", body: "the board is on the wall" };
    expect((await place.heed.memories.write(draft, PERSON)).outcome).toBe("refused");
    expect(existsSync(place.userStore)).toBe(false);
    await take(from, { type: "reference" });
    expect(existsSync(place.userStore)).toBe(true);
  });

  test("what was imported is found again, also when it waits, was removed or changed at its source", async () => {
    const text = (limit: string): string =>
      JSON.stringify({
        export_metadata: {},
        memories: [
          { content_hash: "a", content: `The upload limit is ${limit}` },
          { content_hash: "b", content: "The user prefers short answers", memory_type: "preference" },
          { content_hash: "c", content: "The invoice job runs at 02:00 UTC" },
        ],
      });
    const from = write("mem0.json", text("5 MB"));
    expect(outcomes(await take(from))).toEqual([
      "new: The upload limit is 5 MB",
      "waits: The user prefers short answers",
      "new: The invoice job runs at 02:00 UTC",
    ]);
    const { hits } = await place.heed.memories.search({ query: "invoice job" });
    await place.heed.memories.remove(hits[0]!.metadata.name, "wrong", PERSON);
    write("mem0.json", text("8 MB"));
    const again = await take(from);
    expect(again.memories.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ["changed", "here it says: The upload limit is 5 MB"],
      ["known", "it needs your approval: heed inbox"],
      ["known", "it was removed or rejected here since"],
    ]);
    expect(again.session).toBeUndefined();
  });

  test("statements are compared with what the same import takes, told as they are done, and amend nothing", async () => {
    await place.heed.memories.write(
      { type: "project", name: "queue", statement: "the queue runs on port 7070 in staging" },
      PERSON,
    );
    const records = [
      "the queue runs on port 7070 in staging",
      "the upload limit of the gateway is 5 MB",
      "The upload limit of the gateway is 5 MB.",
      "the upload limit of the gateway is 8 MB",
    ].map((memory, i) => ({ id: `m${i}`, memory }));
    const from = write("mem0.json", JSON.stringify(records));
    const said = ({ memories }: ImportReport): unknown =>
      memories.map(({ outcome, name, detail }) => [outcome, name, detail?.split(":")[0]]);
    const injected = await take(from, { isApplied: false });
    expect(said(injected)).toEqual([
      ["known", "the-queue-runs-on-port-7070-in-staging", "heed"],
      ["new", "the-upload-limit-of-the-gateway-is-5", undefined],
      ["known", "the-upload-limit-of-the-gateway-is-5-mb", "heed"],
      ["new", "the-upload-limit-of-the-gateway-is-8", undefined],
    ]);
    expect(said(await take(from))).toEqual(said(injected));
    const shown = await place.heed.memories.show("queue");
    expect(shown.metadata.statement).toBe("the queue runs on port 7070 in staging");
  });

  test("many statements are one change, and one undo takes them back", async () => {
    const said = (i: number): string => `service number${i} keeps shard${i * 7} of ledger${i * 13}`;
    const records = Array.from({ length: 120 }, (_, i) => ({ id: `m${i}`, memory: said(i) }));
    const report = await take(write("mem0.json", JSON.stringify(records)));
    expect(report.memories.filter(({ outcome }) => outcome === "new")).toHaveLength(120);
    const [change, ...before] = await place.heed.history.list({ limit: 10 });
    expect([change?.summary, ...before.map(({ summary }) => summary)]).toEqual([
      "write 120 memories: imported from mem0: mem0.json",
      "init the user store",
    ]);
    await place.heed.history.rollBack({ session: report.session!, isApplied: true }, PERSON);
    expect(await place.heed.memories.list()).toEqual([]);
  });

  test("rules in a file that people write are theirs when a person imports them, and wait when a model does", async () => {
    const from = write("elsewhere/CLAUDE.md", "- Never push to main without a review\n");
    const byModel = await place.heed.exchange.importFrom(
      { from, isApplied: true, type: "feedback" },
      { kind: "model", client: "claude-code" },
    );
    expect(outcomes(byModel)).toEqual(["waits: Never push to main without a review"]);
    const other = new TemporaryHeed();
    onTestFinished(() => other.remove());
    const report = await other.heed.exchange.importFrom({ from, isApplied: true, type: "feedback" }, PERSON);
    expect(outcomes(report)).toEqual(["new: Never push to main without a review"]);
    const [metadata] = await other.heed.memories.list();
    expect([metadata?.type, metadata?.scope]).toEqual(["feedback", { paths: [] }]);
  });

  test("what belongs to another project is left where it is, unless it is named", async () => {
    const from = write(
      "mem.json",
      '{"observations":[{"id":1,"project":"other","type":"decision","title":"Row locks decided","narrative":"Postgres."}]}',
    );
    const injected = await take(from, { isApplied: false });
    expect([injected.memories, injected.leftOut[0]?.reason]).toEqual([
      [],
      "it belongs to the project other: import it there, or with --project other if that is this one, or with --everywhere",
    ]);
    expect(outcomes(await take(from, { project: "other" }))).toEqual(["new: Row locks decided"]);
  });

  test("a secret is refused by its gate; the rest is taken, as a tool's conclusion", async () => {
    const token = `ghp_${"Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6".slice(0, 36)}`;
    const report = await take(
      write(
        "mem0.json",
        JSON.stringify([
          { id: "a", memory: `The token is ${token}` },
          { id: "b", memory: "The upload limit is 5 MB" },
        ]),
      ),
    );
    expect(report.memories.map(({ outcome, detail }) => [outcome, detail?.split(":")[0]])).toEqual([
      ["refused", "secret"],
      ["new", undefined],
    ]);
    const [metadata] = await place.heed.memories.list();
    expect(metadata).toMatchObject({ status: "provisional", confidence: "low", source: "inferred" });
  });

  test("a path where nothing is is refused", async () => {
    await expect(take(join(place.folder, "nothing"))).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("there is no file or folder at"),
    });
  });

  test("stores of other tools that lie here are named with the command that takes them over", async () => {
    write("project/.cursorrules", "- Use pnpm\n");
    write("project/CLAUDE.md", "# Shop\n\n- Run the tests first\n");
    symlinkSync("CLAUDE.md", join(place.project, "AGENTS.md"));
    write("project/GEMINI.md", "<!-- heed:start -->\n- a rule that heed wrote here\n<!-- heed:end -->\n");
    write("home/.codex/AGENTS.md", "- Answer in German, always\n");
    place.write(
      join(place.clientMemory(), "board.md"),
      "---\nname: board\ndescription: the board is https://b.example\ntype: reference\n---\nhttps://b.example\n",
    );
    write("home/.hermes/memories/MEMORY.md", "The staging database is on port 5433\n");
    write("home/.openclaw/workspace/memory/2026-05-02.md", "Moved the ledger.\n");
    write("home/.codex/memories/MEMORY.md", "- x y z w v u\n");
    write("home/.codex/memories/memory_summary.md", "x\n");
    const found = await place.heed.exchange.sources();
    expect(found.map(({ format, command }) => [format, command.split(" ").slice(0, 2).join(" ")])).toEqual([
      ["claude-code-memory", "heed attach"],
      ["claude-md", "heed import"],
      ["cursor-rules", "heed import"],
      ["agents-md", "heed import"],
      ["codex-memories", "heed import"],
      ["hermes", "heed import"],
      ["openclaw", "heed import"],
    ]);
  });
});

describe("a store of bettermemory", () => {
  const file = (name: string, fields: string, text: string): string =>
    write(`home/.claude-memory/${name}.md`, `---\nid: ${name}\nscopes: [infra]\n${fields}---\n${text}\n`);
  const takeAll = () => take(join(place.home, ".claude-memory"));

  test("what names no origin holds everywhere, another repository's is left out, a check counts", async () => {
    place.addOrigin("https://github.com/acme/api.git");
    file("dns", "last_verified_at: 2026-03-04T10:00:00Z\n", "The office DNS is 10.0.0.2.");
    file("port", "origin:\n  repo: git@github.com:acme/api.git\n", "The gateway listens on 7070.");
    file("web", "origin:\n  repo: https://github.com/acme/web\n", "The shop runs on Astro.");
    expect((await takeAll()).leftOut.map(({ what }) => what)).toEqual(["The shop runs on Astro."]);
    const held = await place.heed.memories.list();
    const said = held.map(({ scope, verified = "never" }) => `${scope.repo} ${verified.slice(0, 10)}`);
    expect(said.sort()).toEqual(["github.com/acme/api never", "undefined 2026-03-04"]);
  });

  test.each([
    ["waits", "When I ask for a tutorial, I want code that runs.", "source: explicit-statement\n"],
    ["waits", "Seems to like vim.", "category: user-inference\nsource: inferred\n"],
    ["new", "Tests need Docker 27.", "source: observation\n"],
  ])("%s: %s", async (outcome, text, fields) => {
    file("one", fields, text);
    expect(outcomes(await takeAll())).toEqual([`${outcome}: ${text}`]);
  });
});

test("an episode comes in whole, is over, and expires", async () => {
  const said = "We moved the ledger.\n\n## Found\nMertens only answers on Mondays.\n\n## Left\nThe index.";
  const head = "---\ntype: episodic\nstatus: open\ncreated: 2026-05-02\n---\n";
  write("home/old/semantic/a.md", "The board.\n");
  write("home/old/episodic/2026-05-02-move.md", `${head}# The move\n${said}\n`);
  await take(join(place.home, "old"));
  const [episode] = await place.heed.memories.list({ types: ["episode"] });
  expect(episode).toMatchObject({ status: "confirmed", decayAfter: "2026-07-31" });
  expect((await place.heed.memories.show(episode!.name)).body).toContain(said);
});

test("damaged lines of JSON are counted and named, and so are records without what tells", async () => {
  const entity = (name: string): string =>
    JSON.stringify({
      type: "entity",
      name,
      entityType: "system",
      observations: [`${name} runs on host st-1`],
    });
  const broken = entity("cron").slice(0, 30);
  const from = write(
    "project/memory.jsonl",
    [entity("queue"), entity("board") + entity("mail"), broken, '{"type":"relation","from":"a"}', ""].join(
      "\n",
    ),
  );
  const report = await take(from, { isApplied: false });
  expect(outcomes(report)).toEqual(["new: queue: queue runs on host st-1"]);
  expect(leftOut(report)).toEqual([
    "line 2: a damaged line: it is no JSON by itself",
    "line 3: a damaged line: it is no JSON by itself",
    'record: it has no "observations"',
  ]);
});

describe("databases", () => {
  const has = process.getBuiltinModule("node:sqlite" as "node:fs") !== undefined;

  test.skipIf(!has).each([
    [
      ".claude-mem/claude-mem.db",
      "CREATE TABLE observations (id INTEGER, project TEXT, type TEXT, title TEXT, narrative TEXT, facts TEXT)",
      "INSERT INTO observations VALUES (1, 'project', 'discovery', 'The queue drops at 5 MB', 'Seen twice.', '[]')",
    ],
    [
      ".mem0/history.db",
      "CREATE TABLE history (memory_id TEXT, new_memory TEXT, event TEXT, created_at TEXT, is_deleted INTEGER)",
      "INSERT INTO history VALUES ('a', 'It drops at 2 MB', 'ADD', '2026-01-01', 0), ('a', 'The queue drops at 5 MB', 'UPDATE', '2026-01-02', 0), ('b', 'gone', 'DELETE', '2026-01-02', 1)",
    ],
    [
      ".local/share/mcp-memory/sqlite_vec.db",
      "CREATE TABLE memories (content TEXT, content_hash TEXT, tags TEXT, memory_type TEXT, deleted_at REAL)",
      "INSERT INTO memories VALUES ('The queue drops at 5 MB', 'a', 'queue', 'note', NULL), ('was deleted', 'b', '', 'note', 1)",
    ],
  ])("%s is read from a copy, without what was deleted", async (path, ...statements) => {
    const { DatabaseSync } = await import("node:sqlite");
    const from = write(`home/${path}`, "");
    const database = new DatabaseSync(from, { readOnly: false });
    for (const sql of statements) database.prepare(sql).all();
    database.close();
    const before = readFileSync(from);
    expect(outcomes(await take(from))).toEqual(["new: The queue drops at 5 MB"]);
    expect(readFileSync(from).equals(before)).toBe(true);
  });

  test.skipIf(has)("where Node has no SQLite that is said, with the remedy", async () => {
    const from = write("home/.claude-mem/claude-mem.db", "x");
    await expect(take(from)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("npx --yes -p node@24 -- heed"),
    });
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON: Actor = { kind: "person" };
const MODEL: Actor = { kind: "model", client: "test", session: "s1" };
const there = TemporaryHeed.forEachTest();
const ROUTES = Array.from({ length: 20 }, (_, i) => `export const route${i} = "/path/${i}";`).join("\n");

/** A memory that nobody anchored, as another tool or hand lays it in. */
function layIn(name: string, statement: string, metadata: readonly string[] = []): void {
  const scope = ["created: 2026-11-01T00:00:00Z", "scope: { repo: github.com/acme/pay }"];
  there.remember({
    type: "project",
    name,
    statement,
    body: `${statement}.`,
    metadata: [...scope, ...metadata],
  });
}

beforeEach(() => {
  there.addOrigin("https://github.com/acme/pay.git");
  there.commit({ "src/routes.ts": ROUTES, "src/old.ts": "export const old = 1;\n" });
});

describe("what a memory names without a claim", () => {
  test("is never fresh where the file beside it does not hold it, and the writer is told", async () => {
    const statement = "The tax is rounded up by `computeTax` in `src/routes.ts`";
    const written = await there.heed.memories.write({ type: "project", statement }, MODEL);
    expect(written).toMatchObject({ outcome: "written", warnings: ["src/routes.ts holds no computeTax"] });
    const name = "metadata" in written ? written.metadata.name : "";
    const verdictOf = async (): Promise<unknown> => (await there.heed.memories.show(name)).verdict;
    expect(await verdictOf()).toMatchObject({
      standing: "check",
      words: "check: unchecked: src/routes.ts holds no computeTax",
    });
    there.commit({ "src/routes.ts": `${ROUTES}\nexport const computeTax = 1;\n` });
    expect(await verdictOf()).toMatchObject({ standing: "fresh" });
  });

  test("is counted where it is missing, and named where it was removed, renamed or never merged", async () => {
    there.git("switch", "-qc", "feature");
    there.commit({ "src/tax.ts": "export const computeTax = 1;\n" });
    there.git("switch", "-q", "main");
    layIn("moved", "refunds of the ledger start in `src/routes.ts`, beside `src/never.ts`");
    layIn("removed", "invoices of the ledger start in `src/old.ts`");
    layIn("unmerged", "the tax of the ledger is `computeTax` in `src/tax.ts`");
    layIn("never", "the audit of the ledger may not add `src/never.ts`");
    there.commit({ "src/routes.ts": null, "src/old.ts": null, "src/http/routes.ts": ROUTES });
    const start = await there.start();
    const lineOf = (name: string): string => new RegExp(`^.*\\[heed:${name}\\]$`, "m").exec(start)?.[0] ?? "";
    expect(lineOf("moved")).toContain("src/routes.ts was renamed to src/http/routes.ts");
    expect(lineOf("moved")).toContain("2 of 2 paths missing");
    expect(lineOf("removed")).toMatch(/src\/old\.ts is gone \([0-9a-f]{8}, /);
    expect(lineOf("unmerged")).toContain("(src/tax.ts is not checked out here: feature has it)");
    expect(lineOf("never")).toContain("(1 of 1 paths missing)");
    const { hits } = await there.heed.memories.search({ query: "ledger", limit: 9 });
    expect(Object.fromEntries(hits.map(({ metadata: { name, signals } }) => [name, signals]))).toMatchObject({
      moved: { calendar: "never", paths: { named: 2, missing: 2 }, commits: 2 },
      never: { calendar: "never", paths: { named: 1, missing: 1 } },
    });
    expect(new Set(hits.map(({ verdict }) => verdict.standing))).toEqual(new Set(["check"]));
  });

  test("is known on a prompt without git, from what a session's start found", async () => {
    layIn("removed", "invoices of the ledger start in `src/old.ts`");
    there.commit({ "src/old.ts": null });
    await there.start("s1");
    there.opened("s2");
    const without = there.open({ PATH: "" });
    const { context } = await there.event(
      { kind: "prompt", prompt: "where do invoices of the ledger start?", session: "s2" },
      without,
    );
    expect(context).toMatch(/\[heed:removed\] .*check: src\/old\.ts is gone \([0-9a-f]{8}/);
  });

  test("is said to the writer at once, and never of what holds everywhere", async () => {
    const statement = "the tax is worked out in `src/tax.ts`, unlike `src/routes.ts`";
    const written = await there.heed.memories.write({ type: "project", statement }, PERSON);
    expect(written).toMatchObject({ warnings: [expect.stringMatching(/^1 of 2 paths .*: src\/tax\.ts$/)] });
    const draft = {
      type: "project",
      statement: "helpers lie in `src/help.ts`",
      scope: "everywhere",
    } as const;
    expect(await there.heed.memories.write(draft, PERSON)).toMatchObject({ warnings: [] });
    const { hits } = await there.heed.memories.search({ query: "helpers" });
    expect(hits[0]?.metadata.signals?.paths).toEqual({ named: 0, missing: 0 });
  });

  test("a day in a text that is over is told as it stands: only `expires` and `until:` are ends", async () => {
    layIn("demo", "the demo for the bank is on 2026-12-15");
    there.now = "2027-01-07T10:00:00Z";
    expect(await there.start("s2")).toContain("- the demo for the bank is on 2026-12-15 ");
    const { verdict } = await there.heed.memories.show("demo");
    expect([verdict?.marks, verdict?.words]).toEqual([[], expect.not.stringContaining("passed")]);
  });
});

test("a norm whose file and constant were renamed stays in force, under its new name, and is repaired whole", async () => {
  const batch = (name: string): string =>
    `package batch\n\nconst (\n\t${name} = 500\n)\n\nfunc Split() int {\n\treturn ${name}\n}\n`;
  there.commit({ "internal/batch/batcher.go": batch("MaxBatchItems") });
  const statement =
    "`MaxBatchItems` in `internal/batch/batcher.go` must stay 500: the bank rejects larger files";
  const claims = ["must:path:internal/batch/batcher.go::MaxBatchItems=500"];
  const draft = { type: "project", name: "norm", statement, claims } as const;
  await there.heed.memories.write(
    { ...draft, body: `${statement}\n\n> "MaxBatchItems must stay 500" (the user, 2026-11-20)` },
    PERSON,
  );
  expect((await there.heed.memories.show("norm")).verdict?.standing).toBe("fresh");
  there.commit({ "internal/batch/batcher.go": null, "internal/batch/splitter.go": batch("MaxItemsPerFile") });
  expect(await there.start()).toContain("now internal/batch/splitter.go::MaxItemsPerFile) [heed:norm]");
  const context = await there.prompt(
    "raise the batch items to 600 for the bank, it wants larger files",
    "s2",
  );
  expect(context).toContain("MaxBatchItems is called MaxItemsPerFile now");
  const repaired = await there.heed.maintenance.repair("norm", { isApplied: true }, PERSON);
  expect(repaired).toMatchObject({ outcome: "repaired", open: [], verdict: { standing: "fresh" } });
  const { metadata, body } = await there.heed.memories.show("norm");
  expect(metadata.statement).toContain("`MaxItemsPerFile` in `internal/batch/splitter.go` must stay 500");
  expect(body).toContain('> "MaxBatchItems must stay 500" (the user, 2026-11-20)');
  there.commit({ "internal/batch/splitter.go": batch("MaxItemsPerFile").replace("= 500", "= 600") });
  expect(await there.start("s3")).toMatch(/^What must be so by a stored memory is broken in the code/);
});

test("commits are counted for a memory without paths too, and ask for no check", async () => {
  there.now = new Date().toISOString();
  const draft = {
    type: "reference",
    name: "wiki",
    statement: "the wiki is at https://wiki.example.com/pay",
  };
  await there.heed.memories.write(draft, PERSON);
  await there.heed.maintenance.verify("wiki", { note: "opened the wiki in a browser" }, PERSON);
  for (let i = 0; i < 22; i++) there.commit({ "src/old.ts": `export const old = ${i};\n` });
  const { verdict } = await there.heed.memories.show("wiki");
  expect(verdict).toMatchObject({ standing: "fresh", signals: { calendar: "fresh" } });
  expect(verdict?.signals.commits).toBeGreaterThanOrEqual(22);
  expect((await there.heed.memories.list())[0]?.signals).toEqual(verdict?.signals);
});

describe("a memory that another one superseded", () => {
  test("is marked in a search, a list and when it is shown", async () => {
    layIn("db-old", "the ledger database of the bank is postgres 14 ledger ledger");
    layIn("z-db", "the database is postgres 17 by now", ["links: [{ rel: supersedes, to: db-old }]"]);
    const { hits } = await there.heed.memories.search({ query: "ledger bank", reader: MODEL });
    expect(hits[0]?.metadata).toMatchObject({ name: "db-old", supersededBy: "heed:z-db" });
    expect((await there.heed.memories.list())[0]?.supersededBy).toBe("heed:z-db");
    expect((await there.heed.memories.show("db-old")).notes).toContain(
      "superseded by heed:z-db: rely on that one",
    );
  });
});

test("what a model or a person finds or opens counts as used, a list and the page do not", async () => {
  layIn("wiki", "the wiki of the ledger");
  const used = async (): Promise<number | undefined> => (await there.heed.memories.summaries())[0]?.used;
  await there.heed.memories.list();
  for (const reader of [PERSON, { kind: "person", door: "page" } as const])
    await there.heed.memories.show("wiki", { reader });
  await there.heed.memories.search({ query: "wiki" });
  expect(await used()).toBe(0);
  await there.heed.memories.search({ query: "wiki", reader: MODEL });
  await there.heed.memories.search({ query: "ledger", reader: MODEL });
  expect(await used()).toBe(1);
  await there.heed.memories.showAll(["wiki"], { reader: { ...MODEL, session: "s2" } });
  expect(await used()).toBe(2);
});

import { expect, test } from "vitest";
import { nameFor } from "../../src/write/memory-of-draft.ts";
import { plainWords } from "../../src/memory/handle.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();

const RULES = [
  "Use uv, never pip, in this repository",
  "Never edit a migration that has been applied",
  "After touching app/api run make openapi and commit the result",
  "Every module has a README with an example",
  "Never push to main without a review",
  "Commit messages are in English, imperative, under 60 characters",
  "Ask the user before publishing anything to a registry",
  "Tests use the real database, never a mock of it",
  "Log lines are JSON with a request id",
  "Do not add a dependency without asking",
  "Feature flags are removed two weeks after the release",
  "Use the existing HTTP client and no new wrapper",
  "Never pin providers with a tilde",
  "Run the linter before each commit",
];
const FACTS: [type: string, statement: string][] = [
  ["user", "The user has written Python for 12 years and wants no basics explained"],
  ["user", "The user sits in Lisbon and works in UTC"],
  ["project", "Bookings are held for 15 minutes by the contract with the hotels"],
  ["project", "The merge freeze for the mobile release ends on 2026-12-04"],
  ["project", "Miki Tanaka owns the lockbox client"],
  ["project", "Refunds go through the bank transfer service, not through the card processor"],
  ["project", "The nightly export was moved to 03:30, since the backup locks the tables"],
  ["project", "Prices are kept in cents as integers, after the rounding error of spring"],
  ["project", "Room types come from the partner feed and are never created by hand"],
  ["reference", "Grafana board of the queue: https://grafana.example.com/d/q1"],
  ["reference", "On-call schedule: https://pager.example.com/team/7"],
  ["reference", "Design documents live in the Notion space Booking"],
  ["reference", "The state bucket is acme-tf-state in eu-west-1"],
  ["project", "Staging is reset each Monday at 06:00 from the production snapshot"],
  ["project", "Celery was turned down, as acks_late lost jobs in the trial"],
  ["reference", "Bugs of the partner feed go to the Linear team FEED"],
];

/** The share of a text's letters that stand in runs of three words which the text had before. */
function repeatedShare(text: string): number {
  const words = plainWords(text).split(" ");
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (let at = 0; at + 3 <= words.length; at++) {
    const run = words.slice(at, at + 3).join(" ");
    if (seen.has(run)) for (const one of [at, at + 1, at + 2]) repeated.add(one);
    seen.add(run);
  }
  const lengthOf = (some: readonly string[]): number => some.join("").length;
  return lengthOf(words.filter((_, at) => repeated.has(at))) / lengthOf(words);
}

test("the start after a week says hardly anything twice, and its handles are short", async () => {
  const memory = (type: string, statement: string) => ({
    type,
    name: nameFor(statement, () => false),
    statement,
    body: `${statement}\n\n> "${statement}" (the user, 2026-11-20)`,
    metadata: ["updated: 2026-11-20", "source: instructed", "origin: { door: quote }"],
  });
  home.remember(
    ...RULES.map((statement) => memory("feedback", statement)),
    ...FACTS.map(([type, statement]) => memory(type, statement)),
  );
  const transcript = home.transcript("5f1d7a3e-0000-4000-8000-00000000abcd");
  const todos = [{ content: "tell Ines about the export", status: "pending" }];
  transcript.user("go on").tool("TodoWrite", { todos }, "ok").says("Done, but Ines was not told.");
  await home.endsWith(transcript);
  const text = await home.start("next");
  for (const statement of [...RULES, ...FACTS.map(([, fact]) => fact)]) expect(text).toContain(statement);
  const handles = [...text.matchAll(/heed:[^\s\]"]+/g)].map(([handle]) => handle);
  expect(new Set(handles).size).toBeGreaterThan(RULES.length + FACTS.length - 2);
  expect(handles.filter((handle) => handle.length > 20)).toEqual([]);
  // A fact that its line holds whole has nothing to open.
  expect(text.split("<heed-map>")[1]).not.toContain("(more)");
  expect(repeatedShare(text)).toBeLessThan(0.1);
  // The measure sees what it is for: a week's block with whole names as handles.
  const named = RULES.map((statement) => `- ${statement} [heed:${nameFor(statement, () => false)}]`);
  expect(repeatedShare(named.join("\n"))).toBeGreaterThan(0.25);
});

test("each handle opens its memory, by mark also when it says something else", async () => {
  const before = "The orders database is MySQL 8 on the old host";
  home.remember({ type: "project", name: nameFor(before, () => false), statement: before });
  const [, handle = ""] = /^- .*\[(heed:[^\]]+)\]/m.exec(await home.start()) ?? [];
  expect(handle).toMatch(/^heed:the-orders\.\w{4}$/);
  const { heed } = home;
  const after = "Postgres 16 holds the orders since the move";
  await heed.memories.update(handle, { statement: after, body: after }, { kind: "person" });
  const context = await home.start("s2");
  expect(context).toMatch(/Postgres 16 holds the orders since the move \[heed:postgres\.\w{4}\]/);
  expect(context).not.toContain("the-orders.");
  const [, now = ""] = /\[(heed:postgres[^\]]+)\]/.exec(context) ?? [];
  const name = nameFor(before, () => false);
  for (const one of [handle, now, `heed:${name}`, name, `${name.slice(0, 12)}…`, `${name.slice(0, 12)}...`])
    expect((await heed.memories.show(one)).metadata.statement).toBe(after);
  // It is cited, removed and brought back by it.
  await home.event({ kind: "stop", lastMessage: `As [${now}] says.`, session: "s2" });
  await heed.memories.remove(now, "gone", { kind: "person" });
  await heed.memories.restore(handle, { kind: "person" });
  const { notice } = await home.event({
    kind: "prompt",
    prompt: `heed forget ${now.slice(5)}`,
    session: "s2",
  });
  expect(notice).toContain("Postgres 16");
});

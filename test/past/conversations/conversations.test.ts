import { existsSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionWriter } from "../session-writer.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();
let invoices: SessionWriter;
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

const conversation = (...about: Parameters<typeof home.conversation>): SessionWriter =>
  home.conversation(...about);

const RETRY = "aaaaaaaa-0000-4000-8000-000000000001";
const AMENDED = "aaaaaaaa-0000-4000-8000-000000000002";
const OTHER = "bbbbbbbb-0000-4000-8000-000000000003";

function writeThree(): void {
  const retry = conversation(RETRY, "2026-10-01")
    .user(
      "the upload client hammers the ingest gateway when it answers 401, what do we do about retries there?",
    )
    .says("I would retry three times with a growing delay.")
    .user("Retry only on 5xx of the ingest gateway; a 401 is final, since each retry locks the account.")
    .says("Settled: the upload client retries on 5xx only, and a 401 ends it at once.");
  invoices = conversation(OTHER, "2026-10-05")
    .user("make the invoice table sortable by due date, and keep the header sticky")
    .says("The table sorts by due date now; the header stays.")
    .tool("Bash", { command: "npm run test:table" }, "Error: cannot find module 'jsdom'", true)
    .tool("Bash", { command: "npm run test:table -- --env=happy-dom" }, "ok")
    .says("Tests of the table pass.");
  const amended = conversation(AMENDED, "2026-10-20")
    .user(
      "About the upload client and its retries on 401: the ingest gateway now answers 401 while a token rotates.",
    )
    .says("Then one retry after a token refresh makes sense.")
    .user("Yes: on a 401 the upload client refreshes the token and retries once, on the ingest gateway only.")
    .says("Amended: a 401 of the ingest gateway is retried once after a refresh; 5xx as before.");
  // The latest is told by the time of the file, which some file systems know to a few milliseconds only.
  for (const [i, { file }] of [amended, invoices, retry].entries()) {
    const at = Date.now() / 1000 - i;
    utimesSync(file, at, at);
  }
}

const search = (text?: string) => home.heed.conversations.search({ text });
const sessions = async (text?: string): Promise<string[]> =>
  (await search(text)).conversations.map(({ session }) => session);

describe("searching", () => {
  beforeEach(writeThree);

  test("finds what was said, and where", async () => {
    const { conversations, count } = await search("401 retries of the upload client");
    expect(count).toBe(3);
    expect(conversations.map(({ session }) => session).slice(0, 2)).toEqual([RETRY, AMENDED]);
    expect(conversations[0]).toMatchObject({
      client: "claude-code",
      repo: "github.com/acme/api",
      branch: "main",
    });
    expect(conversations[0]?.passages.map(({ text }) => text).join()).toContain("a 401 is final");
  });

  test("finds the command that failed and the one that worked then", async () => {
    const [found] = (await search("jsdom test:table")).conversations;
    expect(found?.session).toBe(OTHER);
    expect(found?.passages[0]).toMatchObject({
      kind: "fixed",
      text: expect.stringContaining("worked then: npm run test:table -- --env=happy-dom"),
    });
  });

  test("without words lists the latest, each with its first words", async () => {
    const { conversations } = await search();
    expect(conversations.map(({ session }) => session)).toEqual([AMENDED, OTHER, RETRY]);
    expect(conversations[1]?.passages[0]?.text).toContain("invoice table");
  });

  test("of another repository only when asked", async () => {
    const elsewhere = join(home.folder, "elsewhere");
    conversation("cccccccc-0000-4000-8000-000000000004", "2026-10-21", elsewhere)
      .user("the zebra service in this other project needs a stripe count")
      .says("Counted.");
    expect(await sessions("zebra stripe")).toEqual([]);
    const { conversations } = await home.heed.conversations.search({
      text: "zebra stripe",
      isEverywhere: true,
    });
    expect(conversations).toHaveLength(1);
  });

  test("goes on where a transcript has grown, and keeps what a client has removed", async () => {
    expect(await sessions("pagination cursor")).toEqual([]);
    invoices.now = new Date("2026-10-22T10:00:00Z");
    invoices.user("and use a pagination cursor for the invoice table from today on");
    expect(await sessions("pagination cursor")).toEqual([OTHER]);
    rmSync(invoices.file);
    expect(await sessions("pagination cursor")).toEqual([OTHER]);
  });

  test("off keeps and finds nothing, and takes away what was kept", async () => {
    await search("401");
    const folder = join(home.state, "conversations");
    expect(readdirSync(folder)).toHaveLength(3);
    home.write(join(home.userStore, "config.yaml"), "store: user\nhistory: off\n");
    expect(await search("401")).toMatchObject({ conversations: [], isOff: true, count: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a damaged index or record costs itself alone", async () => {
    await search("401");
    const index = join(home.home, "cache", "conversations");
    for (const name of readdirSync(index))
      truncateSync(join(index, name), statSync(join(index, name)).size >> 1);
    truncateSync(join(home.state, "conversations", `${OTHER}.json`), 20);
    await home.heed.close();
    const again = home.open();
    const { conversations } = await again.conversations.search({ text: "401 upload client" });
    expect(conversations.map(({ session }) => session)).toEqual([AMENDED, RETRY]);
    await again.close();
  });

  test("nothing that is kept is anybody else's to read, and no secret is in it", async () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    conversation("dddddddd-0000-4000-8000-000000000005", "2026-10-23")
      .user(`use the token ${token} for the artifact upload of this project`)
      .says(`Done with ${token}.`)
      .tool(
        "Bash",
        { command: `curl -H 'Authorization: Bearer ${token}' https://x` },
        `fatal: bad ${token}`,
        true,
      )
      .tool("Bash", { command: `curl -u x:${token} https://x` }, "ok");
    expect((await sessions("artifact upload token"))[0]).toMatch(/^dddddddd/);
    expect(
      spawnSync("grep", ["-rlF", token, home.state, join(home.home, "cache")], { encoding: "utf8" }).stdout,
    ).toBe("");
    for (const name of readdirSync(join(home.state, "conversations")))
      expect(statSync(join(home.state, "conversations", name)).mode & 0o077).toBe(0);
  });
});

describe("reading one", () => {
  beforeEach(writeThree);

  test("by the beginning of its id; an unknown one says what to do", async () => {
    const shown = await home.heed.conversations.show({ session: "bbbbbbbb" });
    expect(shown.passages.map(({ kind }) => kind)).toEqual(["said", "fixed", "answer"]);
    await expect(home.heed.conversations.show({ session: "aaaa" })).rejects.toMatchObject({
      code: "ambiguous",
    });
    await expect(home.heed.conversations.show({ session: "zzz" })).rejects.toThrow("heed history");
    await expect(home.heed.conversations.show({})).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("of a long one as much as an answer holds, the rest by where to begin", async () => {
    const long = "ffffffff-0000-4000-8000-000000000006";
    const writer = conversation(long, "2026-10-24");
    for (let i = 0; i < 60; i++) writer.user(`turn ${i} of a long talk: ${"more of it ".repeat(170)}`);
    const first = await home.heed.conversations.show({ session: long, limit: 500 });
    expect(first).toMatchObject({ count: 60, from: 0, isPartial: false });
    expect(first.passages.map(({ text }) => text).join("").length).toBeLessThanOrEqual(60_000);
    expect(first.passages.length).toBeGreaterThan(20);
    const rest = await home.heed.conversations.show({ session: long, from: first.passages.length });
    expect(rest.passages[0]?.text).toContain(`turn ${first.passages.length} `);
    expect(first.passages.length + rest.passages.length).toBe(60);
    expect((await home.heed.conversations.show({ session: long, from: 60 })).passages).toEqual([]);
  });

  test("reads on in its own transcript alone, and says when the time was too short", async () => {
    const none = await home.heed.conversations.show({ session: OTHER });
    expect(none).toMatchObject({ count: 3, isPartial: false });
    expect(readdirSync(join(home.state, "conversations"))).toEqual([`${OTHER}.json`]);
    invoices.user("and use a pagination cursor for the invoice table from today on");
    utimesSync(invoices.file, new Date(), new Date(Date.now() + 60_000));
    const late = await home.heed.conversations.show({ session: OTHER, readMs: 0 });
    expect(late).toMatchObject({ count: 3, isPartial: true });
    expect(await home.heed.conversations.show({ session: OTHER })).toMatchObject({ count: 4 });
    // What was read so is found by its words too.
    expect(await sessions("pagination cursor")).toEqual([OTHER]);
  });

  test("a memory leads to the turn that it came from", async () => {
    const actor = { kind: "person", session: RETRY } as const;
    home.now = "2026-10-01T12:00:00Z";
    const written = await home.heed.memories.write(
      {
        type: "project",
        name: "no-retry-on-401",
        statement: "The upload client never retries on a 401, as each retry locks the account",
      },
      actor,
    );
    expect(written).toBeDefined();
    const shown = await home.heed.conversations.show({ memory: "no-retry-on-401" });
    expect(shown.session).toBe(RETRY);
    expect(shown.passages[shown.at ?? -1]?.text).toContain("a 401 is final");
    const elsewhere = await home.heed.conversations.show({ memory: "no-retry-on-401", from: 3 });
    expect(elsewhere).toMatchObject({ from: 3 });
    expect(elsewhere.at).toBeUndefined();
  });

  test("a memory does not lead to a session whose id begins as that of its own", async () => {
    const draft = { type: "project", name: "short-id", statement: "the gateway of uploads is in Oslo" };
    await home.heed.memories.write(draft, { kind: "person", session: RETRY.slice(0, -1) });
    await expect(home.heed.conversations.show({ memory: "short-id" })).rejects.toMatchObject({
      code: "not-found",
    });
  });
});

describe("a short answer", () => {
  const question = `${"The totals differ by a cent. ".repeat(100)}Half cents of the ledger: up or down?`;
  test.each([
    [
      "is kept with its question, to which a long message leads",
      question,
      "Down.",
      "up or down?\n\nThe user answered: Down.",
    ],
    ["may be a number", "Half cents: 1. up 2. down", "2", "2. down\n\nThe user answered: 2"],
    ["says nothing to nothing", "", "Down.", undefined],
    ["is none where it speaks for itself", question, "Round half cents down", undefined],
  ])("%s", async (_, asked, answer, kept) => {
    const chat = conversation(RETRY, "2026-10-01").user("the ledger is wrong about half cents of a sum");
    if (asked !== "") chat.says(asked);
    chat.user(answer).says("Settled, half cents go that way in the ledger.");
    const [found] = (await search("half cents ledger")).conversations;
    expect(found?.session).toBe(RETRY);
    const { passages } = await home.heed.conversations.show({ session: RETRY });
    const answered = passages.filter(({ text }) => text.includes("The user answered"));
    expect(answered.map(({ text }) => text.endsWith(kept ?? "?"))).toEqual(kept === undefined ? [] : [true]);
  });
});

describe("on a prompt", () => {
  test("that is plainly about a past conversation one dated line is told, once", async () => {
    writeThree();
    for (let i = 0; i < 12; i++)
      conversation(`eeeeeeee-0000-4000-8000-0000000000${10 + i}`, "2026-09-02")
        .user(`please rename part ${i} of the billing export and mind the column order`)
        .says("Renamed.");
    await search();
    const prompt =
      "the upload client still locks accounts: the ingest gateway answers 401 and retries follow, fix the retries of the upload client";
    const injected = await home.prompt(prompt);
    expect(injected).toContain("2026-10-20");
    expect(injected).toContain(`Another, older, may be, session "${RETRY}" of 2026-10-01`);
    expect(injected.split("\n").filter((line) => line.includes("past conversation"))).toHaveLength(1);
    expect(await home.prompt(prompt)).not.toContain("past conversation");
    const why = async (about: string): Promise<unknown> =>
      (await home.heed.session.why({ prompt: about })).receipt.decisions.find(
        ({ type }) => type === "conversation",
      );
    expect(await why(prompt)).toMatchObject({
      form: "pointer",
      reason: expect.stringMatching(/; the rarest: /) as string,
    });
    expect(await why("is the gateway slow?")).toMatchObject({
      form: "none",
      reason: expect.stringContaining("a line needs 11.5") as string,
    });
    expect(await home.prompt("what does the invoice page show when it is empty?", "s2")).not.toContain(
      "past conversation",
    );
  });

  test("that several are about as plainly, up to three are told, the newest first; of four none", async () => {
    const rest = (id: number, length = 30): string =>
      Array.from({ length }, (_, i) => `item${id}x${i}`).join(" ");
    const about = (id: number): unknown =>
      conversation(`dddddddd-0000-4000-8000-00000000000${id}`, `2026-10-0${id}`)
        .user(`zebra exporter, umlauts, quarterly ledgers, fjord toolbar, ${rest(id)}`)
        .says("Settled it.");
    for (let i = 0; i < 12; i++)
      conversation(`eeeeeeee-0000-4000-8000-0000000000${10 + i}`, "2026-09-02")
        .user(`please rename part ${i} of the billing page and mind the column order, ${rest(9, 150)}`)
        .says("Renamed.");
    about(1);
    about(2);
    about(3);
    await search();
    const prompt = "the zebra exporter loses umlauts in the quarterly ledgers of the fjord toolbar again";
    expect(await home.prompt(prompt)).toMatch(/-000000000003".*-000000000002".*-000000000001"/);
    about(4);
    await search();
    expect(await home.prompt(prompt, "s2")).not.toContain("past conversation");
  });

  test("nothing of the session that asks, of another repository, or with history off", async () => {
    writeThree();
    await search();
    const prompt =
      "the upload client still locks accounts: the ingest gateway answers 401 and retries follow, fix the retries";
    rmSync(join(home.state, "conversations", `${RETRY}.json`));
    rmSync(join(home.home, ".claude", "projects", "p", `${RETRY}.jsonl`));
    await search();
    expect(await home.prompt(prompt, AMENDED)).not.toContain("past conversation");
    home.write(join(home.userStore, "config.yaml"), "store: user\nhistory: off\n");
    expect(await home.prompt(prompt, "s3")).not.toContain("past conversation");
    expect(existsSync(join(home.state, "conversations"))).toBe(true);
  });
});

describe("a question and its answer", () => {
  const DECIDED = "cccccccc-0000-4000-8000-000000000001";
  const ASKED = "cccccccc-0000-4000-8000-000000000002";
  beforeEach(async () => {
    conversation(DECIDED, "2026-10-01")
      .user("how should amounts be rounded in the ledger?")
      .says("Half to even, on the booking line: sums stay exact.")
      .user("fine, and write a test for the booking line")
      .says("The test is there.");
    conversation(OTHER, "2026-10-05")
      .user("make the invoice table sortable by due date")
      .says("The table sorts by due date now.");
    conversation(ASKED, "2026-10-09").user("what did we decide about rounding in the ledger?");
    await search();
  });

  test("a question that nobody answered comes after what answers it", async () => {
    const { conversations } = await search("rounding ledger");
    expect(conversations.map(({ session }) => session)).toEqual([DECIDED, ASKED]);
    expect(conversations[0]?.passages[0]?.kind).toBe("answer");
  });
});

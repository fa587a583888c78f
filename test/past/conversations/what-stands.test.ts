import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionWriter } from "../session-writer.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

const conversation = (id: string, day: string): SessionWriter => home.conversation(id, day);
const search = (text: string) => home.heed.conversations.search({ text });
const sessions = async (text: string): Promise<string[]> =>
  (await search(text)).conversations.map(({ session }) => session);

describe("a conversation that amends another", () => {
  const FIRST = "cccccccc-0000-4000-8000-000000000001";
  const LATER = "cccccccc-0000-4000-8000-000000000002";
  const APART = "cccccccc-0000-4000-8000-000000000003";
  const REPORT =
    "after the bad deploy the upload client kept retrying calls that the ingest gateway answered with 401, until accounts locked out";

  test("is told before it, though it shares hardly a word with the report; what is later and apart is not", async () => {
    conversation(FIRST, "2026-10-01")
      .user(
        "The upload client retried every call that the ingest gateway had answered with 401, and accounts locked out.",
      )
      .says("Then the retry policy covers 5xx alone: backoff grows to sixty seconds, four attempts at most.")
      .user("Yes: the retry policy is 5xx, four attempts, and the backoff ceiling is sixty seconds.")
      .says("Settled.");
    conversation(LATER, "2026-10-20")
      .user(
        "Two updates of the retry policy: 408 joins 5xx, and the backoff ceiling has to be thirty seconds.",
      )
      .says("So the retry policy is 5xx and 408, four attempts, with a backoff ceiling of thirty seconds.");
    conversation(APART, "2026-10-25")
      .user("make the invoice table sortable by due date, and keep the header sticky")
      .says("The table sorts by due date now; the header stays.");
    expect((await sessions(REPORT)).slice(0, 2)).toEqual([LATER, FIRST]);
    const context = await home.prompt(REPORT, "asks");
    expect(context).toMatch(new RegExp(`seems to be about this, session "${LATER}".*older.*"${FIRST}"`, "s"));
    expect(context).not.toContain(APART);
  });
});

describe("what does not stand, or is not there, is not passed over in silence", () => {
  const ID = "dddddddd-0000-4000-8000-000000000001";

  test("a branch that the user went back behind was not said", async () => {
    const writer = conversation(ID, "2026-10-01").user("Plan the ledger migration with me", {
      uuid: "start",
    });
    writer.write({
      type: "assistant",
      uuid: "plan",
      message: { role: "assistant", content: [{ type: "text", text: "Postgres or MySQL?" }] },
    });
    writer
      .user("Use MySQL for the ledger database then", { parentUuid: "plan" })
      .says("MySQL it is, with replication.");
    writer.user("And name the schema frogledger please", { parentUuid: "mysql" }).says("Named frogledger.");
    await search("ledger");
    writer.user("Use Postgres for the ledger database then", { parentUuid: "plan" }).says("Postgres it is.");
    const { passages } = await home.heed.conversations.show({ session: ID });
    expect(passages.map(({ text }) => text)).toEqual([
      "Plan the ledger migration with me",
      "Postgres or MySQL?",
      "Use Postgres for the ledger database then",
      "Postgres it is.",
    ]);
    expect(await sessions("frogledger")).toEqual([]);
  });

  test("more than 600 passages: the oldest are counted, and the answer is partial", async () => {
    const writer = conversation(ID, "2026-10-01");
    for (let i = 0; i < 350; i++)
      writer.user(`turn ${i} is about the topic zq${i}w`).says(`said of zq${i}w enough`);
    expect(await search("zq5w")).toMatchObject({
      conversations: [],
      isPartial: true,
      missing: { passages: 99 },
    });
    const [found] = (await search("zq200w")).conversations;
    expect(found?.passages.map(({ text }) => text)).toContain("turn 200 is about the topic zq200w");
    expect(await home.heed.conversations.show({ session: ID })).toMatchObject({
      count: 601,
      isPartial: true,
      missing: { passages: 99 },
    });
  });

  test("a transcript that begins with the mark of UTF-8 is read", async () => {
    const { file } = conversation(ID, "2026-10-01").user("the ledger runs on Postgres in Frankfurt");
    writeFileSync(file, `\uFEFF${readFileSync(file, "utf8")}`);
    expect(await sessions("ledger Postgres")).toEqual([ID]);
  });
});

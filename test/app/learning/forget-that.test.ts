import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TemporaryHeed } from "../temporary-heed.ts";
import type { SessionWriter } from "./session-writer.ts";
import { MODEL, SpokenSession } from "./spoken-session.ts";

let spoken: SpokenSession;
let home: TemporaryHeed;
let session: SessionWriter;

beforeEach(async () => {
  spoken = await SpokenSession.begin();
  ({ home, transcript: session } = spoken);
});
afterEach(() => home.remove());

const turn = (prompt: string, lastMessage?: string): Promise<void> => spoken.turn(prompt, lastMessage);
const say = (prompt: string): Promise<string> => spoken.say(prompt);
const stopTurn = (lastMessage: string): Promise<void> => spoken.stopTurn(lastMessage);
const rules = (): Promise<string[]> => spoken.rules();
const waiting = (): Promise<string[]> => spoken.waiting();

describe("“forget that”", () => {
  test("takes back what was kept last, and it can be restored", async () => {
    await turn("From now on never deploy on Fridays");
    const [kept] = await home.heed.memories.list({ types: ["feedback"] });
    await turn("forget that, we do deploy on fridays now");
    expect(await rules()).toEqual([]);
    expect(await say("ok")).toContain("forgotten, as you said");
    await home.heed.memories.restore(kept?.name ?? "", { kind: "person" });
    expect(await rules()).toHaveLength(1);
  });

  test('takes what the words name before "thing", and what waited about it', async () => {
    await turn("From now on never deploy on Fridays");
    await turn("fix the parser");
    await turn("and the lexer");
    await turn("forget that");
    expect(await waiting()).toHaveLength(1);
    await turn("actually forget the fridays thing");
    expect(await rules()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test("takes a claim that waits out of the inbox", async () => {
    await turn("Remember that I'm a Go developer.");
    expect(await waiting()).toEqual(["I'm a Go developer"]);
    await turn("no, forget that");
    expect(await waiting()).toEqual([]);
    expect(await say("ok")).toContain("bring it back with: heed inbox --restore ");
  });

  test("touches nothing of another session, nor of an hour ago", async () => {
    home.remember({ type: "feedback", name: "old", description: "never push on Fridays" });
    await turn("Always sign commits with the work key");
    home.now = new Date(Date.parse(home.now) + 3_600_000).toISOString();
    await turn("forget that");
    expect((await rules()).sort()).toEqual([
      "Always sign commits with the work key",
      "never push on Fridays",
    ]);
  });
});

describe("“forget that”, where it is not the next turn", () => {
  const removals = async (): Promise<(string | undefined)[]> =>
    (await home.heed.inbox.list()).map(({ target }) => target);

  test("is plain right after the announcement, and asked about later", async () => {
    await turn("From now on never deploy on Fridays");
    await turn("fix the parser");
    await turn("no, undo that");
    expect(await rules()).toEqual([]);
    await turn("From now on never deploy on Mondays");
    await turn("fix the parser");
    await turn("and the lexer");
    await turn("forget that");
    expect(await rules()).toEqual(["From now on never deploy on Mondays"]);
    expect(await removals()).toEqual(["never-deploy-mondays"]);
    expect(await say("go on")).toContain("Ask which they meant");
    const confirmed = await home.heed.inbox.confirm("forget-never-deploy-mondays", {}, { kind: "person" });
    expect(confirmed.outcome).not.toBe("refused");
    expect(await rules()).toEqual([]);
  });

  test("that may be about the work takes nothing back, nor asks", async () => {
    await turn("From now on never deploy on Fridays");
    await turn("rename the variable to total");
    await turn("and in the tests too");
    await turn("undo that");
    expect(await rules()).toHaveLength(1);
    expect(await removals()).toEqual([]);
  });

  test("names what this session kept: that goes, whenever it was", async () => {
    await turn("From now on never deploy on Fridays");
    await turn("Always sign commits with the work key");
    await turn("fix the parser");
    await turn("and the lexer");
    await turn("scratch that rule about deploying on Fridays");
    expect(await rules()).toEqual(["Always sign commits with the work key"]);
  });

  test("is left alone where the model took it back itself", async () => {
    await turn("From now on never deploy on Fridays");
    await turn("Always sign commits with the work key");
    await say("forget that");
    const kept = await home.heed.memories.list({ types: ["feedback"] });
    const last = kept.find(({ description }) => description.startsWith("Always sign"));
    await home.heed.memories.remove(last?.name ?? "", "the user said so", MODEL);
    await stopTurn("Forgotten.");
    expect(await rules()).toEqual(["From now on never deploy on Fridays"]);
  });

  test("holds where a process afterwards reads both turns at once", async () => {
    for (const said of ["From now on never deploy on Fridays", "nein, vergiss das"]) {
      await say(said);
      home.now = new Date(Date.parse(home.now) + 60_000).toISOString();
    }
    session.now = new Date("2026-11-21T12:00:00Z");
    session.user("From now on never deploy on Fridays").says("ok");
    session.now = new Date("2026-11-21T12:01:00Z");
    session.user("nein, vergiss das").says("ok");
    await spoken.capture();
    expect(await rules()).toEqual([]);
  });
});

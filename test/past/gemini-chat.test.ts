import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000ca7e";

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

const at = (i: number): string => new Date(Date.parse("2026-11-21T11:00:00Z") + i * 1000).toISOString();
const question = { text: "quarterly ledger export" };
const CHATS = ".gemini/tmp/abc/chats";
const CHAT = [
  { sessionId: SESSION, projectHash: "abc", startTime: at(0), kind: "main" },
  { id: "m0", type: "user", timestamp: at(0), content: "Where does the quarterly ledger export lie?" },
  { id: "m1", type: "gemini", timestamp: at(1), content: "In the bucket of the finance team." },
];
const transcript = (): string => join(home.home, CHATS, "session-2026-11-21T11-00-5f1d7a3e.jsonl");
const writeChat = (): string =>
  home.write(transcript(), CHAT.map((record) => `${JSON.stringify(record)}\n`).join(""));
const found = async (): Promise<string[]> =>
  (await home.heed.conversations.search(question)).conversations.map(({ session }) => session);
const injected = () => home.endsWith({ session: SESSION, file: transcript() }, "stop");

test("the session of a chat is that of its hooks, though its file is named after a part of it", async () => {
  writeChat();
  // Read before anybody said where it was: the chat itself does not.
  expect(await found()).toEqual([]);
  await injected();
  expect(await found()).toEqual([SESSION]);
});

describe("a chat beside whose folder the client says where it was", () => {
  beforeEach(() => {
    home.write(join(home.home, CHATS, "..", ".project_root"), home.project);
  });

  test.each([
    ["before", [writeChat, injected]],
    ["after", [injected, writeChat]],
  ])("is found when it was written %s the session's end is told", async (_, steps) => {
    for (const step of steps) await step();
    expect(await found()).toEqual([SESSION]);
  });
});

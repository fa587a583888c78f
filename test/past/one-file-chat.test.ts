import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000ca7e";

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

interface Message {
  id: string;
  type: string;
  timestamp: string;
  content: string;
  toolCalls?: object[];
}

const at = (i: number): string => new Date(Date.parse("2026-11-21T11:00:00Z") + i * 1000).toISOString();
const call = (id: string, command: string, status: string, output: string): object => ({
  id,
  name: "run_shell_command",
  args: { command },
  status,
  timestamp: at(5),
  result: [{ functionResponse: { id, name: "run_shell_command", response: { output } } }],
});

/** The chat as the client writes it: the whole file again each time. */
async function capture(messages: readonly Message[]): Promise<string> {
  const transcript = home.write(
    join(home.home, ".gemini/tmp/abc/chats/session-1.json"),
    JSON.stringify({
      sessionId: SESSION,
      projectHash: "abc",
      startTime: at(0),
      lastUpdated: at(9),
      messages,
    }),
  );
  home.now = new Date(Date.parse(home.now) + 600_000).toISOString();
  await home.endsWith({ session: SESSION, file: transcript }, "stop");
  return (await home.heed.session.resume())?.body ?? "";
}

test("a chat in one JSON file is read on, however long it is, and nothing counts twice", async () => {
  const messages: Message[] = [
    { id: "m0", type: "user", timestamp: at(0), content: "Please add retries to the upload client" },
    {
      id: "m1",
      type: "gemini",
      timestamp: at(1),
      content: "We will go with exponential backoff.",
      toolCalls: [call("c0", "make build", "success", "built")],
    },
  ];
  for (let i = 2; i < 460; i++)
    messages.push({
      id: `m${i}`,
      type: i % 2 === 0 ? "user" : "gemini",
      timestamp: at(i),
      content: `Step ${i} is next now`,
    });
  const asking: Message = { id: "m460", type: "gemini", timestamp: at(460), content: "I run it." };
  const first = await capture([
    ...messages,
    { ...asking, toolCalls: [{ ...call("c1", "make deploy", "executing", ""), result: [] }] },
  ]);
  expect(first).toContain("230 messages, 2 tool calls");
  const second = await capture([
    ...messages,
    { ...asking, toolCalls: [call("c1", "make deploy", "success", "Exit Code: 2\nno rule to make target")] },
    {
      id: "m461",
      type: "user",
      timestamp: at(461),
      content: "No, never deploy by make, because it skips the checks.",
    },
  ]);
  expect(second).toContain("231 messages, 2 tool calls, 1 failed");
  expect(second).toContain("failed: make deploy");
  expect(second.match(/ok: make build\n/g)).toHaveLength(1);
});

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

  test("is found before the session's end is told", async () => {
    writeChat();
    expect(await found()).toEqual([SESSION]);
    await injected();
    expect(await found()).toEqual([SESSION]);
  });

  test("is found when it was written after that", async () => {
    await injected();
    writeChat();
    expect(await found()).toEqual([SESSION]);
  });
});

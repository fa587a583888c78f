import { cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TRANSCRIPT_WRITERS, type ShellCall, writeTranscript } from "../../../bench/past-transcripts.ts";
import type { GuardReplay } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", client: "claude-code", session: "s1" } as const;
const GUARD = { command: "git push", flags: ["--force"] };
const FORCED: ShellCall = { command: "git push -f origin main" };

const there = TemporaryHeed.prepared(async (place) => {
  const { heed } = place;
  place.addOrigin("https://github.com/acme/api.git");
  await heed.setup.init("user");
  const statement = "never force-push here";
  await heed.memories.write({ type: "feedback", name: "no-force", statement }, PERSON);
});

/** A session that a client left, a minute after the rule was written. */
function past(
  client: string,
  calls: readonly ShellCall[],
  more: { session?: string; cwd?: string; ago?: number } = {},
): string {
  const startMs = Date.parse("2026-11-21T12:01:00Z") - (more.ago ?? 0) * 86_400_000;
  const { session = "00000001-past", cwd = there.project } = more;
  return writeTranscript(there.home, client, {
    session,
    cwd,
    startMs,
    turns: [{ said: "push it, please", calls }],
  });
}

const replay = (request: object = {}, name = "no-force"): Promise<GuardReplay> =>
  there.heed.guards.replay(name, { guard: GUARD, ...request });

describe("a guard tried on past calls", () => {
  test.each(Object.keys(TRANSCRIPT_WRITERS))("reads what %s left", async (client) => {
    past(client, [
      FORCED,
      { command: "git push --force", hasFailed: true },
      { command: "git push" },
      { command: "ls" },
    ]);
    there.now = "2026-11-22T12:00:00Z";
    expect(await replay()).toMatchObject({
      summary: "Of 4 commands in 30 days it would have stopped 2; 1 of them had succeeded",
      calls: 4,
      stopped: 2,
      succeeded: 1,
      warned: 0,
      sessions: 1,
      sessionsLeft: 0,
      examples: [
        { client, text: "git push --force", outcome: "failed", action: "deny" },
        { client, text: "git push -f origin main", outcome: "ok", action: "deny" },
      ],
    });
  });

  test.each<[what: string, set: () => unknown, request: object, summary: string]>([
    [
      "calls where the rule does not hold are not its",
      () => past("codex", [FORCED], { cwd: "/elsewhere" }),
      {},
      "No past command to test against in 30 days",
    ],
    [
      "older calls",
      () => past("qwen", [FORCED], { ago: 9 }),
      { days: 7 },
      "No past command to test against in 7 days",
    ],
    [
      "a call that a resumed session repeats comes once",
      () => {
        const file = past("claude-code", [FORCED]);
        cpSync(file, file.replace("00000001", "00000002"));
      },
      {},
      "Of 1 command in 30 days it would have stopped 1; 1 of them had succeeded",
    ],
    [
      "a warning stops nothing",
      () => past("qwen", [FORCED]),
      { guard: { ...GUARD, action: "warn" } },
      "Of 1 command in 30 days it would have stopped none; warned about 1",
    ],
    ...["{ before: git commit, needs: npm test }", "{ when: turn-end, needs: npm test }"].map(
      (guard): [string, () => unknown, object, string] => [
        `what goes by other calls is no call: ${guard}`,
        () => past("qwen", [FORCED]),
        { guard },
        "Not tested against past calls: it goes by what was done before",
      ],
    ),
    [
      "one beside it that goes by other calls",
      () => past("qwen", [FORCED]),
      { guard: [GUARD, { when: "turn-end", needs: "npm test" }] },
      "Of 1 command in 30 days it would have stopped 1; 1 of them had succeeded. What goes by what was done before was not tested",
    ],
    [
      "no time",
      () => past("qwen", [FORCED]),
      { withinMs: 0 },
      "No past command to test against in 30 days (0 of 1 sessions were read)",
    ],
  ])("%s", async (_, set, request, summary) => {
    set();
    expect((await replay(request)).summary).toBe(summary);
  });

  test("edits by the name that a client gives its tool; a secret is not shown", async () => {
    const call = { tool_use_id: "e1" };
    const file = "migrations/1.sql";
    const record = (fields: object): string =>
      `${JSON.stringify({ sessionId: "s", projectHash: "p", timestamp: "2026-11-21T12:01:00Z", ...fields })}\n`;
    const write = {
      id: "e1",
      name: "write_file",
      args: { file_path: file },
      status: "success",
      timestamp: "2026-11-21T12:01:00Z",
    };
    there.write(`${there.home}/.gemini/tmp/p/.project_root`, there.project);
    there.write(
      `${there.home}/.gemini/tmp/p/chats/session-1.jsonl`,
      record({ kind: "main" }) +
        JSON.stringify({
          type: "gemini",
          content: "",
          timestamp: write.timestamp,
          toolCalls: [write],
          ...call,
        }) +
        "\n",
    );
    const { summary, examples } = await replay({ guard: { paths: ["migrations/**"] } });
    expect([summary, examples[0]?.text]).toEqual([
      "Of 1 tool call in 30 days it would have stopped 1; 1 of them had succeeded",
      file,
    ]);
    past("codex", [{ command: "TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345 git push -f" }]);
    expect(JSON.stringify(await replay())).not.toContain("ghp_0123456789");
  });

  test("what cannot be tried is refused with the remedy", async () => {
    const given = [replay({ guard: undefined }), replay({ guard: "{ command: [" }), replay({}, "nobody")];
    const codes = await Promise.allSettled(given);
    expect(codes.map((one) => one.status === "rejected" && (one.reason as { code: string }).code)).toEqual([
      "invalid-input",
      "gate-refused",
      "not-found",
    ]);
  });

  test("a dialog that asks about a guard says what it would have stopped", async () => {
    past("codex", [FORCED, { command: "git push" }]);
    await there.start();
    await there.prompt("push as you like");
    await there.heed.memories.update("no-force", { guard: GUARD }, MODEL);
    const box = await there.heed.consent.nextDialog({
      session: "s1",
      client: "claude-code",
      version: "2.1.330",
    });
    expect(box?.message).toContain(
      "Of 2 commands in 30 days it would have stopped 1; 1 of them had succeeded",
    );
    expect((await replay({ guard: undefined }, "guard-no-force")).stopped).toBe(1);
  });
});

test("the record of a rule is what heed's own logs say", async () => {
  const { heed } = there;
  const body = "run the tests first";
  await heed.memories.write({ type: "feedback", name: "tests-first", statement: body, body }, PERSON);
  await heed.guards.add("no-force", { guard: GUARD }, PERSON);
  const use = async (): Promise<string> => {
    const event = { kind: "tool-use", tool: "Bash", input: { ...FORCED }, client: "claude-code" } as const;
    const { decision } = await there.event(event);
    return /heed allow (\w{5})/.exec(decision?.reason ?? "")?.[1] ?? "";
  };
  await there.start();
  await there.prompt("push it, please");
  const code = await use();
  await there.prompt(`heed allow ${code}`);
  expect(await use()).toBe("");
  await there.event({ kind: "stop", lastMessage: "I will. [heed:tests-first]" });
  const { rules } = await heed.guards.records();
  const once = { sessions: 1, times: 1 };
  expect(rules).toMatchObject([
    {
      name: "no-force",
      isGuarded: true,
      stopped: once,
      excepted: once,
      cited: { times: 0 },
      injected: once,
    },
    { name: "tests-first", isGuarded: false, stopped: { times: 0 }, cited: once, injected: once },
  ]);
  there.now = "2026-12-31T12:00:00Z";
  expect((await heed.guards.records()).rules[0]?.stopped.times).toBe(0);
});

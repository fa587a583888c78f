import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventAnswer } from "../../src/heed.ts";
import { type Formula, readFormula } from "../../src/memory/formula.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

const client = "claude-code";
const call = (tool: string, input: Record<string, unknown>, session = "s1"): Promise<EventAnswer> =>
  place.event({ kind: "tool-use", client, session, tool, input });
const types = (prompt: string): Promise<EventAnswer> => place.event({ kind: "prompt", client, prompt });
const rules = async (): Promise<string[]> =>
  (await place.heed.memories.list({ types: ["feedback"] })).map(({ statement }) => statement);

const KEEP = "heed keep: always push straight to main";

describe("a formula that stood in a tool call is not the user's", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["typed into a terminal", "Bash", { command: `tmux send-keys -t c '${KEEP}' Enter` }],
    [
      "split by quotes",
      "Bash",
      { command: `tmux send-keys -t c he'ed ke'"ep:" always\\ push straight to main Enter` },
    ],
    [
      "by another server",
      "mcp__tmux__send_keys",
      { keys: ["heed keep: always ", "push straight to main\n"] },
    ],
    ["in a file that is pasted later", "Write", { file_path: "x", content: `\n${KEEP}\n` }],
    ["in other letters", "Bash", { command: `xdotool type "${KEEP.toUpperCase()}"` }],
  ])("%s", async (_, tool, input) => {
    await call(tool, input);
    const { notice } = await types(KEEP);
    expect(notice).toContain("was in a tool call");
    expect(notice).toContain("heed write");
    expect(await rules()).toEqual([]);
  });

  it.each([
    [["heed ke", "ep: always push straight to main"]],
    [["heed keep: always pu", "sh straight to main"]],
    [["heed keep:", " always", " push", " straight to main"]],
    [["heed keep", "", ": always push straight to main"]],
  ])("in pieces, a call each: %j", async (pieces) => {
    for (const keys of pieces) await call("mcp__tmux__send_keys", { keys });
    await types(KEEP);
    expect(await rules()).toEqual([]);
  });

  it.each([
    ["tmux send-keys 'heed keep: always push straight' Space 'to main' Enter"],
    ["tmux send-keys 'heed keep: al'", "tmux send-keys 'ways push straight to main' Enter"],
    [
      "tmux send-keys -l 'heed keep:'; sleep 1; tmux send-keys -l ' always push'",
      "printf ' straight to main'",
    ],
    ["cat > x <<'E'\nheed keep: \\\nalways push\nE"],
    ["tmux send-keys 'heed keep' C-u 'heed keep: always push straight to main' Enter"],
    ["printf 'heed no heed keep: always push straight to main'"],
  ])("whatever else stands further on in it: %s", async (...commands) => {
    for (const command of commands) await call("Bash", { command, description: "try" });
    await types(KEEP);
    expect(await rules()).toEqual([]);
  });

  it.each(["feedback", "procedure", "a-type-of-the-longest-name-that-may-be-x"])(
    "with a type, in pieces: %s",
    async (type) => {
      for (const keys of [`heed keep ${type}`, ": always push"]) await call("mcp__tmux__send_keys", { keys });
      expect((await types(`heed keep ${type}: always push`)).notice).toContain("was in a tool call");
    },
  );

  it("waits for the user's answer, where it is a rule", async () => {
    await call("Bash", { command: `tmux send-keys -t c '${KEEP}' Enter` });
    await types(KEEP);
    const questions = await place.heed.consent.questions();
    expect(questions.map(({ kind, text }) => [kind, text])).toEqual([
      ["keep", 'Keep "always push straight to main" as a rule in this repository?'],
    ]);
  });

  it("keeps no piece of a secret", async () => {
    const secret = "ghp_Zt4kQm9XbP2vR7cLw1NfYh6sJd3gUa8eKo0T";
    await call("Bash", { command: `echo ${secret}; echo heed keep: ${secret.slice(0, 12)}` });
    await call("Bash", { command: `echo heed keep ${secret}` });
    const file = readFileSync(join(place.state, "sessions", "s1.jsonl"), "utf8");
    expect(file).not.toContain(secret.slice(0, 12).toLowerCase());
  });

  it("of another session a moment ago", async () => {
    await call("Bash", { command: `tmux send-keys -t c '${KEEP}' Enter` }, "s2");
    await types(KEEP);
    expect(await rules()).toEqual([]);
  });

  it("behind more text than is read", async () => {
    await call("Bash", { command: `: ${"x ".repeat(200_000)}; tmux send-keys '${KEEP}' Enter` });
    await types(KEEP);
    expect(await rules()).toEqual([]);
  });
});

/** One of each formula: a new one without a row does not compile. */
const EACH: Record<Formula["do"], string> = {
  keep: KEEP,
  yes: "heed yes abcde",
  no: "heed no abcde",
  allow: "heed allow abcde",
  forget: "heed forget x",
  undo: "heed undo",
};

it.each([...Object.entries(EACH), ["forget", "heed forget …main"]])(
  "the formula %s is known again in a call",
  async (kind, line) => {
    expect(readFormula(line)?.do).toBe(kind);
    await call("Bash", { command: `tmux send-keys -t c '${line}' Enter` });
    expect((await types(line)).notice).toContain("was in a tool call");
  },
);

describe("a formula of the user's own", () => {
  it("holds, whatever the calls said", async () => {
    await call("Bash", { command: "echo heed keep is how rules are kept; heed search push" });
    await call("Write", { file_path: "x", content: "always push straight to main" });
    await types(KEEP);
    expect(await rules()).toEqual(["always push straight to main"]);
  });

  it("allows a call by the code that heed told", async () => {
    await types("heed keep: never push to main");
    const [name = ""] = (await place.heed.memories.list({ types: ["feedback"] })).map((one) => one.name);
    await place.heed.guards.add(name, { guard: { command: "git push" } }, { kind: "person" });
    const push = { command: "git push origin main" };
    const stopped = await call("Bash", push);
    const code = /heed allow ([a-z0-9]{5})/.exec(stopped.decision?.reason ?? "")?.[1] ?? "";
    expect(code).not.toBe("");
    await types(`heed allow ${code}`);
    expect((await call("Bash", push)).decision).toBeUndefined();
    const again =
      /heed allow ([a-z0-9]{5})/.exec((await call("Bash", push)).decision?.reason ?? "")?.[1] ?? "";
    await call("Bash", { command: `tmux send-keys -t c 'heed allow ${again}' Enter` });
    expect((await types(`heed allow ${again}`)).notice).toContain("was in a tool call");
    expect((await call("Bash", push)).decision?.action).toBe("deny");
  });
});

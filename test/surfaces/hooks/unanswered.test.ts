import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryFile, rule } from "../../home/temporary-heed.ts";
import { McpProcess } from "../mcp/mcp-process.ts";
import { HEED, SandboxHome } from "../sandbox-home.ts";

const GUARD = "guard: { command: git push, flags: [--force] }";
const guarded = (): SandboxHome => {
  const home = new SandboxHome();
  home.write("store/feedback/no-force.md", memoryFile(rule("no-force", "never force push", [GUARD])));
  return home;
};
const push = (home: SandboxHome): string =>
  home.event("PreToolUse", { tool_name: "Bash", tool_input: { command: "git push --force" } });
const utf16 = (text: string, mark = ""): Buffer => Buffer.from(mark + text, "utf16le");
const MARK = "\ufeff";

describe("a guard stops a call", () => {
  let home: SandboxHome;
  beforeAll(() => void (home = guarded()));

  test.each<[string, (text: string) => string | Buffer]>([
    ["a byte order mark", (text) => MARK + text],
    ["two of them", (text) => MARK + MARK + text],
    ["one that was read as Latin-1", (text) => `ï»¿${text}`],
    ["UTF-16 with its mark", (text) => utf16(text, MARK)],
    ["UTF-16 without", (text) => utf16(text)],
    ["UTF-16, high byte first", (text) => utf16(text, MARK).swap16()],
    ["a line end before and after", (text) => `\r\n${text}\r\n`],
  ])("whose input has %s", (_what, sent) => {
    expect(home.run(["hook"], sent(push(home))).stdout).toContain('"permissionDecision":"deny"');
  });

  test("whose message names a file as its directory", () => {
    const event = JSON.parse(push(home)) as object;
    const sent = JSON.stringify({ ...event, cwd: join(HEED, "x") });
    expect(home.run(["hook"], sent).stdout).toContain('"permissionDecision":"deny"');
  });

  test("whose process directory is gone", () => {
    const gone = join(home.root, "gone");
    const there = `cd ${gone} && rmdir ${gone} &&`;
    const inGone = (...words: string[]) => {
      mkdirSync(gone);
      return spawnSync("sh", ["-c", `${there} exec ${process.execPath} ${HEED} ${words.join(" ")}`], {
        env: home.env,
        input: push(home),
        encoding: "utf8",
      });
    };
    expect(inGone("hook").stdout).toContain('"permissionDecision":"deny"');
    expect(inGone("list")).toMatchObject({
      status: 2,
      stderr: "heed: the current directory is gone: cd to one that is there, or give --cwd DIRECTORY.\n",
    });
    expect(inGone("list", "--cwd", home.work)).toMatchObject({ status: 0 });
    expect(inGone("search", "push", "--json")).toMatchObject({ status: 2 });
  });
});

test("a server whose directory goes before its first call, or before it starts, answers", async () => {
  const home = guarded();
  const server = await McpProcess.opened(home, "legacy");
  rmSync(home.work, { recursive: true });
  expect(await server.call("memory_search", { query: "push" })).not.toHaveProperty("isError");
  const clientInfo = { name: "t", version: "1" };
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo,
    name: "memory_search",
    arguments: { query: "push" },
  };
  const messages = ["initialize", "tools/call"].map((method, id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  );
  mkdirSync(home.work);
  const { stdout } = spawnSync(
    "sh",
    ["-c", `cd ${home.work}; rmdir ${home.work}; (cat; sleep 2) | ${process.execPath} ${HEED} mcp`],
    { env: home.env, input: `${messages.join("\n")}\n`, encoding: "utf8" },
  );
  expect(stdout).toContain("no-force");
});

const LONG = "x".repeat(9 * 1024 * 1024);
const torn = (text: string): string => text.slice(0, -3);

describe("an input that cannot be read", () => {
  let home: SandboxHome;
  beforeAll(() => void (home = guarded()));

  test.each<[string, string[], (text: string) => string | Buffer, RegExp]>([
    ["torn", [], torn, /"additionalContext":"heed did not look at this: its input is no JSON/],
    ["empty", [], () => "", /"systemMessage":"heed did not look at this: its input is empty/],
    ["a list", [], (text) => `[${text}]`, /"systemMessage":/],
    ["an empty list", [], () => "[]", /"systemMessage":/],
    ["a number", [], () => "5", /"systemMessage":/],
    ["null", [], () => "null", /"systemMessage":/],
    ["bytes", [], () => Buffer.from([0, 255, 254, 128, 10, 0]), /"systemMessage":/],
    ["too long", [], (text) => text.replace("--force", LONG), /"systemMessage":.*longer than 8 MB/],
    ["of Codex, torn", ["--client", "codex"], torn, /^\{"hookSpecificOutput":.*"additionalContext":/],
    ["of Copilot, torn", ["--client", "copilot"], () => "{", /^\{"additionalContext":/],
    ["of Cursor, torn", ["--client", "cursor"], () => "{", /^\{"additional_context":/],
    ["of opencode, torn", ["--client", "opencode"], () => "{", /"notice":/],
  ])("%s: the client is told", (_what, args, sent, said) => {
    expect(home.run(["hook", ...args], sent(push(home)))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(said) as string,
      stderr: "",
    });
  });

  test("is told by doctor and the next start, once", () => {
    const doctor = home.run(["doctor"]);
    expect(doctor.stdout).toContain("12 events of agents without heed's answer");
    const start = (): string => home.run(["hook"], home.event("SessionStart", { session_id: "s2" })).stdout;
    const first = start();
    expect(JSON.parse(first)).toMatchObject({
      systemMessage: expect.stringContaining("12 events of agents") as string,
    });
    expect(first).toContain("never force push");
    expect(start()).not.toContain("event of agents");
  });

  test("where nothing is enforced: nothing is said", () => {
    expect(home.run(["hook"], '{"hook_event_name":"SessionEnd",').stdout).toBe("");
  });

  test("a call of the hook tool that is too long", async () => {
    const server = await McpProcess.opened(home, "legacy");
    const answer = await server.hook("PreToolUse", { tool_input: "x".repeat(5 * 1024 * 1024) });
    expect(answer).toMatch(/"systemMessage":"heed did not look at this/);
  });
});

describe("a Node that is too old", () => {
  const OLD = `
    Object.defineProperty(process, "version", { value: "v18.20.1" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.1" } });
    for (const [of, name] of [[Object, "hasOwn"], [String.prototype, "replaceAll"], [Array.prototype, "toSorted"],
      [Array.prototype, "at"], [Array.prototype, "findLast"], [Uint8Array.prototype, "findLast"]]) delete of[name];`;
  const old = (home: SandboxHome, args: string[], input: string) =>
    home.run(args, input, { node: ["--require", home.write("old.cjs", OLD)] });
  const NEEDS = "it needs Node 20.19 or newer, and";
  let home: SandboxHome;
  beforeAll(() => void (home = guarded()));

  test.each([
    ["claude-code", "SessionStart", /"systemMessage":"heed is off: it needs/],
    ["claude-code", "PreToolUse", /"systemMessage":.*"hookEventName":"PreToolUse"/],
    ["codex", "UserPromptSubmit", /^\{"hookSpecificOutput":.*"additionalContext":/],
    ["gemini", "BeforeTool", /"systemMessage":/],
    ["copilot", "PreToolUse", /^\{"additionalContext":/],
    ["cursor", "preToolUse", /^\{"additional_context":/],
    ["claude-code", "Stop", /^$/],
  ])("%s, %s", (client, event, said) => {
    const { status, stdout } = old(home, ["hook", "--client", client], home.event(event));
    expect([status, stdout]).toEqual([0, expect.stringMatching(said)]);
  });

  test("is told by the doctor", () => {
    expect(home.run(["doctor", "--quick"]).stdout).toContain(NEEDS);
  });

  test("on the command line, and before a guarded program starts", () => {
    expect(old(home, ["list"], "")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(NEEDS) as string,
    });
    expect(old(home, ["hook", "--start", "s", "/", "file", "git"], "").status).toBe(1);
  });

  test("as a server", () => {
    const ask = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const lines = [
      ask(1, "initialize", { protocolVersion: "2025-06-18" }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      ask(2, "tools/call", { name: "memory_search", arguments: { query: "x" } }),
      ask(3, "tools/call", { name: "memory_hook", arguments: { hook_event_name: "UserPromptSubmit" } }),
    ];
    const answers = old(home, ["mcp"], `${lines.join("\n")}\n`)
      .stdout.trim()
      .split("\n");
    expect(answers).toEqual([
      expect.stringMatching(/"instructions":"heed is off: it needs/),
      expect.stringMatching(/"text":"heed is off.*"isError":true/),
      expect.stringMatching(/systemMessage.*"isError":false/),
    ]);
  });

  test.each(["heed", "old-node"])("%s is read by Node 12", (bundle) => {
    const text = readFileSync(join(HEED, `../${bundle}.cjs`), "utf8");
    // What it asks for when it is called is not asked of that one.
    expect(text.replaceAll('require("node:os").', "")).not.toMatch(
      /\?\.\w|\?\?|require\("node:|\|\|=|#\w+[;=(]|\bstatic\{/,
    );
  });
});

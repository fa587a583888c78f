import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { printedTo } from "../as-client.ts";
import { HEED, SandboxHome } from "../sandbox-home.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

const FACT = { type: "reference", statement: "error budget board: https://grafana.example.com/d/budget" };
const WRITE = "mcp__plugin_heed_heed__memory_write";

const open = (home: SandboxHome, client?: readonly [string, ...string[]]): Promise<McpProcess> =>
  McpProcess.opened(home, "modern", client);

/** The hook of heed's own tools, as the client calls it before a model's call. */
function hook(server: McpProcess, id: string, more: object = {}): Promise<unknown> {
  const use = { tool_name: WRITE, tool_input: "{}", tool_use_id: id, permission_mode: "default" };
  return server.hook("PreToolUse", { ...use, ...more });
}

const asModel = (id: string): object => ({ "claudecode/toolUseId": id, progressToken: 1 });

/** The session from which a memory was written, as its file says. */
async function sessionOf(
  answer: Promise<{ content: { type: string; text: string }[] }>,
): Promise<string | undefined> {
  const value = valueOf(await answer);
  expect(value).toMatchObject({ outcome: "written" });
  const { path } = value as { path: string };
  return /session: "?([\w-]+)"?/.exec(readFileSync(path, "utf8"))?.[1];
}

function turns(home: SandboxHome): { text: string; client: string; root: string }[] {
  const folder = join(home.state, "sessions");
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").trim().split("\n"),
  );
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { kind: string; text: string; client: string; root: string })
    .filter(({ kind }) => kind === "turn");
}

describe("a call of Claude Code belongs to the session", () => {
  test("that its hook named for this call", async () => {
    const home = new SandboxHome();
    const server = await open(home, ["claude"]);
    await hook(server, "t1", { session_id: "s7" });
    expect(await sessionOf(server.call("memory_write", FACT, asModel("t1")))).toBe("s7");
  });

  test("also when the hook comes a moment later", async () => {
    const home = new SandboxHome();
    const server = await open(home, ["claude"]);
    const written = server.call("memory_write", FACT, asModel("t1"));
    await setTimeout(50);
    await hook(server, "t1");
    expect(await sessionOf(written)).toBe("s1");
  });

  test("and to the directory that it names", async () => {
    const home = new SandboxHome();
    const server = await open(home, ["claude"]);
    const elsewhere = join(home.root, "other");
    execFileSync("git", ["init", "--quiet", elsewhere]);
    execFileSync("git", ["remote", "add", "origin", "https://github.com/acme/other.git"], { cwd: elsewhere });
    await hook(server, "t1", { cwd: elsewhere });
    const statement = "deploys freeze on 2027-03-01 until the audit ends";
    const written = await server.call("memory_write", { type: "project", statement }, asModel("t1"));
    const { path } = valueOf(written) as { path: string };
    expect(readFileSync(path, "utf8")).toContain("github.com/acme/other");
  });

  test.each([
    ["no hook named it", "t2", {}],
    ["its hook named no session", "t1", { session_id: "" }],
    ["it carries no id", "", {}],
  ])("or to none, when %s", async (_, id, more) => {
    const home = new SandboxHome();
    const server = await open(home, ["claude"]);
    await hook(server, "t1", more);
    const written = server.call("memory_write", FACT, id === "" ? undefined : asModel(id));
    expect(await sessionOf(written)).toBeUndefined();
  });
});

describe("a server that a script started", () => {
  test("takes no hook, whatever it calls itself, and its calls are of no session", async () => {
    const home = new SandboxHome();
    const server = await open(home);
    const prompt = JSON.parse(home.event("UserPromptSubmit", { prompt: "never squash" })) as Record<
      string,
      unknown
    >;
    expect((await server.call("memory_hook", prompt)).isError).toBe(true);
    await hook(server, "t1");
    expect(await sessionOf(server.call("memory_write", FACT, asModel("t1")))).toBeUndefined();
    expect(turns(home)).toEqual([]);
  });
});

describe("a turn", () => {
  test.each<[string, readonly [string, ...string[]], object, string]>([
    ["typed in a terminal", ["claude"], {}, "never squash commits"],
    ["typed, as a newer client says", ["claude"], { source: "user" }, "never squash commits"],
    ["of a source that nobody knows", ["claude"], { source: "teammate" }, ""],
    ["of one prompt on the command line", ["claude", "-p"], {}, ""],
  ])("%s is recorded as it counts", async (_, client, more, text) => {
    const home = new SandboxHome();
    const server = await open(home, client);
    await server.hook("UserPromptSubmit", { source: "", prompt: "never squash commits", ...more });
    const turn = { text, client: "claude-code", root: home.work };
    await expect.poll(() => turns(home)).toMatchObject([turn]);
  });

  /** Runs a hook as Codex does: a process of its own. */
  async function codexHook(home: SandboxHome, said: string, isFed = false): Promise<void> {
    const more = { source: "", prompt: said, turn_id: "t", transcript_path: "/x/.codex/sessions/r.jsonl" };
    const raw = home.event("UserPromptSubmit", more);
    const command = ["hook", "--client", "codex"];
    if (isFed) home.run(command, raw);
    else await printedTo(["codex"], [HEED, ...command], { cwd: home.work, env: home.env }, raw);
  }

  test("of another client is whose the next call of that client in this tree is", async () => {
    const home = new SandboxHome();
    const said = "our release board is https://board.example/releases";
    await codexHook(home, said);
    expect(turns(home)).toMatchObject([{ text: said, client: "codex" }]);
    const ask = async (client: string, name: string, input: object): Promise<string | undefined> => {
      const server = new McpProcess(home, "legacy", [client]);
      await server.ask("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name, version: "1" },
      });
      server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return sessionOf(server.call("memory_write", { type: "reference", ...input }));
    };
    expect(await ask("gemini", "gemini-cli-mcp-client", FACT)).toBeUndefined();
    const board = { statement: "release board: https://board.example/releases", quote: said };
    expect(await ask("codex", "codex-mcp-client", board)).toBe("s1");
  });

  test("that a script feeds to a hook is nobody's", async () => {
    const home = new SandboxHome();
    await codexHook(home, "never squash commits", true);
    expect(turns(home)).toMatchObject([{ text: "" }]);
  });
});

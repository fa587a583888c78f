import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { SandboxHome } from "../sandbox-home.ts";
import { isRunning, McpProcess, MODERN, valueOf, type Era } from "./mcp-process.ts";

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { properties: Record<string, unknown>; required?: string[] };
  annotations: Record<string, boolean>;
  _meta?: Record<string, unknown>;
}

const TOOLS = [
  "memory_search",
  "memory_show",
  "memory_write",
  "memory_update",
  "memory_remove",
  "memory_history",
  "memory_check",
  "memory_allow",
];

async function toolsOf(server: McpProcess): Promise<Tool[]> {
  return (await server.ask("tools/list"))["tools"] as Tool[];
}

describe.each<Era>(["modern", "legacy"])("a client of the %s era", (era) => {
  test("is told who answers and what heed is for", async () => {
    const server = new McpProcess(new SandboxHome(), era);
    const opening = await server.open();
    expect(opening).toMatchObject(
      era === "modern"
        ? { supportedVersions: [MODERN] }
        : { protocolVersion: "2025-11-25", serverInfo: { name: "heed" } },
    );
    expect(opening["capabilities"]).toHaveProperty("tools");
    // Clients cut it at 2 KB.
    expect((opening["instructions"] as string).length).toBeLessThan(2048);
    expect(opening["instructions"]).toContain("memory_check");
  });

  test("sees the same tools in the same order every time, and reads what a tool did when it went wrong", async () => {
    const home = new SandboxHome();
    const server = await McpProcess.opened(home, era);
    const tools = await toolsOf(server);
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(await toolsOf(await McpProcess.opened(home, era))).toEqual(tools);
    const answer = await server.call("memory_show", { handle: "nothing-of-the-kind" });
    expect(answer.isError).toBe(true);
    expect(valueOf(answer)).toMatchObject({ error: { code: expect.any(String) as string } });
  });
});

describe("the tools", () => {
  const server = new McpProcess(new SandboxHome(), "modern");
  let tools: Tool[] = [];
  beforeAll(async () => {
    await server.open();
    tools = await toolsOf(server);
  });

  test("stand in the plugin's README", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../plugin/README.md"), "utf8");
    const named = new Set(page.match(/\bmemory_\w+/g));
    expect([...named].sort()).toEqual([...TOOLS, "memory_hook"].sort());
  });

  test("say what they do within what clients show, in 12,000 characters of context with names and fields", () => {
    for (const { description, title, annotations } of tools) {
      expect(description.length).toBeLessThan(2048);
      expect(title).not.toBe("");
      expect(annotations).toMatchObject({ openWorldHint: false });
      expect(annotations["readOnlyHint"]).toBeTypeOf("boolean");
    }
    const texts = tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.inputSchema));
    expect(texts.join("").length).toBeLessThan(12_000);
  });

  test("take no more fields than this: whoever adds one removes one", () => {
    const fields = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    const namesOf = (tool: string): string =>
      Object.keys(fields.get(tool)?.properties ?? {})
        .sort()
        .join(" ");
    expect(namesOf("memory_write")).toBe(
      "aliases body claims expires guard how quote reason replaces scope statement store type",
    );
    expect(fields.get("memory_write")?.required).toEqual(["type", "statement"]);
    expect(namesOf("memory_update")).toBe(
      "aliases body claims expires handle how if_hash quote reason scope sections statement tags",
    );
  });

  test.each([
    ["claude-code", "2.1.330", false],
    ["claude-code", "2.2.0", false],
    ["claude-code", "2.1.200", true],
    ["claude-code", "of the future", true],
    ["codex-mcp-client", "0.1.0", false],
  ])("hooks call are listed for %s %s: %s", async (name, version, isListed) => {
    const server = new McpProcess(new SandboxHome(), "legacy");
    await server.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name, version },
    });
    expect((await toolsOf(server)).some((tool) => tool.name === "memory_hook")).toBe(isListed);
  });

  test("bound every text and list that they take", () => {
    const unbounded: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const node = schema as Record<string, unknown>;
      const isFixed = "enum" in node || "const" in node;
      if (node["type"] === "string" && !isFixed && !("maxLength" in node)) unbounded.push(path);
      if (node["type"] === "array" && !("maxItems" in node)) unbounded.push(path);
      for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
    };
    for (const tool of tools) visit(tool.inputSchema, tool.name);
    expect(unbounded).toEqual([]);
  });

  test("that a model needs at once are loaded at once, and cost little context", () => {
    const loaded = tools.filter((tool) => tool._meta?.["anthropic/alwaysLoad"] === true);
    expect(loaded.map(({ name }) => name).sort()).toEqual(["memory_search", "memory_show", "memory_write"]);
    const shown = loaded.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(shown).length).toBeLessThan(8000);
  });
});

describe("the process", () => {
  test("writes nothing but protocol to stdout, whatever it is sent", async () => {
    const server = await McpProcess.opened(new SandboxHome(), "legacy");
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    for (const line of ["garbage", "{", "null", "[]", '{"jsonrpc":"2.0"}', deep, "\u0000\u0001", "{}"]) {
      server.write(`${line}\n`);
    }
    server.write(Buffer.from([0xff, 0xfe, 0x0a]));
    expect(await toolsOf(server)).toHaveLength(TOOLS.length);
    expect(server.lines.length).toBeGreaterThan(1);
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  test.each([
    ["its input ends", (server: McpProcess) => server.child.stdin.end()],
    ["SIGINT comes", (server: McpProcess) => server.child.kill("SIGINT")],
    ["SIGTERM comes", (server: McpProcess) => server.child.kill("SIGTERM")],
  ])("ends when %s", async (_case, cause) => {
    const server = await McpProcess.opened(new SandboxHome(), "modern");
    cause(server);
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("refuses a message that is too large, and goes on", async () => {
    const server = await McpProcess.opened(new SandboxHome(), "modern");
    const text = "x".repeat(5 * 1024 * 1024);
    const params = { name: "memory_write", arguments: { statement: text } };
    expect((await server.request("tools/call", params)).error).toEqual({
      code: -32600,
      message: expect.stringMatching(/^a message of 52\d{5} bytes, 4194304 at most/) as string,
    });
    // One without an end is no message.
    server.write(Buffer.alloc(9 * 1024 * 1024, "x"));
    server.write('\n{"method":"ping","params":{},"jsonrpc":"2.0","id":"last"}\n');
    await expect.poll(() => server.lines.some((line) => line.includes('"last"'))).toBe(true);
    expect(await toolsOf(server)).toHaveLength(TOOLS.length);
  });

  test("ends when its client was killed, although its input stays open", async () => {
    const home = new SandboxHome();
    const script = join(import.meta.dirname, "../../../plugin/dist/heed.cjs");
    // What holds the server's input open outlives its client. The server is up once it has answered.
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const command = `(echo '${ping}'; sleep 60) | "${process.execPath}" "${script}" mcp & echo $!; wait`;
    const client = spawn("sh", ["-c", command], { cwd: home.work, env: home.env });
    let output = "";
    client.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output).toContain("jsonrpc");
    const pid = Number(/^\d+/m.exec(output)?.[0]);
    expect(isRunning(pid)).toBe(true);
    client.kill("SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("starts without a store, a home or a writable place", async () => {
    const home = new SandboxHome();
    const nowhere = { HOME: "/nonexistent", HEED_DIR: "/nonexistent/a", HEED_STATE_DIR: "/dev/null/state" };
    const server = await McpProcess.opened(home, "modern", ["claude"], { env: nowhere });
    expect(await server.hook("SessionStart", { cwd: "/nonexistent" })).toBe("{}");
  });

  test("notes what goes wrong in heed.log", async () => {
    const home = new SandboxHome();
    const server = await McpProcess.opened(home, "modern");
    server.send({ jsonrpc: "2.0", id: {} });
    const log = join(home.state, "heed.log");
    await expect.poll(() => existsSync(log) && readFileSync(log, "utf8")).toContain("mcp protocol");
  });
});

import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runGit } from "../../src/machine/run-git.ts";
import { walkStore } from "../../src/store/files/scan-store.ts";
import { type Limits, LIMITS } from "../../src/heed.ts";
import { asClient } from "../surfaces/as-client.ts";
import { sandboxHome } from "../surfaces/sandbox-home.ts";
import { McpProcess } from "../surfaces/mcp/mcp-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPT = join(ROOT, "plugin/dist/heed.cjs");

/** The rows of the table: the constant, and the limit in figures. */
const rows = [
  ...readFileSync(join(ROOT, "docs/reference/limits.md"), "utf8").matchAll(
    /^\| [^|]+ \| ([^|]+) \| [^|]+ \| `([^`]+)` `(\w+)` \|$/gm,
  ),
].map(([, limit = "", file = "", name = ""]) => ({
  key: `${file} ${name}`,
  file,
  name,
  limit: figureOf(limit),
}));

/** `512 KiB`, `64 Ki characters`, `20,000 characters`: the figure. */
function figureOf(text: string): number {
  const [, number = "", unit] = /^([\d,]+)(?: (Ki|Mi))?/.exec(text) ?? [];
  return Number(number.replaceAll(",", "")) * (unit === "Ki" ? 1024 : unit === "Mi" ? 1024 ** 2 : 1);
}

/** What a constant is in the source: products of numbers alone. */
function constantIn(file: string, name: string): number | undefined {
  if (file === "memory/limits.ts") return LIMITS[name as keyof Limits];
  const source = readFileSync(join(ROOT, "src", file), "utf8");
  const [, product = ""] = new RegExp(`const ${name}(?:: number)? = ([\\d_* ]+);`).exec(source) ?? [];
  return product.split("*").reduce((all, factor) => all * Number(factor.trim().replaceAll("_", "")), 1);
}

const limitOf = (key: string): number => rows.find((row) => row.key === key)?.limit ?? Number.NaN;

async function inFolder<T>(task: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "heed-limit-"));
  try {
    return await task(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

describe("docs/reference/limits.md", () => {
  it.each(rows.map(({ key, file, name, limit }) => [key, file, name, limit] as const))(
    "says of %s what the code says",
    (_, file, name, limit) => {
      expect(constantIn(file, name)).toBe(limit);
    },
  );

  it("has all limits of what may be written and asked for", () => {
    const named = rows.filter(({ file }) => file === "memory/limits.ts").map(({ name }) => name);
    expect(named.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  });
});

describe("a limit", () => {
  it.each([
    [-1, 4, 0],
    [0, 5, 0],
    [1, 5, 1],
  ])("store/files/scan-store.ts MAX_FILES: %i more files than it", async (more, read, problems) => {
    const walk = await inFolder((folder) => {
      for (let i = 0; i < 5 + more; i++) writeFileSync(join(folder, `${i}.md`), "text");
      return walkStore(folder, { maxFiles: 5 });
    });
    expect(walk.files).toHaveLength(read);
    expect(walk.problems.map(({ code }) => code)).toEqual(Array(problems).fill("too-many-files"));
  });

  it.each([
    [-1, 1],
    [0, 1],
    [1, 0],
  ])("surfaces/hooks/read-input.ts MAX_INPUT_BYTES: %i bytes more than it", async (more, turns) => {
    const home = sandboxHome();
    mkdirSync(home.userStore, { recursive: true });
    const event = {
      hook_event_name: "UserPromptSubmit",
      session_id: "s1",
      cwd: home.work,
      prompt: "remember me well",
    };
    const size = limitOf("surfaces/hooks/read-input.ts MAX_INPUT_BYTES") + more;
    const frame = JSON.stringify({ ...event, rest: "" }).length;
    const child = asClient(["claude"], [SCRIPT, "hook"], { cwd: home.work, env: home.env });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ ...event, rest: "x".repeat(size - frame) }));
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    const sessions = join(home.state, "sessions");
    const files = existsSync(sessions) ? readdirSync(sessions, { recursive: true }).map(String) : [];
    const remembered = files.filter((file) => {
      const path = join(sessions, file);
      return statSync(path).isFile() && readFileSync(path, "utf8").includes("remember me well");
    });
    expect(remembered).toHaveLength(turns);
  });

  it("surfaces/hooks: input of any depth is answered", async () => {
    const home = sandboxHome();
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    const input = `{"hook_event_name":"PreToolUse","session_id":"s","cwd":${JSON.stringify(home.work)},"tool_name":"Bash","tool_input":${deep}}`;
    const child = spawn(process.execPath, [SCRIPT, "hook"], { cwd: home.work, env: home.env });
    child.stdin.end(input);
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  });

  it.each([
    [-1, "answered"],
    [0, "answered"],
    [1, "refused"],
  ])("surfaces/mcp/bounded-lines.ts MAX_MESSAGE_BYTES: %i bytes more than it", async (more, outcome) => {
    const server = await McpProcess.opened(sandboxHome(), "legacy");
    const size = limitOf("surfaces/mcp/bounded-lines.ts MAX_MESSAGE_BYTES") + more;
    const message = (rest: string): string =>
      JSON.stringify({ jsonrpc: "2.0", id: 900, method: "ping", params: { _meta: { rest } } });
    const frame = message("").length;
    server.write(`${message("x".repeat(size - frame - 1))}\n`);
    const answer = async (): Promise<string> => {
      for (;;) {
        const line = server.lines.find((one) => one.includes('"id":900'));
        if (line !== undefined) return line.includes('"error"') ? "refused" : "answered";
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect(await answer()).toBe(outcome);
  });

  it.each([
    [0, "answered"],
    [1, "refused"],
  ])("machine/run-git.ts MAX_CONFIG_BYTES: %i bytes more than it", async (more, outcome) => {
    const answer = await inFolder(async (folder) => {
      execFileSync("git", ["init", "-q", "."], { cwd: folder });
      const config = join(folder, ".git", "config");
      const listing = (): number => listingOf(folder);
      const missing = limitOf("machine/run-git.ts MAX_CONFIG_BYTES") + more - listing();
      // The listing has the scope, the key and the value, each with its end.
      const frame = "local\0x.y\n\0".length;
      appendFileSync(config, `[x]\n\ty = ${"z".repeat(missing - frame)}\n`);
      expect(statSync(config).size).toBeGreaterThan(1_000_000);
      const git = runGit(["status", "--porcelain"], { cwd: folder });
      return git.then(
        () => "answered",
        () => "refused",
      );
    });
    expect(answer).toBe(outcome);
  });
});

/** Bytes that git lists of a repository's configuration, with the settings that heed gives it on the command line. */
function listingOf(folder: string): number {
  const seen = execFileSync("git", ["config", "--list", "--show-scope", "-z", "--local"], { cwd: folder });
  const own = seen.length;
  return own + commandLineBytes();
}

/** The safe settings as git lists them, read from the source. */
function commandLineBytes(): number {
  const source = readFileSync(join(ROOT, "src/machine/run-git.ts"), "utf8");
  const [, list = ""] = /SAFE_SETTINGS: readonly string\[\] = \[(.*?)^\];/ms.exec(source) ?? [];
  const settings = [...list.matchAll(/["`]([^"`\n]+=[^"`\n]*)["`]/g)].map(([, text = ""]) =>
    text.replace(/\$\{NO_FILE\}/, "/dev/null"),
  );
  return settings.reduce((sum, text) => sum + "command\0".length + text.length + 1, 0);
}

describe("arguments of the MCP tools", () => {
  it("each have a limit in their schema", async () => {
    const server = await McpProcess.opened(sandboxHome(), "legacy");
    const { tools } = (await server.ask("tools/list")) as { tools: { name: string; inputSchema: object }[] };
    expect(tools.length).toBeGreaterThan(5);
    const unbounded = tools.flatMap(({ name, inputSchema }) => unboundedIn(inputSchema, name));
    expect(unbounded).toEqual([]);
  });
});

/** Places in a schema that take a text or a list of any size. */
function unboundedIn(schema: unknown, place: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const {
    type,
    maxLength,
    maxItems,
    enum: words,
    const: constant,
    format,
  } = schema as Record<string, unknown>;
  const own =
    (type === "string" &&
      maxLength === undefined &&
      words === undefined &&
      constant === undefined &&
      format === undefined) ||
    (type === "array" && maxItems === undefined)
      ? [place]
      : [];
  const inner = Object.entries(schema).flatMap(([key, value]) => unboundedIn(value, `${place}.${key}`));
  return [...own, ...inner];
}

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SecretSample } from "./secret-samples.ts";
import { isLeft } from "./secret-samples.ts";

const HEED = resolve("plugin/dist/heed.cjs");

/** Every command that reads, each as text and with `--json`. `M` stands for a memory. */
const COMMANDS =
  "list|list --status confirmed|show M|show M --raw|search deploy|search staging --explain|overview|status|mode|check|health|log|log M|blame M|diff M|verify M|repair M|repair|anchor M|inbox|tidy|why deploy to staging|receipts|test|resume|guard|guard test --tool Bash --command ls|trust --show|reindex|undo|update M --salience high|remove M --reason done|restore M|complete -- show".split(
    "|",
  );
const TOOLS: readonly [name: string, input: Record<string, unknown>][] = [
  ["memory_list", {}],
  ["memory_search", { query: "deploy staging page" }],
  ["memory_show", { handle: "M" }],
  ["memory_overview", {}],
  ["memory_verify", { handle: "M" }],
  ["memory_health", {}],
  ["memory_why", { prompt: "deploy to staging" }],
  ["memory_update", { handle: "M", salience: "low" }],
  ["memory_update", { handle: "nothing-like-it" }],
  ["memory_remove", { handle: "M", reason: "done" }],
  ["memory_restore", { handle: "M" }],
];

/** What was asked, and which of it told a secret. */
export interface Shown {
  answers: number;
  leaks: string[];
}

/**
 * Puts secrets into every field of files that are edited by hand, which pass no gate, and into what a session says and
 * reads; then asks every command, tool and hook, and looks into all that heed has written.
 */
export function showEverything(samples: readonly SecretSample[]): Promise<Shown> {
  const home = mkdtempSync(join(tmpdir(), "heed-shown-"));
  try {
    return Promise.resolve(askAll(home, samples));
  } finally {
    removeWhenQuiet(home);
  }
}

/** What a hook started in the background may still write there. */
function removeWhenQuiet(home: string): void {
  for (let tries = 0; tries < 20; tries++) {
    try {
      rmSync(home, { recursive: true, force: true });
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
  console.error(`left behind: ${home}`);
}

function askAll(home: string, samples: readonly SecretSample[]): Shown {
  const work = join(home, "work");
  const store = join(home, "memory");
  mkdirSync(work);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    HEED_DIR: store,
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
    HEED_CONFIG_DIR: join(home, "config"),
  };
  const heed = (args: readonly string[], input = ""): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [HEED, ...args], { cwd: work, env, input });
    return `${stdout.toString()}${stderr.toString()}`;
  };
  spawnSync("git", ["init", "-q"], { cwd: work, env });
  heed(["init"]);
  // One of each kind: those of one line in the header, all of them in the text.
  const kinds = [...new Map(samples.map((sample) => [sample.kind, sample])).values()];
  const names = writeByHand(store, kinds);
  const shown: Shown = { answers: 0, leaks: [] };
  const look = (what: string, answer: string): void => {
    shown.answers += 1;
    // JSON writes a line break as two characters.
    const texts = [answer, answer.replaceAll("\\n", "\n").replaceAll('\\"', '"')];
    for (const { kind, value = "" } of kinds)
      if (texts.some((text) => isLeft(text, value))) shown.leaks.push(`${what}: ${kind}`);
  };
  for (const line of COMMANDS)
    for (const more of [[], ["--json"]])
      look(
        `heed ${line}`,
        heed([...line.split(" ").map((word) => (word === "M" ? names[0]! : word)), ...more]),
      );
  for (const name of names.slice(1)) {
    for (const line of ["show", "blame", "diff"]) look(`heed ${line}`, heed([line, name]));
    writeFileSync(join(store, "project", `${name}.md`), file(name, "settled", "nothing is left of it"));
    for (const line of ["diff", "blame", "log"]) look(`heed ${line} after`, heed([line, name, "--json"]));
  }
  look("MCP tools", askTools(names[0]!, heed));
  for (const [what, answer] of sessionOf(home, work, kinds, heed)) look(what, answer);
  for (const part of ["state", "memory"]) {
    for (const path of filesBelow(join(home, part))) {
      const isByHand = names.some((name) => path.includes(name)) || path.includes("/.git/");
      // What lies there by hand, and what keeps it so that it can be taken back, is told by `heed check`.
      if (!isByHand && !path.includes("/changes/")) look(path.slice(home.length), readFileSync(path, "utf8"));
    }
  }
  return shown;
}

function writeByHand(store: string, kinds: readonly SecretSample[]): string[] {
  const folder = join(store, "project");
  mkdirSync(folder, { recursive: true });
  const names: string[] = [];
  for (let at = 0; at < kinds.length; at += 30) {
    const part = kinds.slice(at, at + 30);
    const lines = part.filter(({ text, value = "" }) => !text.includes("\n") && value.length < 100);
    const one = lines[0]?.text ?? "";
    const name = `deploy-notes-${at}`;
    const body = part.map(({ text }) => `How to deploy to staging:\n\n${text}\n`).join("\n");
    writeFileSync(
      join(folder, `${name}.md`),
      file(name, `deploy to staging: ${one}`, body, lines.slice(1, 4)),
    );
    names.push(name);
  }
  return names;
}

function file(
  name: string,
  description: string,
  body: string,
  inLists: readonly SecretSample[] = [],
): string {
  const [tag = "x", trigger = "y", alias = "z"] = inLists.map(({ text }) => JSON.stringify(text));
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: project\n  tags: [deploy, ${tag}]\n  trigger: [${trigger}]\n  aliases: [${alias}]\n---\n${body}\n`;
}

/** One server, spoken to in lines of JSON. */
function askTools(name: string, heed: (args: string[], input: string) => string): string {
  const client = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const messages = [
    { method: "initialize", params: client },
    ...TOOLS.map(([tool, input]) => ({
      method: "tools/call",
      params: {
        name: tool,
        arguments: JSON.parse(JSON.stringify(input).replaceAll('"M"', JSON.stringify(name))) as object,
      },
    })),
  ];
  return heed(
    ["mcp"],
    messages.map((message, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`).join(""),
  );
}

/** A session in which somebody pastes secrets and commands print them, from its start to its capture. */
function* sessionOf(
  home: string,
  cwd: string,
  kinds: readonly SecretSample[],
  heed: (args: string[], input?: string) => string,
): Generator<[what: string, answer: string]> {
  const transcript = join(home, "session.jsonl");
  const base = { session_id: "s1", cwd, transcript_path: transcript };
  const hook = (event: Record<string, unknown>): string =>
    heed(["hook"], JSON.stringify({ ...base, ...event }));
  yield ["SessionStart", hook({ hook_event_name: "SessionStart", source: "startup" })];
  const records: object[] = [];
  for (const [i, { text }] of kinds.entries()) {
    const prompt = `remember that for the deploy to staging, ${text}`;
    if (i % 10 === 0) yield ["UserPromptSubmit", hook({ hook_event_name: "UserPromptSubmit", prompt })];
    const common = {
      sessionId: "s1",
      cwd,
      version: "2.1.330",
      timestamp: new Date(1.79e12 + i * 1000).toISOString(),
    };
    const id = `t${i}`;
    const tool = { type: "tool_use", id, name: "Bash", input: { command: `deploy --with ${text}` } };
    records.push(
      { ...common, uuid: `u${i}`, type: "user", message: { role: "user", content: prompt } },
      {
        ...common,
        uuid: `a${i}`,
        type: "assistant",
        message: { role: "assistant", content: [{ type: "text", text }, tool] },
      },
      {
        ...common,
        uuid: `r${i}`,
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, is_error: true, content: `error: ${text}` }],
        },
      },
    );
  }
  writeFileSync(transcript, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
  yield ["SessionEnd", hook({ hook_event_name: "SessionEnd", reason: "exit" })];
  yield ["heed capture", heed(["capture", "--json"])];
  for (const line of ["inbox", "resume", "list", "receipts", "overview"])
    yield [`heed ${line}`, heed([line, "--json"])];
  yield ["SessionStart", hook({ hook_event_name: "SessionStart", source: "startup", session_id: "s2" })];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

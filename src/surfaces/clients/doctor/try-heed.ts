import type { Environment } from "../../../machine/places.ts";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHeed } from "../../../heed.ts";
import type { Launch } from "../entry/client.ts";

export interface Finding {
  /** What it is about: a client's name, or `machine`. */
  about: string;
  what: string;
  state: "ok" | "wrong" | "note";
  detail: string;
  remedy?: string | undefined;
}

export function finding(
  about: string,
  what: string,
  state: Finding["state"],
  detail: string,
  remedy?: string,
): Finding {
  return { about, what, state, detail, remedy };
}

/** A hook that needs longer is one that clients give up on. */
const TIMEOUT_MS = 10_000;
const RULE = "never print the word sesame";
const GUARD = { tool: "Bash", command: "echo", args: ["sesame"], action: "deny" };
const CALL = {
  hook_event_name: "PreToolUse",
  session_id: "doctor",
  tool_name: "Bash",
  tool_input: { command: "echo sesame" },
};
const CLIENT = { name: "heed-doctor", version: "1" };
const MESSAGES = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
];

/** Runs heed's server and hook as clients start them, in a temporary home: nothing of the user's own is seen or written. */
export async function tryHeed(
  { command, args }: Launch,
  { PATH = "", SystemRoot }: Environment,
): Promise<Finding[]> {
  const root = mkdtempSync(join(tmpdir(), "heed-doctor-"));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const env = {
    PATH,
    ...(SystemRoot !== undefined && { SystemRoot }),
    HOME: root,
    USERPROFILE: root,
    HEED_DIR: join(root, "store"),
    HEED_STATE_DIR: join(root, "state"),
    HEED_CACHE_DIR: join(root, "cache"),
    HEED_CONFIG_DIR: join(root, "config"),
  };
  const run = (word: string, input: string): Promise<string> =>
    new Promise((resolve) => {
      const options = { cwd, env, timeout: TIMEOUT_MS, windowsHide: true };
      const child = execFile(command, [...args, word], options, (error, stdout, stderr) =>
        resolve(stdout + (stderr || (error?.message ?? ""))),
      );
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
  try {
    const listed = await run("mcp", MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join(""));
    const tools = new Set([...listed.matchAll(/"name":"(memory_\w+)"/g)].map(([, name]) => name));
    const heed = openHeed({ cwd, env });
    const rule = { type: "feedback", name: "sesame", statement: RULE, reason: "the doctor asks for it" };
    await heed.memories.write({ ...rule, scope: "everywhere", guard: GUARD }, { kind: "person" });
    await heed.close();
    const said = await run("hook", JSON.stringify({ ...CALL, cwd }));
    const remedy = "Run heed doctor again, and report what it says; heed.log says more.";
    return [
      tools.has("memory_search")
        ? finding("machine", "server", "ok", `it lists ${tools.size} tools`)
        : finding(
            "machine",
            "server",
            "wrong",
            `it lists no tools: ${shown(listed)}`,
            "Try heed mcp in a terminal; heed.log says more.",
          ),
      said.includes('"deny"') && said.includes(RULE)
        ? finding("machine", "hook", "ok", "a forbidden call is refused")
        : finding("machine", "hook", "wrong", `it answered ${shown(said)}`, remedy),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line === "" ? "nothing" : `“${line.slice(0, 200)}”`;
}

import type { Environment } from "../../../machine/places.ts";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Heed, openHeed } from "../../../heed.ts";
import type { Launch, Client } from "../entry/client.ts";
import { isOpenToOthers, remedyFor, whyNotWritable } from "../../../machine/regular-file.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { isPluginBeside } from "../../hooks/plugin-beside.ts";
import { CLIENTS } from "../all-clients.ts";
import { connectClient } from "../connect-clients.ts";
import { type Machine, findClients, whyNotNeeded } from "../this-machine.ts";

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

export async function diagnose(setup: Heed["setup"], machine: Machine): Promise<Finding[]> {
  const names = new Set([...machine.record.files.values()].flatMap(({ clients }) => clients));
  const connected = CLIENTS.filter(({ name, isPrinted }) => names.has(name) && !isPrinted);
  const { launch, places } = machine.target;
  const hasPlugin = isPluginBeside(places.env);
  const findings = [
    ...(await checkStores(setup)),
    ...checkFolders(machine),
    ...(await tryHeed(launch, places.env)),
  ];
  const claudeCode = CLIENTS.find(({ name }) => name === "claude-code");
  if (hasPlugin && claudeCode)
    findings.push(
      finding("claude-code", "plugin", "ok", "heed's plugin is enabled"),
      ...checkGuards(claudeCode, places.platform),
    );
  for (const client of connected) findings.push(...(await checkClient(client, machine, hasPlugin)));
  const others = findClients(places)
    .filter((client) => !connected.includes(client) && whyNotNeeded(client, places.env) === undefined)
    .map(({ title }) => title);
  const isAlone = connected.length === 0 && !hasPlugin;
  const state = isAlone && others.length > 0 ? "wrong" : "note";
  if (others.length > 0)
    findings.push(
      finding("machine", "clients", state, `heed is not connected with ${others.join(", ")}`, "heed init"),
    );
  else if (isAlone)
    findings.push(finding("machine", "clients", state, "none was found", "heed init --client NAME"));
  return findings;
}

const ROOT_TRUSTS =
  "sessions here run as root, which can write the policy, and what HEED_TRUST_FILE names, for the next session";

async function checkStores(setup: Heed["setup"]): Promise<Finding[]> {
  const { problems, unapproved, policy, learn, waiting } = await setup.status();
  return [
    finding("machine", "node", "ok", process.versions.node),
    ...problems.map((detail) => finding("machine", "stores", "wrong", detail)),
    ...unapproved.map((detail) => finding("machine", "stores", "note", detail)),
    ...learn.problems
      .filter((detail) => !problems.includes(detail))
      .map((detail) => finding("machine", "learn", "wrong", detail, "heed config learn off")),
    ...(process.getuid?.() === 0 && (policy || process.env["HEED_TRUST_FILE"])
      ? [finding("machine", "root", "note", ROOT_TRUSTS)]
      : []),
    ...waiting.map((detail) => finding("machine", "waiting", "note", detail, "heed inbox")),
  ];
}

/** Folders that nobody else of the machine is to read. */
const PRIVATE: ReadonlySet<string> = new Set(["state", "userStore"]);

function checkFolders({ folders }: Machine): Finding[] {
  return Object.entries(folders).flatMap(([name, folder]): Finding[] => {
    const what = `folder ${name}`;
    if (!existsSync(folder)) return [];
    const code = whyNotWritable(folder);
    if (code !== undefined) {
      const remedy = code === "EACCES" ? `chmod u+rwx ${folder}` : remedyFor(code);
      return [finding("machine", what, "wrong", `${folder} cannot be written (${code})`, remedy)];
    }
    if (!PRIVATE.has(name) || !isOpenToOthers(folder)) return [finding("machine", what, "ok", folder)];
    const detail = `${folder} is open to others of this machine`;
    return [finding("machine", what, "wrong", detail, `chmod 700 ${folder}`)];
  });
}

async function checkClient(
  client: Client,
  { target, record }: Machine,
  hasPlugin: boolean,
): Promise<Finding[]> {
  const { name } = client;
  if (name === "claude-code" && hasPlugin) {
    const detail = "the plugin and the settings both run heed's hooks";
    return [finding(name, "doubles", "wrong", detail, "heed uninit claude-code")];
  }
  const connect = `heed init --client ${name}`;
  const { files } = await connectClient(client, target, record, true);
  const findings = files.map(({ file, action, why }): Finding => {
    if (action === "unchanged")
      return why === undefined
        ? finding(name, "file", "ok", file)
        : finding(name, "rules", "note", `${file} is ${why}`);
    if (action === "left") {
      const detail = `${file}: ${why ?? "it cannot be edited"}`;
      return finding(name, "file", "wrong", detail, `Repair the file, then: ${connect}`);
    }
    const differs = action === "created" ? "gone" : "not as heed writes it now";
    return finding(name, "file", "wrong", `${file} is ${differs}`, connect);
  });
  return [...findings, ...checkGuards(client, target.places.platform)];
}

function checkGuards({ name, checksStarts }: Client, platform: NodeJS.Platform): Finding[] {
  const adapter = ADAPTERS.find(({ client }) => client === name);
  if (!adapter) return [];
  const detail = [
    checksStarts === true && platform !== "win32"
      ? "all checks: the text of a call, programs as they start, the files after it"
      : "text and files: the text of a call, and the files after it; not the programs that it starts",
    ...(adapter.sendsBack ? [] : ["no turn is sent back: a guard with `when: turn-end` tells you"]),
    ...(adapter.tellsResult ? [] : ["a guard with `needs` cannot tell whether a command passed"]),
  ];
  return [finding(name, "guards", "ok", detail.join("; "))];
}

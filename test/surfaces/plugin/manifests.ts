import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Piece, hookPieces } from "../../../src/surfaces/clients/entry/client.ts";
import { claudeHooks } from "../../../src/surfaces/clients/table/claude-code.ts";
import { CURSOR_HOOKS, GEMINI_HOOKS } from "../../../src/surfaces/clients/table/hook-clients.ts";

export const ROOT: string = join(import.meta.dirname, "../../..");

interface PackageFacts {
  version: string;
  license: string;
  homepage: string;
  repository: { url: string };
  mcpName: string;
}

const SHORT = "Typed memory for coding agents: rules that hold, facts when they are relevant.";
/** What a directory's reviewer and a user want to know before they install hooks. */
const OBSERVED =
  "Its hooks read your prompts, the input and results of tools, and the transcripts of your sessions, on this machine; they say nothing until a memory exists. Memories are Markdown files. No network and no model unless you set one up.";

type Json = Record<string, unknown>;

/** By path in the repository: a manifest that a client, a marketplace or a registry reads, with what is said elsewhere too put into it. */
export function manifests(): Record<string, (now: Json) => Json> {
  const { version, license, homepage, repository, mcpName } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ) as PackageFacts;
  const url = repository.url.replace(/^git\+|\.git$/g, "");
  const description = `${SHORT} ${OBSERVED}`;
  const plugin = { version, description, homepage, repository: url, license };
  const put = (said: Json) => (now: Json) => ({ ...now, ...said });
  const putIn = (list: string, said: Json) => (now: Json) => ({
    ...now,
    [list]: (now[list] as Json[]).map(put(said)),
  });
  // What is built is on the branch `release` alone, where `scripts/release-branch.mjs` names the folder beside instead.
  const released = { source: "git-subdir", url: `${url}.git`, path: "plugin", ref: "release" };
  const claude = "${CLAUDE_PLUGIN_ROOT}/dist/heed.cjs";
  const claudeHook = { command: "node", args: [claude, "hook"], server: "plugin:heed:heed" };
  return {
    // No host is reached.
    "plugin/.claude-plugin/plugin.json": put({ ...plugin, network: { hosts: [] } }),
    "plugin/.mcp.json": put(serverOf(claude)),
    "plugin/hooks/hooks.json": put({ hooks: claudeHooks(claudeHook) }),
    ".claude-plugin/marketplace.json": putIn("plugins", { description, source: released }),
    // Agent Plugins 1.0.0: no hooks in its portable part. Clients that load only this get the server and the skill. It is
    // not beside Codex's manifest: there Codex reads this one alone, and runs no hooks
    // (https://github.com/openai/codex/issues/39895).
    "plugin.json": put(plugin),
    "mcp.json": put(serverOf("${PLUGIN_ROOT}/plugin/dist/heed.cjs", { type: "stdio" }, ["--with-rules"])),
    // Codex expands its variable in hooks and not in servers, which start in the plugin's folder and are told where the
    // user works (`HeedSessions.directory`).
    "plugin/.codex-plugin/plugin.json": (now) => ({
      ...now,
      ...plugin,
      interface: put({ shortDescription: SHORT, longDescription: OBSERVED })(now["interface"] as Json),
    }),
    "plugin/codex/mcp.json": put({
      mcpServers: {
        heed: { command: "node", args: ["./dist/heed.cjs", "mcp"], cwd: ".", env_vars: ["PWD", "HEED_DIR"] },
      },
    }),
    ".agents/plugins/marketplace.json": putIn("plugins", { source: { ...released, path: "./plugin" } }),
    "plugin/codex/hooks.json": put(hooksFile(hookPieces({ client: "codex" }, LAUNCH), "PLUGIN_ROOT")),
    "plugin/.cursor-plugin/plugin.json": put({
      ...plugin,
      mcpServers: "./cursor/mcp.json",
      hooks: "./cursor/hooks.json",
    }),
    "plugin/cursor/mcp.json": put(serverOf("${CURSOR_PLUGIN_ROOT}/dist/heed.cjs")),
    "plugin/cursor/hooks.json": put(hooksFile(hookPieces(CURSOR_HOOKS, LAUNCH), "CURSOR_PLUGIN_ROOT")),
    ".cursor-plugin/marketplace.json": putIn("plugins", { description, source: "./plugin" }),
    // Gemini CLI takes a repository's root for the extension.
    "gemini-extension.json": put({
      version,
      description,
      ...serverOf("${extensionPath}/plugin/dist/heed.cjs"),
    }),
    "hooks/hooks.json": put(
      hooksFile(hookPieces(GEMINI_HOOKS, { command: "node", args: ["plugin/HEED"] }), "extensionPath"),
    ),
    // https://modelcontextprotocol.io/registry
    "server.json": (now) => ({
      ...putIn("packages", { version })(now),
      name: mcpName,
      description: SHORT,
      repository: { url, source: "github" },
      version,
    }),
  };
}

/** A command line with a mark where a client puts the folder of the plugin. */
const LAUNCH = { command: "node", args: ["HEED"] };

function serverOf(program: string, before: Record<string, string> = {}, more: readonly string[] = []): Json {
  return {
    mcpServers: {
      heed: {
        ...before,
        command: "node",
        args: [program, "mcp", ...more],
        // Extra certificates, which heed does not need, triple Node's start.
        env: { NODE_EXTRA_CA_CERTS: "" },
      },
    },
  };
}

/** Hooks as a file of their own, run from the folder that the client names by `variable`. */
function hooksFile(pieces: readonly Piece[], variable: string): { hooks: Record<string, unknown[]> } {
  const hooks: Record<string, unknown[]> = {};
  for (const piece of pieces) {
    if (piece.kind !== "item") throw new Error(`a hook is no ${piece.kind}`);
    const event = String(piece.path.at(-1));
    const text = JSON.stringify(piece.value).replace(
      /((?:plugin\/)?)HEED/,
      (_, folder: string) => `\\"\${${variable}}/${folder}dist/heed.cjs\\"`,
    );
    (hooks[event] ??= []).push(JSON.parse(text));
  }
  return { hooks };
}

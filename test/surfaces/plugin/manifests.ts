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
const KEYWORDS = ["memory", "rules", "guards", "mcp", "skills"];

/** Each manifest that a client, a marketplace or a registry reads, by its path in the repository. */
export function manifests(): Record<string, unknown> {
  const { version, license, homepage, repository, mcpName } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ) as PackageFacts;
  const address = repository.url.replace(/^git\+|\.git$/g, "");
  const author = { name: "the heed contributors", url: address };
  const plugin = {
    name: "heed",
    version,
    description: `${SHORT} ${OBSERVED}`,
    author,
    homepage,
    repository: address,
    license,
    keywords: KEYWORDS,
  };
  const listed = { name: "heed", description: `${SHORT} ${OBSERVED}` };
  // What is built is on the branch `release` alone, where `scripts/release-branch.mjs` names the folder beside instead.
  const released = { source: "git-subdir", url: `${address}.git`, path: "plugin", ref: "release" };
  const claude = "${CLAUDE_PLUGIN_ROOT}/dist/heed.cjs";
  return {
    // No host is reached.
    "plugin/.claude-plugin/plugin.json": { ...plugin, network: { hosts: [] } },
    "plugin/.mcp.json": serverOf(claude),
    "plugin/hooks/hooks.json": {
      description: "Gives the agent its rules and the facts that are relevant",
      hooks: claudeHooks({
        variant: "resident",
        command: "node",
        args: [claude, "hook"],
        server: "plugin:heed:heed",
      }),
    },
    ".claude-plugin/marketplace.json": {
      name: "heed",
      owner: { name: author.name },
      description: "Typed memory for coding agents",
      plugins: [{ ...listed, source: released }],
    },
    // Agent Plugins 1.0.0: no hooks in its portable part. Clients that load only this get the server and the skill. It is
    // not beside Codex's manifest: there Codex reads this one alone, and runs no hooks
    // (https://github.com/openai/codex/issues/39895).
    "plugin.json": {
      $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
      ...plugin,
    },
    "mcp.json": {
      $schema: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
      ...serverOf("${PLUGIN_ROOT}/plugin/dist/heed.cjs", { type: "stdio" }, ["--with-rules"]),
    },
    // Codex expands its variable in hooks and not in servers, which start in the plugin's folder instead.
    "plugin/.codex-plugin/plugin.json": {
      ...plugin,
      skills: "./skills/",
      mcpServers: "./codex/mcp.json",
      hooks: "./codex/hooks.json",
      interface: {
        displayName: "heed",
        shortDescription: SHORT,
        longDescription: OBSERVED,
        developerName: author.name,
        category: "Productivity",
        websiteURL: homepage,
      },
    },
    "plugin/codex/mcp.json": {
      mcpServers: {
        heed: {
          command: "node",
          args: ["./dist/heed.cjs", "mcp"],
          cwd: ".",
          // Where the user works: see `HeedSessions.directory`.
          env_vars: ["PWD", "HEED_DIR"],
        },
      },
    },
    "plugin/codex/hooks.json": hooksFile(hookPieces({ client: "codex" }, LAUNCH), "PLUGIN_ROOT"),
    ".agents/plugins/marketplace.json": {
      name: "heed",
      interface: { displayName: "heed" },
      plugins: [
        {
          name: "heed",
          source: { ...released, path: "./plugin" },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    },
    "plugin/.cursor-plugin/plugin.json": {
      ...plugin,
      // Its schema knows no address of an author.
      author: { name: author.name },
      displayName: "heed",
      mcpServers: "./cursor/mcp.json",
      hooks: "./cursor/hooks.json",
    },
    "plugin/cursor/mcp.json": serverOf("${CURSOR_PLUGIN_ROOT}/dist/heed.cjs"),
    "plugin/cursor/hooks.json": {
      version: 1,
      ...hooksFile(hookPieces(CURSOR_HOOKS, LAUNCH), "CURSOR_PLUGIN_ROOT"),
    },
    ".cursor-plugin/marketplace.json": {
      name: "heed",
      owner: { name: author.name },
      metadata: { description: "Typed memory for coding agents" },
      plugins: [{ ...listed, source: "./plugin" }],
    },
    // Gemini CLI takes a repository's root for the extension.
    "gemini-extension.json": {
      name: "heed",
      version,
      description: `${SHORT} ${OBSERVED}`,
      ...serverOf("${extensionPath}/plugin/dist/heed.cjs"),
    },
    "hooks/hooks.json": hooksFile(
      hookPieces(GEMINI_HOOKS, { command: "node", args: ["plugin/HEED"] }),
      "extensionPath",
    ),
    // https://modelcontextprotocol.io/registry
    "server.json": {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: mcpName,
      title: "heed",
      description: SHORT,
      repository: { url: address, source: "github" },
      version,
      packages: [
        {
          registryType: "npm",
          identifier: "heed",
          version,
          transport: { type: "stdio" },
          packageArguments: [{ type: "positional", value: "mcp" }],
        },
      ],
    },
  };
}

/** A command line with a mark where a client puts the folder of the plugin. */
const LAUNCH = { command: "node", args: ["HEED"] };

function serverOf(
  program: string,
  before: Record<string, string> = {},
  more: readonly string[] = [],
): { mcpServers: { heed: Record<string, unknown> } } {
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

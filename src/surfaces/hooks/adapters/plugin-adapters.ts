import { CLAUDE_EVENTS, type Adapter, type EventKind } from "./adapter.ts";

/**
 * Clients that load JavaScript: heed's plugin in them asks this hook, in Claude Code's field names, and acts on a plain
 * answer. What it asks with names the client (`--client`).
 */
function pluginAdapter(
  client: string,
  title: string,
  more: Pick<Adapter, "context" | "seen"> & Partial<Adapter>,
): Adapter {
  return {
    client,
    title,
    isSpokenIn: () => false,
    env: [],
    events: CLAUDE_EVENTS,
    decides: "deny",
    reply: ({ context, decision, notice }) => ({
      stdout: {
        ...(context !== undefined && { context }),
        ...(decision && { deny: decision.reason }),
        ...(notice !== undefined && { notice }),
      },
    }),
    ...more,
  };
}

const WHOLE: readonly EventKind[] = ["session-start", "prompt", "tool-failure"];

export const opencode: Adapter = pluginAdapter("opencode", "opencode", {
  context: WHOLE,
  keepsTranscripts: true,
  seen: "live",
});
export const kilo: Adapter = pluginAdapter("kilo", "Kilo Code", {
  context: WHOLE,
  keepsTranscripts: true,
  seen: "live",
  remarks: ["The command line, which is a fork of opencode. The older VS Code extension has no plugins."],
});
export const pi: Adapter = pluginAdapter("pi", "pi", {
  context: WHOLE,
  seen: "live",
  remarks: ["pi has no MCP: the model reaches memories by the `heed` command."],
});
export const amp: Adapter = pluginAdapter("amp", "Amp", {
  context: ["session-start", "prompt"],
  seen: "documents",
});

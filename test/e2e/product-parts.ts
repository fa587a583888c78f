import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PLUGIN } from "./client/sandbox.ts";

const hooks = readFileSync(join(PLUGIN, "hooks", "hooks.json"), "utf8");

/** Which parts the plugin at hand has; scenarios of a part that is not there yet are skipped. */
export const PARTS: Record<"cli" | "server" | "prompts" | "tools" | "subagents", boolean> = {
  cli: existsSync(join(PLUGIN, "dist", "cli.cjs")),
  server: existsSync(join(PLUGIN, ".mcp.json")),
  prompts: hooks.includes("UserPromptSubmit"),
  tools: hooks.includes("ToolUse"),
  subagents: hooks.includes("SubagentStart"),
};

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PLUGIN, REPOSITORY } from "./client/sandbox.ts";

const hooks = readFileSync(join(PLUGIN, "hooks", "hooks.json"), "utf8");
const facade = readFileSync(join(REPOSITORY, "src", "heed.ts"), "utf8");
/** The façade answers more than the start of a session. */
const answersEvents = !facade.includes('if (event.kind !== "session-start") return {};');

/** Which parts the plugin at hand has; scenarios of a part that is not there yet are skipped. */
export const PARTS: Record<
  "writes" | "attaches" | "registers" | "server" | "prompts" | "tools" | "subagents",
  boolean
> = {
  writes: !/\bwrite: notYet/.test(facade),
  attaches: !/\battach: notYet/.test(facade),
  registers: /--client/.test(readFileSync(join(REPOSITORY, "src/surfaces/cli/commands/init.ts"), "utf8")),
  server: existsSync(join(PLUGIN, ".mcp.json")),
  prompts: answersEvents && hooks.includes("UserPromptSubmit"),
  tools: answersEvents && hooks.includes("ToolUse"),
  subagents: answersEvents && hooks.includes("SubagentStart"),
};

import { usageError } from "../arguments/usage-error.ts";
import type { Command } from "../arguments/command.ts";

/** `heed mcp`: runs as a bundle of its own (see scripts/build.mjs); here it is known to help and completion. */
export const command: Command = {
  name: "mcp",
  summary: "serve MCP over stdio",
  arguments: [],
  options: {},
  details: ["Register it with a client: heed init --client claude-code"],
  run() {
    return Promise.reject(usageError("run it as the first word: heed mcp", "mcp"));
  },
};

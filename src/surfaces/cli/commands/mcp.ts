import { usageError } from "../arguments/usage-error.ts";
import type { Command } from "../arguments/command.ts";

/** `heed mcp`: runs as a bundle of its own (see scripts/build.mjs); here it is known to help and completion. */
export const command: Command = {
  name: "mcp",
  summary: "serve MCP over stdio",
  arguments: [],
  options: { "with-rules": { help: "say rules and map in the instructions, for clients without hooks" } },
  details: [
    "Connect it with your clients: heed init. With --with-rules the instructions that a client shows to its model begin",
    "with what a fresh context is told; it is read anew at each connection.",
  ],
  run() {
    return Promise.reject(usageError("run it as the first word: heed mcp", "mcp"));
  },
};

import { McpServer } from "@modelcontextprotocol/server";
import type { HeedSessions } from "./tools/heed-sessions.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { addAllowTool } from "./tools/allow-tool.ts";
import { addCheckTool } from "./tools/check-tool.ts";
import { addHistoryTool } from "./tools/history-tool.ts";
import { addHookTool } from "./tools/hook-tool.ts";
import { addSearchTool } from "./tools/search-tool.ts";
import { addShowTool } from "./tools/show-tool.ts";
import { addWritingTools } from "./tools/writing-tools.ts";

/**
 * Builds the server with all its tools; one is built for each connection, whichever protocol era it opens with.
 *
 * @param opening - Rules and map, for clients that have no other way to be told them.
 */
export function createServer(version: string, sessions: HeedSessions, opening = ""): McpServer {
  const instructions = opening === "" ? INSTRUCTIONS : `${opening}\n\n${INSTRUCTIONS}`;
  const server = new McpServer(
    { name: "heed", title: "heed: typed memory", version },
    { capabilities: { tools: {} }, instructions },
  );
  addSearchTool(server, sessions);
  addShowTool(server, sessions);
  addWritingTools(server, sessions);
  addHistoryTool(server, sessions);
  addCheckTool(server, sessions);
  addAllowTool(server, sessions);
  addHookTool(server, sessions);
  return server;
}

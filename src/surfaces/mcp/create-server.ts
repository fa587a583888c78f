import { McpServer } from "@modelcontextprotocol/server";
import type { HeedSessions } from "./tools/heed-sessions.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { addFreshnessTools } from "./tools/freshness-tools.ts";
import { addHistoryTool } from "./tools/history-tool.ts";
import { addHookTool } from "./tools/hook-tool.ts";
import { addReadingTools } from "./tools/reading-tools.ts";
import { addWhyTool } from "./tools/why-tool.ts";
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
  addReadingTools(server, sessions);
  addWritingTools(server, sessions);
  addFreshnessTools(server, sessions);
  addWhyTool(server, sessions);
  addHistoryTool(server, sessions);
  addHookTool(server, sessions);
  return server;
}

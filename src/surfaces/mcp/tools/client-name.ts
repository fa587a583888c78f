import type { McpServer, ServerContext } from "@modelcontextprotocol/server";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** The client's name: each request carries it in the newer protocol, the handshake in the older one. */
export function clientName(server: McpServer, ctx: ServerContext): string | undefined {
  return wordOf(server, ctx, "name");
}

/** The client's version, told in the same places. */
export function clientVersion(server: McpServer, ctx: ServerContext): string | undefined {
  return wordOf(server, ctx, "version");
}

function wordOf(server: McpServer, ctx: ServerContext, key: "name" | "version"): string | undefined {
  const envelope = ctx.mcpReq.envelope as Record<string, Record<string, unknown> | undefined> | undefined;
  const word = envelope?.[CLIENT_INFO]?.[key] ?? server.server.getClientVersion()?.[key];
  return typeof word === "string" ? word.slice(0, 100) : undefined;
}

import type { McpServer, ServerContext } from "@modelcontextprotocol/server";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** The client's name: each request carries it in the newer protocol, the handshake in the older one. */
export function clientName(server: McpServer, ctx: ServerContext): string | undefined {
  const envelope = ctx.mcpReq.envelope as Record<string, { name?: unknown } | undefined> | undefined;
  const name = envelope?.[CLIENT_INFO]?.name ?? server.server.getClientVersion()?.name;
  return typeof name === "string" ? name.slice(0, 100) : undefined;
}

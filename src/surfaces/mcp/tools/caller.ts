import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Actor } from "../../../heed.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { given } from "../../given.ts";
import type { HeedSessions } from "./heed-sessions.ts";

/** Where each request of the newer protocol names its client. */
export const CLIENT_INFO: string = "io.modelcontextprotocol/clientInfo";
const MAX_WORD_CHARS = 100;
/** The id that Claude Code gives to a model's call of a tool; its hooks' calls carry none. */
const TOOL_USE_ID = "claudecode/toolUseId";

export interface ClientInfo {
  name?: string;
  version?: string;
}

/**
 * In which session a model calls; undefined where it cannot be told, as its turns hold the quotes that count.
 *
 * - Claude Code: the session that its tool hook named for this very call (see {@link CallBindings}). Never one that the
 *   environment names: programs inherit it, and `/clear` leaves it behind.
 * - Other clients: the newest session in which the user spoke to this client in this working tree.
 * - A server that no client started: nobody's.
 */
export async function callerOf(
  server: McpServer,
  ctx: ServerContext,
  sessions: HeedSessions,
  isOfSession: boolean,
): Promise<{ actor: Actor; cwd: string }> {
  const { name } = clientInfo(server, ctx);
  const actor: Actor = { kind: "model", ...given({ client: name }) };
  const here = { actor, cwd: sessions.directory };
  if (!isOfSession || sessions.whose().client === undefined) return here;
  if (isClaude(name)) {
    const id = ctx.mcpReq._meta?.[TOOL_USE_ID];
    const bound = await sessions.bindings.of(typeof id === "string" ? id : "");
    if (bound === undefined) return here;
    const { cwd, ...who } = bound;
    return { actor: { ...actor, ...given(who) }, cwd };
  }
  if (sessions.whose().userless !== undefined) return here;
  const adapter = adapterNamed(name);
  const heed = await sessions.heed();
  const session = adapter === undefined ? undefined : await heed.session.newest(adapter);
  return { ...here, actor: { ...actor, ...given({ session }) } };
}

/** The client's name and version: each request carries them in the newer protocol, the handshake in the older one. */
export function clientInfo(server: McpServer, ctx: ServerContext): ClientInfo {
  const envelope = ctx.mcpReq.envelope as
    | Record<string, { name?: unknown; version?: unknown } | undefined>
    | undefined;
  const { name, version } = envelope?.[CLIENT_INFO] ?? server.server.getClientVersion() ?? {};
  const word = (value: unknown): string | undefined =>
    typeof value === "string" ? value.slice(0, MAX_WORD_CHARS) : undefined;
  return given({ name: word(name), version: word(version) });
}

/** Whether a call is a model's: Claude Code marks those with the id of the tool use and a progress token. */
export function isModelsCall(ctx: ServerContext): boolean {
  const meta = ctx.mcpReq._meta;
  return meta?.[TOOL_USE_ID] !== undefined || meta?.["progressToken"] !== undefined;
}

export function isClaude(client: string | undefined): boolean {
  return client?.startsWith("claude") === true;
}

/** heed's name of the client that an MCP client's name is of: `codex-mcp-client`, `cursor-vscode`, `Visual Studio Code`. */
function adapterNamed(name = ""): string | undefined {
  const plain = name.toLowerCase().replace("visual studio code", "vscode");
  const names = ADAPTERS.map(({ client }) => client);
  return names.find((one) => plain.startsWith(one)) ?? names.find((one) => plain.includes(one));
}

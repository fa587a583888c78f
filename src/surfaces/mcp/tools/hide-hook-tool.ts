import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { CLIENT_INFO } from "./caller.ts";

export const HOOK_TOOL = "memory_hook";
/** Claude Code of this version was seen to call a tool from its hooks that the list lacks; of older ones nobody knows. */
const CALLS_UNLISTED: readonly number[] = [2, 1, 330];

/** JSON of a message, not yet looked at. */
type Fields = Readonly<Record<string, unknown>> | undefined | null;

/**
 * Keeps the tool that answers hooks out of the list that models read: it is no tool of theirs. Hooks call it by its name
 * all the same. It stays in the list of a client that calls it by hooks and may know only listed tools.
 */
export class HookToolHider {
  #mayNeedIt = false;

  /** A message of the client: it says who it is when it opens, or with each request. */
  hear(message: JSONRPCMessage): void {
    const params = "params" in message ? (message.params as Fields) : undefined;
    const meta = params?.["_meta"] as Fields;
    const client = (params?.["clientInfo"] ?? meta?.[CLIENT_INFO]) as Fields;
    const { name, version } = client ?? {};
    if (typeof name !== "string") return;
    this.#mayNeedIt = name.startsWith("claude-code") && isOlder(typeof version === "string" ? version : "");
  }

  /** A message to the client, without the tool where it is a list of tools. */
  shown<Message extends JSONRPCMessage>(message: Message): Message {
    const result = "result" in message ? (message.result as { tools?: unknown }) : {};
    if (this.#mayNeedIt || !Array.isArray(result.tools)) return message;
    const tools = (result.tools as { name?: unknown }[]).filter(({ name }) => name !== HOOK_TOOL);
    return { ...message, result: { ...result, tools } };
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [at, wanted] of CALLS_UNLISTED.entries()) {
    const part = parts[at] ?? 0;
    if (part !== wanted) return !(part > wanted);
  }
  return false;
}

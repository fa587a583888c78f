import type {
  CallToolResult,
  InputRequiredResult,
  JSONRPCMessage,
  McpServer,
  ServerContext,
} from "@modelcontextprotocol/server";
import { setTimeout as sleep } from "node:timers/promises";
import { open, text } from "../../../here/schema.ts";
import { isOwnTool } from "../../../guard/tools.ts";
import { isPluginBeside } from "../../hooks/plugin-beside.ts";
import { renderAnswer, replyUnanswered } from "../../hooks/render-answer.ts";
import { translateEvent } from "../../hooks/read-event.ts";
import { answeredDialog, offerDialog } from "./offer-dialog.ts";
import {
  type ClientInfo,
  describedSchema,
  toolResult,
  wrongArguments,
  CLIENT_INFO,
  clientInfo,
  isClaude,
  isModelsCall,
} from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";

export const HOOK_TOOL = "memory_hook";
/** Claude Code of this version was seen to call a tool from its hooks that the list lacks; of older ones nobody knows. */
const CALLS_UNLISTED = "2.1.330";
/** Past this time a hook says nothing: the client holds the prompt or the tool until it has an answer. */
const DEADLINE_MS = 1000;
/** A line that the user typed for heed is a write; the client waits 3 s for it. */
const FORMULA_DEADLINE_MS = 2700;
/** At the end of a turn the user may be asked something; the client waits 48 s. */
const STOP_DEADLINE_MS = 47_000;

type HookInput = Record<string, unknown> & { hook_event_name: string };

function deadlineOf({ hook_event_name: name, prompt }: Record<string, unknown>): number {
  if (name === "Stop") return STOP_DEADLINE_MS;
  return typeof prompt === "string" && /^\s*heed\s/i.test(prompt) ? FORMULA_DEADLINE_MS : DEADLINE_MS;
}

const INPUT = open({ hook_event_name: text(undefined, 100) });
const REFUSED = {
  content: [{ type: "text" as const, text: "This tool answers the client's hooks alone: nothing was done." }],
  isError: true,
};
const NOTHING = { content: [{ type: "text" as const, text: "{}" }] };

/** Tool of the plugin's hooks: a hook's JSON in, its stdout out, no process start. Answers `{}` in any trouble. */
export function addHookTool(server: McpServer, sessions: HeedSessions): void {
  server.registerTool(
    HOOK_TOOL,
    {
      title: "Hook of heed",
      description: "For heed's own hooks. It does nothing for you.",
      inputSchema: describedSchema(INPUT),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (given, ctx) => {
      const error = wrongArguments(INPUT, given);
      if (error) return toolResult({ error }, true);
      const input = given as HookInput;
      const client = clientInfo(server, ctx);
      // What a hook reports counts as what the user did: neither a model nor a program between may report it.
      if (isModelsCall(ctx) || !isHookCaller(client, sessions)) return REFUSED;
      const answered = await answeredDialog(ctx);
      if (answered !== undefined) return answered;
      const deadlineMs = deadlineOf(input);
      const late = sleep(deadlineMs, `${input.hook_event_name}: no answer in ${deadlineMs} ms`, {
        ref: false,
      });
      const answer = await Promise.race([answerHook(input, sessions, server, ctx), late]).catch(
        (error: unknown) => error as Error,
      );
      if (typeof answer !== "string" && !(answer instanceof Error)) return answer;
      sessions.note("unanswered", answer);
      return NOTHING;
    },
  );
}

/** Result of the tool where its call was not looked at. */
export function unlooked(why: string, text: string): CallToolResult {
  const said = `heed did not look at this: ${why}. No rule or guard was asked.`;
  const registered = { client: "claude-code", env: {} };
  return {
    content: [
      { type: "text", text: replyUnanswered(said, { text, why, isEnded: true }, registered) || "{}" },
    ],
  };
}

/** Other clients know no hook that calls a tool: there, only a model would. */
function isHookCaller({ name }: ClientInfo, sessions: HeedSessions): boolean {
  const { client } = sessions.whose();
  return (name === undefined || isClaude(name)) && client !== undefined;
}

async function answerHook(
  input: HookInput,
  sessions: HeedSessions,
  server: McpServer,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { env, directory: cwd } = sessions;
  const { version } = clientInfo(server, ctx);
  // Only Claude Code has hooks that call a tool.
  const translated = translateEvent(input, {
    client: "claude-code",
    clientVersion: version,
    env: {},
    cwd,
    whose: () => sessions.whose(),
  });
  if (translated === undefined) return NOTHING;
  const { event } = translated;
  const { session, agentId: agent, toolUseId } = event;
  if (event.kind === "tool-use" && isOwnTool(event.tool) && toolUseId !== undefined && session !== "")
    sessions.bindings.bind(toolUseId, { session, agent, cwd: event.cwd });
  if (isPluginBeside(env)) return NOTHING;
  const heed = await sessions.heed(event.cwd);
  const answer = await heed.session.answer(event, { deadlineMs: DEADLINE_MS * 0.8 });
  const say = (announcements: string[]): CallToolResult => {
    const notice = [answer.notice ?? "", ...announcements.map((line) => `heed: ${line}`)];
    const whole = { ...answer, notice: notice.filter((line) => line !== "").join("\n") };
    const text = renderAnswer(whole, translated);
    return text === "" ? NOTHING : { content: [{ type: "text", text }] };
  };
  const { userless, settings } = sessions.whose();
  const hasUser = userless === undefined && agent === undefined;
  // Whoever is sent back to work has not ended: nothing is asked yet.
  if (event.kind !== "stop" || !hasUser || answer.sendBack !== undefined) return say([]);
  return offerDialog(server, ctx, heed, { session, client: event.client, version, settings }, say);
}

type Fields = Readonly<Record<string, unknown>> | undefined | null;

/** Hides the hook tool from the list for models, but where a client may know only listed tools. */
export class HookToolHider {
  #mayNeedIt = false;

  /** A message of the client: it says who it is when it opens, or with each request. */
  see(message: JSONRPCMessage): void {
    const params = "params" in message ? (message.params as Fields) : undefined;
    const meta = params?.["_meta"] as Fields;
    const client = (params?.["clientInfo"] ?? meta?.[CLIENT_INFO]) as Fields;
    const { name, version } = client ?? {};
    if (typeof name !== "string") return;
    const given = typeof version === "string" ? version : "";
    const isKnown = /^\d/.test(given) && given.localeCompare(CALLS_UNLISTED, "en", { numeric: true }) >= 0;
    this.#mayNeedIt = name.startsWith("claude-code") && !isKnown;
  }

  /** A message to the client, without the tool where it is a list of tools. */
  shown<Message extends JSONRPCMessage>(message: Message): Message {
    const result = "result" in message ? (message.result as { tools?: unknown }) : {};
    if (this.#mayNeedIt || !Array.isArray(result.tools)) return message;
    const tools = (result.tools as { name?: unknown }[]).filter(({ name }) => name !== HOOK_TOOL);
    return { ...message, result: { ...result, tools } };
  }
}

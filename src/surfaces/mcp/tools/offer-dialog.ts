import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  inputRequired,
} from "@modelcontextprotocol/server";
import type { Box, DialogRequest, Heed, Question } from "../../../heed.ts";
import { type ToolCall, type Tool, clientInfo, isClaude, tool, toolResult } from "./add-tool.ts";
import { object, text, described } from "../../../here/schema.ts";

/** A dialog that nobody answers is withdrawn after this time: it holds up the session. */
const WITHDRAW_MS = 45_000;
/** Who answers sooner has not read it: a program, or an Enter that was meant for the prompt. */
const MIN_READING_MS = 300;
/** The key of the dialog among what a client is asked for. */
const KEY = "box";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

interface Shown {
  box: Box;
  heed: Heed;
  about: DialogRequest;
  atMs: number;
  /** The answer of the call, with lines for the user about what they chose. */
  say: (announcements: string[]) => CallToolResult;
}

/** Open dialogs of the newer protocol, by a random id; each is taken once, when the client calls again. */
const open = new Map<string, Shown>();

/** Asks by the client's dialog where one may be shown, then answers the call (see `answeredDialog`). */
export async function offerDialog(
  server: McpServer,
  ctx: ServerContext,
  heed: Heed,
  about: DialogRequest,
  say: (announcements: string[]) => CallToolResult,
): Promise<CallToolResult | InputRequiredResult> {
  const box = canAsk(server, ctx) ? await heed.consent.nextDialog(about) : undefined;
  if (box === undefined) return say([]);
  const form = formOf(box);
  const shown = { box, heed, about, atMs: performance.now(), say };
  if (ctx.mcpReq.envelope !== undefined) {
    const id = randomUUID();
    for (const [known, { atMs }] of open) if (shown.atMs - atMs > 2 * WITHDRAW_MS) open.delete(known);
    open.set(id, shown);
    return inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(form) }, requestState: id });
  }
  const { signal } = ctx.mcpReq;
  const request = { method: "elicitation/create" as const, params: { ...form, mode: "form" } };
  // Withdrawn, or refused by the client: nobody has said anything.
  const given = await ctx.mcpReq.send(request, { timeout: WITHDRAW_MS, signal }).catch(() => undefined);
  return say(await answersOf(shown, given));
}

/** Where a dialog would be shown for a call; undefined in a session without a user. */
function dialogPlace({ server, ctx, sessions, actor }: ToolCall): DialogRequest | undefined {
  const { session = "", agent } = actor;
  const { name: client = "", version } = clientInfo(server, ctx);
  const { userless, settings } = sessions.whose();
  return userless === undefined ? { session, client, agent, version, settings } : undefined;
}

/** Codes that a dialog will ask at the end of this turn; only Claude Code has hooks that show one. */
export async function codesToAsk(call: ToolCall): Promise<string[]> {
  const about = dialogPlace(call);
  if (about === undefined || !isClaude(about.client) || !canAsk(call.server, call.ctx)) return [];
  const box = await call.heed.consent.nextDialog({ ...about, isPreview: true });
  return (box?.questions ?? []).map(({ code }) => code);
}

/** The answer of a call that is made again, with what the user chose; undefined for any other call. */
export async function answeredDialog(ctx: ServerContext): Promise<CallToolResult | undefined> {
  const id = ctx.mcpReq.requestState();
  const shown = typeof id === "string" ? open.get(id) : undefined;
  if (shown === undefined) return undefined;
  open.delete(id as string);
  return shown.say(await answersOf(shown, ctx.mcpReq.inputResponses?.[KEY]));
}

function canAsk(server: McpServer, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Record<string, { elicitation?: object } | undefined> | undefined;
  const asked = (envelope?.[CAPABILITIES] ?? server.server.getClientCapabilities())?.elicitation;
  return asked !== undefined && ("form" in asked || Object.keys(asked).length === 0);
}

/** One required choice a question; the default changes nothing, and nobody types the first sign of the others. */
function formOf({ message, questions }: Box): Parameters<typeof inputRequired.elicit>[0] {
  const fields = questions.map((question, i) => [
    fieldOf(i),
    {
      type: "string" as const,
      title: questions.length === 1 ? "Your answer" : `Answer to ${i + 1}`,
      enum: [NOT_NOW, ...labelsOf(question)],
      default: NOT_NOW,
    },
  ]);
  return {
    message,
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(fields) as Record<string, { type: "string"; enum: string[] }>,
      required: questions.map((_, i) => fieldOf(i)),
    },
  };
}

const NOT_NOW = "not now";

const labelsOf = ({ choices: [yes, no] }: Question): string[] => [`✓ ${yes}`, `✗ ${no}`];

const fieldOf = (index: number): string => `answer_${index + 1}`;

/** Does what was chosen, question by question. Only a choice that was made counts: all else means not now. */
async function answersOf({ box, heed, about, atMs }: Shown, given: unknown): Promise<string[]> {
  const tookMs = performance.now() - atMs;
  const { action, content } = (given ?? {}) as { action?: unknown; content?: Record<string, unknown> };
  if (action !== "accept" || tookMs < MIN_READING_MS || tookMs > WITHDRAW_MS) return [];
  const actor = { kind: "person", door: "dialog", session: about.session, client: about.client } as const;
  const announcements: string[] = [];
  for (const [i, question] of box.questions.entries()) {
    const { code } = question;
    const at = labelsOf(question).findIndex((label) => label === content?.[fieldOf(i)]);
    if (at < 0) continue;
    try {
      const { announcement } = await heed.consent.answer(code, at === 0 ? "yes" : "no", actor);
      announcements.push(announcement);
    } catch (error) {
      announcements.push(`Nothing was changed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return announcements;
}

/** The tool by which a model asks for one call that a guard stopped. A model never allows anything itself. */
export const allowTool: Tool = tool({
  name: "memory_allow",
  title: "Ask for a stopped call",
  description:
    "Ask the user whether one tool call that a guard stopped may run after all, once. Use it only when the user wants " +
    "that call. Give the code from the guard's message. The user decides in a dialog of the client; without one the " +
    "answer says what they can type.",
  input: object({ code: described(text(undefined, 20), "The code from the guard's message") }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  isOfSession: true,
  run: async ({ code }, call) => {
    const { server, ctx, heed } = call;
    const answered = await answeredDialog(ctx);
    if (answered !== undefined) return answered;
    const next = `The user can type: heed allow ${code}. Do not try the call before that.`;
    const there = dialogPlace(call);
    if (there === undefined) return { value: { outcome: "waits", next } };
    const about = { ...there, call: code.toLowerCase() };
    return offerDialog(server, ctx, heed, about, (announcements) =>
      toolResult(
        announcements.length === 0
          ? { outcome: "waits", next }
          : {
              outcome: "answered",
              announcement: announcements.join(" "),
              next: "Where the user allowed it, make the call again now, exactly as it was.",
            },
      ),
    );
  },
});

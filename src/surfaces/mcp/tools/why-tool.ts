import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";

/** At most this many decisions are told; the rest is counted. */
const MAX_DECISIONS = 30;

/** The tool that explains an injection. */
export function addWhyTool(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_why",
    title: "Explain what was injected",
    description:
      "Explain what heed told you and why: give a prompt to see what it would bring up here, a receipt to see what it " +
      "did bring up, or nothing for the latest receipt. Returns each memory considered, its form (rule, body, " +
      "passages, pointer, none), the reason and the score. Use when the user asks why something was or was not " +
      "remembered.",
    input: z.strictObject({
      prompt: z.string().min(1).max(20_000).optional(),
      receipt: z.string().min(1).max(100).optional(),
    }),
    output: z.looseObject({
      is_rehearsal: z.boolean(),
      about: z.string(),
      context: z.string(),
      decisions: z.array(z.looseObject({ handle: z.string(), form: z.string(), reason: z.string() })),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    run: async ({ prompt, receipt }) => {
      const heed = await sessions.heed();
      const latest =
        prompt === undefined && receipt === undefined ? await heed.session.receipts({ limit: 1 }) : [];
      const wanted = receipt ?? latest[0]?.id;
      if (prompt === undefined && wanted === undefined) {
        return {
          value: { is_rehearsal: false, about: "nothing was injected yet", context: "", decisions: [] },
        };
      }
      const about = prompt === undefined ? { receipt: wanted ?? "" } : { prompt };
      const explanation = await heed.session.why(about);
      const { decisions } = explanation.receipt;
      return {
        value: {
          is_rehearsal: explanation.isRehearsal,
          receipt: explanation.receipt.id,
          time: explanation.receipt.time,
          event: explanation.receipt.kind,
          about: explanation.receipt.about,
          context: explanation.context,
          decisions: decisions.slice(0, MAX_DECISIONS),
          ...(decisions.length > MAX_DECISIONS && { more_decisions: decisions.length - MAX_DECISIONS }),
          ...(explanation.receipt.isCut && { is_cut: true }),
          ...(explanation.question !== undefined && { question_to_the_user: explanation.question }),
        },
      };
    },
  });
}

import type { McpServer } from "@modelcontextprotocol/server";
import { MEMORY_FIELDS, NOTE } from "../../../here/api/memory-fields.ts";
import type { ValueOf } from "../../../here/api/schema.ts";
import { anyText, object, oneOf, open, optional, text, described } from "../../../here/api/schema.ts";
import type { Heed } from "../../../heed.ts";
import { handleOf, plainWords } from "../../../memory/handle.ts";
import type { ToolCall, ToolOutcome } from "./add-tool.ts";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { CLAIMS_HELP } from "./writing-tools.ts";
import { handleField, viewVerdict } from "./memory-view.ts";

/** Findings of a kind that are shown; the command line has all. */
const MAX_FINDINGS = 8;
const MAX_DECISIONS = 30;

const INPUT = object({
  what: described(oneOf("overview", "waiting", "health", "why", "verify"), "What to look at"),
  handle: described(optional(handleField), "For verify: the memory"),
  claims: described(optional(MEMORY_FIELDS.claims), CLAIMS_HELP),
  note: described(optional(NOTE), "For verify: how it was checked, in one sentence"),
  prompt: described(optional(text(undefined, 20_000)), "For why: what it would bring up here"),
  receipt: described(optional(text(undefined, 100)), "For why: a receipt; default the latest"),
});
type Input = ValueOf<typeof INPUT>;

/** The tool that looks over what is kept: all of it, what waits, what is wrong, why something was told, whether it holds. */
export function addCheckTool(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_check",
    title: "Check memories",
    description:
      "Look over what heed keeps. overview: counts and the map of what is known here; use it where heed told you nothing " +
      "yet. waiting: what waits for the user, with its text and the code for `heed yes CODE`. health: what is wrong (stale, unverified, expired, never " +
      "used), with the commands that mend it; tell the user, change nothing unasked. why: what heed told on the latest " +
      "prompt, or would on one you give, and why; for when the user asks why something was or was not remembered. " +
      "verify: attest that a memory still holds, after you looked; its claims are checked again, and refused where one " +
      "is false (then correct it with memory_update). Never verify what you have not looked at.",
    input: INPUT,
    output: open({ what: anyText }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    run: async (input, call) => {
      const { value, isRefused } = await LOOKS[input.what](call.heed, input, call);
      return { value: { what: input.what, ...value }, ...(isRefused && { isRefused }) };
    },
  });
}

const LOOKS: Readonly<
  Record<Input["what"], (heed: Heed, input: Input, call: ToolCall) => Promise<ToolOutcome>>
> = {
  overview: async (heed) => {
    const [overview, map] = [await heed.memories.overview(), await heed.session.map()];
    return {
      value: {
        total: overview.total,
        by_type: overview.byType,
        by_store: overview.byStore.map(({ store, total }) => ({
          store: store.kind,
          root: store.root,
          total,
          ...(!store.isTrusted && { is_trusted: false }),
        })),
        by_tag: overview.byTag,
        pending: overview.pending,
        mode: overview.mode,
        ...(overview.repository !== undefined && { repository: overview.repository }),
        types: heed.memories.types().map(({ name, holds, needs }) => ({ name, holds, needs })),
        map: map.text,
      },
    };
  },

  waiting: async (heed) => {
    const [items, questions] = [await heed.inbox.list(), await heed.consent.questions()];
    const codes = new Map(questions.map(({ name, code }) => [name, code]));
    const names = new Set(items.map(({ name }) => name));
    return {
      value: {
        total: items.length,
        waiting: items.map(({ proposedAt, name, description, body, ...item }) => ({
          handle: handleOf({ name, description }),
          statement: description,
          ...(plainWords(body) !== plainWords(description) && { body }),
          ...item,
          proposed_at: proposedAt,
          ...(codes.has(name) && { code: codes.get(name) }),
        })),
        // Rules that came with a store, a folder that may be another project.
        questions: questions
          .filter(({ name }) => !names.has(name))
          .map(({ code, kind, text, until }) => ({
            code,
            kind,
            text,
            ...(until !== undefined && { until }),
          })),
      },
    };
  },

  health: async (heed) => {
    const { total, byType, byStanding, telemetry, sections } = await heed.maintenance.health();
    const described = sections
      .filter(
        ({ findings, withheld, failed }) =>
          findings.length > 0 || withheld !== undefined || failed !== undefined,
      )
      .map(({ findings, ...section }) => ({
        ...section,
        findings: findings.slice(0, MAX_FINDINGS),
        ...(findings.length > MAX_FINDINGS && { more: findings.length - MAX_FINDINGS }),
      }));
    return {
      value: {
        total,
        by_type: byType,
        by_standing: byStanding,
        telemetry: { ...telemetry },
        sections: described,
      },
    };
  },

  why: async (heed, { prompt, receipt }) => {
    const wanted =
      receipt ?? (prompt === undefined ? (await heed.session.receipts({ limit: 1 }))[0]?.id : undefined);
    if (prompt === undefined && wanted === undefined)
      return { value: { is_rehearsal: false, about: "nothing was told yet", context: "", decisions: [] } };
    const explanation = await heed.session.why(prompt === undefined ? { receipt: wanted ?? "" } : { prompt });
    const { id, time, kind, about, decisions, isCut } = explanation.receipt;
    return {
      value: {
        is_rehearsal: explanation.isDryRun,
        receipt: id,
        time,
        event: kind,
        about,
        context: explanation.context,
        decisions: decisions.slice(0, MAX_DECISIONS).map(({ name: _said, ...decision }) => decision),
        ...(decisions.length > MAX_DECISIONS && { more_decisions: decisions.length - MAX_DECISIONS }),
        ...(isCut && { is_cut: true }),
      },
    };
  },

  verify: async (heed, { handle = "", claims, note }, { actor }) => {
    const attestation = { ...(claims && { claims }), ...(note !== undefined && { note }) };
    const result = await heed.maintenance.verify(handle, attestation, actor);
    const verdict = viewVerdict(result.verdict);
    if (result.outcome === "refused")
      return { value: { outcome: "refused", refusals: result.refusals, verdict }, isRefused: true };
    const { attested, announcement, change } = result;
    return { value: { outcome: "verified", attested, announcement, change, verdict } };
  },
};

import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { viewVerdict } from "./verdict-view.ts";
import { WORDS } from "../../../memory/limits.ts";
import { claimsField, handleField, noteField } from "./tool-fields.ts";

const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true } as const;
const READS = { readOnlyHint: true, idempotentHint: true } as const;

/** So many findings of a kind are told; the command line has all. */
const MAX_FINDINGS = 8;

/** The tools that keep memories true: verify, record use, health. */
export function addFreshnessTools(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_verify",
    title: "Verify a memory",
    description:
      "Attest that a memory still holds, after you have checked it. heed re-checks its claims and those that you add; " +
      "refused when one is false (it says what holds: correct the memory with memory_update) and when nothing was " +
      "attested. Where nothing in the repository can be checked, say in note how you checked it. Never verify what you " +
      "have not looked at.",
    input: z.strictObject({
      handle: handleField,
      claims: claimsField,
      note: noteField.optional().describe("How it was checked, in one sentence"),
    }),
    output: z.looseObject({ outcome: z.enum(["verified", "refused"]) }),
    annotations: ADDS,
    run: async ({ handle, claims, note }, actor) => {
      const heed = await sessions.heed();
      const attestation = { ...(claims && { claims }), ...(note !== undefined && { note }) };
      const result = await heed.upkeep.verify(handle, attestation, actor);
      const verdict = viewVerdict(result.verdict);
      if (result.outcome === "refused")
        return { value: { outcome: "refused", refusals: result.refusals, verdict }, isRefused: true };
      const { attested, announcement, change } = result;
      return { value: { outcome: "verified", attested, announcement, change, verdict } };
    },
  });

  addTool(server, sessions, {
    name: "memory_record_use",
    title: "Record what came of a memory",
    description:
      "Report what came of a memory that you were told: applied (you acted on it), ignored (it did not bear on the " +
      "task), contradicted (the code or the user says otherwise), corrected (the user corrected it). The last two raise " +
      "a question at the next upkeep; say in note what is so instead. Citing a handle in your answer is counted by itself.",
    input: z.strictObject({
      handle: handleField,
      outcome: z.enum(WORDS.useOutcome).describe("What came of it"),
      note: noteField.optional(),
    }),
    output: z.looseObject({ handle: z.string(), counts: z.record(z.string(), z.unknown()) }),
    annotations: { ...ADDS, idempotentHint: false },
    run: async ({ handle, outcome, note }, actor) => {
      const heed = await sessions.heed();
      const counts = await heed.memories.recordUse(
        handle,
        { outcome, ...(note !== undefined && { note }) },
        actor,
      );
      return { value: { handle, counts: { ...counts } } };
    },
  });

  addTool(server, sessions, {
    name: "memory_health",
    title: "Health of the memories",
    description:
      "What is wrong with the memories here: stale, contradicted, unverified, expired, never used, tags that look like a " +
      "slip, rules that do not fit. Each finding comes with the commands that mend it (`heed COMMAND ARGS` in a terminal); tell the user, and change " +
      "nothing unasked. Use when the user asks about upkeep or the state of their memories.",
    input: z.strictObject({}),
    output: z.looseObject({ total: z.number(), sections: z.array(z.looseObject({ kind: z.string() })) }),
    annotations: READS,
    run: async () => {
      const report = await (await sessions.heed()).upkeep.health();
      const sections = report.sections
        .filter(
          ({ findings, withheld, failed }) =>
            findings.length > 0 || withheld !== undefined || failed !== undefined,
        )
        .map(({ findings, ...section }) => ({
          ...section,
          findings: findings.slice(0, MAX_FINDINGS),
          ...(findings.length > MAX_FINDINGS && { more: findings.length - MAX_FINDINGS }),
        }));
      const { total, byType, byStanding, telemetry } = report;
      return {
        value: { total, by_type: byType, by_standing: byStanding, telemetry: { ...telemetry }, sections },
      };
    },
  });
}

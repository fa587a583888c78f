import type { Change, StoreRef, WriteResult } from "../../../heed.ts";
import type { ToolOutcome } from "./add-tool.ts";
import { viewMemory } from "./memory-view.ts";

/** Longest diff that a result carries. */
const MAX_DIFF_CHARS = 4000;

/** Turns what came of a write into a tool's answer; a refusal is marked, and says what would pass. */
export function writeOutcome(result: WriteResult, stores: readonly StoreRef[]): ToolOutcome {
  switch (result.outcome) {
    case "refused":
      return { value: { outcome: "refused", refusals: result.refusals }, isRefused: true };
    case "pending":
      return {
        value: {
          outcome: "waits",
          name: result.name,
          announcement: result.announcement,
          reason: result.reason,
          next: "Do not ask the user, do not write it again, and go on.",
          ...("code" in result && { code: result.code }),
          ...diffOf(result.diff),
        },
      };
    default:
      return {
        value: {
          outcome: result.outcome,
          announcement: result.announcement,
          ...viewMemory(result.card, stores),
          hash: result.card.contentHash,
          path: result.path,
          ...(result.warnings.length > 0 && { warnings: result.warnings }),
          ...diffOf(result.diff),
        },
      };
  }
}

/** Turns a change of place into a tool's answer. */
export function changeOutcome(
  outcome: "removed" | "restored",
  { id, summary, time, files }: Change,
): ToolOutcome {
  return { value: { outcome, announcement: summary, change: id, time, files } };
}

function diffOf(diff: string | undefined): { diff?: string } {
  if (diff === undefined || diff === "") return {};
  return { diff: diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n…` : diff };
}

import type { Explanation, SessionEvent } from "./hook-api.ts";
import { outcomeOf } from "./events/answer-event.ts";
import { makeReceipt } from "./events/make-receipt.ts";
import { findReceipt } from "./receipt-log.ts";
import type { Workspace } from "./workspace.ts";

/** A rehearsal is asked for by a person or a tool and may take its time, in milliseconds. */
const REHEARSAL_DEADLINE_MS = 10_000;

/**
 * What would be injected for a prompt in a fresh session here, through the code that answers a real one, without
 * leaving a trace; or what a past receipt says. Throws `not-found` for a receipt that is none.
 */
export async function explain(
  workspace: Workspace,
  about: { prompt: string } | { receipt: string },
): Promise<Explanation> {
  if ("receipt" in about) return findReceipt(workspace.places, about.receipt);
  const startedAt = performance.now();
  const event: SessionEvent = {
    kind: "prompt",
    prompt: about.prompt,
    // A session that no log knows: nothing was shown to it before.
    session: "",
    cwd: workspace.cwd,
    client: "heed",
  };
  const outcome = await outcomeOf(workspace, event, REHEARSAL_DEADLINE_MS);
  return {
    receipt: makeReceipt(workspace, event, outcome, performance.now() - startedAt),
    context: outcome.answer.context ?? "",
    isRehearsal: true,
  };
}

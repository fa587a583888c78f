import type { Actor } from "../../memory/actor.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import { openCollection } from "../place/collection.ts";
import type { UseCounts } from "../api/memory-use.ts";
import type { UseOutcome } from "../../memory/use-outcome.ts";
import { USE_OUTCOMES } from "../../memory/use-outcome.ts";
import { resolveHandle } from "../place/resolve-handle.ts";
import { appendUse, readUse } from "../records/use-log.ts";
import type { Place } from "../place/place.ts";

const MAX_NOTE_CHARS = 500;

/**
 * Takes down what came of a memory in the work. `contradicted` and `corrected` raise a question in `heed health`; no
 * report changes a memory by itself, `heed tidy` moves its confidence by them.
 *
 * @throws HeedError `invalid-input` for an unknown outcome, `not-found` for an unknown handle.
 */
export async function recordUse(
  place: Place,
  handle: string,
  report: { outcome: UseOutcome; note?: string },
  actor: Actor,
): Promise<UseCounts> {
  const outcome = USE_OUTCOMES.find((known) => known === report.outcome);
  if (!outcome)
    throw new HeedError(
      "invalid-input",
      `the outcome is ${JSON.stringify(report.outcome)}: give one of ${USE_OUTCOMES.join(", ")}`,
      { argument: "outcome", value: report.outcome },
    );
  const collection = await openCollection(place, { thoroughness: "full" });
  const card = resolveHandle(collection, handle);
  const note = redactSecrets((report.note ?? "").replace(/\s+/g, " ").trim()).slice(0, MAX_NOTE_CHARS);
  const key = memoryKey(card);
  appendUse(place.places, [
    {
      time: place.now().toISOString(),
      session: actor.session ?? "",
      key,
      name: card.name,
      what: outcome,
      ...(note !== "" && { note }),
    },
  ]);
  const { questions: _questions, ...counts } = readUse(place.places).get(key) ?? {
    cited: 0,
    applied: 0,
    ignored: 0,
    contradicted: 0,
    corrected: 0,
    questions: [],
  };
  return counts;
}

import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { appendGuardEvents } from "../records/guard-log.ts";
import { findReceipt } from "../records/receipt-log.ts";
import type { Place } from "../place/place.ts";
import { refused } from "./refusal.ts";

/** Notes that the guards of a receipt fired wrongly. Returns which. */
export function markWrong(
  place: Place,
  receiptId: string,
  actor: Actor,
): { handle: string; number: number }[] {
  if (actor.kind !== "person")
    throw refused(
      "whether a guard is wrong is the user's word",
      "the user runs heed guard wrong in a terminal",
    );
  const { receipt } = findReceipt(place.places, receiptId);
  const fired = receipt.decisions.flatMap(({ handle, guard }) => (guard ? [{ handle, guard }] : []));
  if (fired.length === 0)
    throw new HeedError("invalid-input", `no guard fired in receipt ${receiptId}: heed why lists others`, {
      argument: "receipt",
      value: receiptId,
    });
  const time = place.now().toISOString();
  appendGuardEvents(
    place.places,
    fired.map(({ guard: { rule, index } }) => ({ kind: "wrong", time, rule, index, receipt: receipt.id })),
  );
  return fired.map(({ handle, guard }) => ({ handle, number: guard.index + 1 }));
}

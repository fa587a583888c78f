import type { Decision } from "../../src/here/records/session-events.ts";
import { appendReceipt, newReceiptId } from "../../src/here/records/receipt-log.ts";
import type { Places } from "../../src/machine/places.ts";

/** Lays a receipt of that moment, by which facts were injected whole; `also` goes into each of its decisions. */
export function layReceipt(
  places: Places,
  time: string,
  names: readonly string[],
  also?: Partial<Decision>,
): void {
  const decisions = names.map((name) => ({
    handle: `heed:${name}`,
    name,
    type: "project",
    store: "user",
    form: "body" as const,
    reason: "",
    chars: 1,
    ...also,
  }));
  const receipt = {
    session: "s",
    kind: "prompt" as const,
    cwd: "/",
    about: "",
    chars: 1,
    isCut: false,
    elapsedMs: 1,
  };
  appendReceipt(places, { ...receipt, id: newReceiptId(new Date(time)), time, decisions }, "x");
}

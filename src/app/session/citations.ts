import { checksumOf } from "../../index/segment/checksum.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { citedHandles } from "./cited-handles.ts";
import type { SessionEvent } from "../api/session-events.ts";
import { appendUse, pruneUse } from "../records/use-log.ts";
import type { UseEvent } from "../records/use-log.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import type { Situation } from "./situation.ts";

/** The memories that the answer which just ended cites: taken down as use, once a message. */
export async function citationsIn(
  event: Extract<SessionEvent, { kind: "stop" }>,
  look: () => Promise<Situation>,
): Promise<EventOutcome> {
  const message = event.lastMessage ?? "";
  const names = citedHandles(message);
  if (names.length === 0) return NOTHING;
  const { collection, place } = await look();
  const time = place.now().toISOString();
  const of = checksumOf(Buffer.from(message));
  const uses = names.flatMap((name): UseEvent[] => {
    const [card] = collection.readers.flatMap((reader) => reader.cardsByHandle(name));
    return card
      ? [{ time, session: event.session, key: memoryKey(card), name: card.name, what: "cited", of }]
      : [];
  });
  if (uses.length === 0) return NOTHING;
  return {
    ...NOTHING,
    afterwards: () => {
      appendUse(place.places, uses);
      pruneUse(place.places);
    },
  };
}

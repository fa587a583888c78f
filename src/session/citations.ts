import { type UseEvent, appendUse } from "../here/records/use-log.ts";
import type { HeardEvent } from "../here/records/session-events.ts";
import { type EventOutcome, NOTHING, type Situation, outcomeWith } from "./situation.ts";
import { checksumOf } from "../search/index/segment/bytes.ts";
import { handlesIn, isShortFor } from "../memory/handle.ts";
import { memoryKey } from "../memory/memory.ts";

/** The memories that the answer which just ended cites: taken down as use, once a message. */
export function citationsIn(
  { lastMessage = "", session }: Pick<HeardEvent & { kind: "stop" }, "lastMessage" | "session">,
  { collection, place }: Situation,
): EventOutcome {
  const time = place.now().toISOString();
  const of = checksumOf(Buffer.from(lastMessage));
  const uses = citedHandles(lastMessage).flatMap((name): UseEvent[] => {
    const [found] = collection.readers.flatMap((reader) => reader.memoriesByHandle(name));
    const metadata = found ?? collection.memories().find((other) => isShortFor(name, other.name));
    return metadata
      ? [{ time, session, key: memoryKey(metadata), name: metadata.name, what: "cited", of }]
      : [];
  });
  if (uses.length === 0) return NOTHING;
  return outcomeWith({ afterwards: () => appendUse(place.places, uses) });
}

const MAX_CHARS = 100_000;

/** The handles that a message cites, `[heed:name]` or `heed:name`; not where it repeats heed, quotes, or shows code. */
export function citedHandles(message: string): string[] {
  const own = message
    .slice(0, MAX_CHARS)
    .replace(/<(heed-[\w-]+)>[^]*?(?:<\/\1>|$)/g, " ")
    .replace(/^[ \t]*(```+|~~~+)[^\n]*\n[^]*?(?:^[ \t]*\1[^\n]*$|(?![^]))/gm, " ")
    .replace(/^[ \t]*>[^\n]*$/gm, " ")
    // A line of heed's own, repeated: handle, type and dates, each parted by a dot.
    .replace(/^\[heed:[^\]\n]+\] [\w-]+ · [^\n]*$/gm, " ")
    .replace(/^- [^\n]{0,2000}\[heed:[^\]\n]{1,120}\]$/gm, " ");
  return handlesIn(own);
}

import { passagesOf } from "../../capture/passages/passage.ts";
import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { PastConversation } from "../records/past-conversations.ts";
import { isTelling } from "./conversation-index.ts";
import type { RankedConversation } from "./rank-conversations.ts";
import { rankConversations } from "./rank-conversations.ts";

/**
 * Two conversations are about one matter when one is found by the other's words with this share of the score that those
 * words have with themselves, and this many times the score of the next conversation.
 */
const SHARE = 0.2;
const LEAD = 2.5;

/**
 * The conversations among those given that are about the same matter as the first of them, the newest first. Asked by the
 * words of the first: two that answer one question need not be about one matter.
 */
export function ofSameMatter(
  reader: IndexReader,
  first: PastConversation,
  found: readonly RankedConversation[],
  admits: (card: MemoryCard) => boolean,
): RankedConversation[] {
  const text = passagesOf(first.conversation)
    .map((passage) => passage.text)
    .join("\n");
  // A question takes nothing up again.
  const near = rankConversations(reader, {
    text,
    syntax: "prompt",
    admits: (card) => isTelling(card) && admits(card),
  });
  const own = near.find(({ session }) => session === first.session)?.strength ?? 0;
  const others = near.filter(({ session }) => session !== first.session);
  const near1 = others[0];
  const next = others[1]?.strength ?? 0;
  const isSame = near1 !== undefined && near1.strength >= own * SHARE && near1.strength >= next * LEAD;
  const sessions = new Set([first.session, ...(isSame ? [near1.session] : [])]);
  return found.filter(({ session }) => sessions.has(session)).toSorted(byTime);
}

/** The newer before the older. */
function byTime(a: RankedConversation, b: RankedConversation): number {
  const time = ({ card }: RankedConversation): string => card.updated ?? "";
  return time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0;
}

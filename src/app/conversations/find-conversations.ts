import { join } from "node:path";
import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Place } from "../place/place.ts";
import type { PastConversation } from "../records/past-conversations.ts";
import { conversationsFolder, readKept } from "../records/past-conversations.ts";
import { isTelling } from "./conversation-index.ts";
import type { ConversationQuestion, RankedConversation } from "./rank-conversations.ts";
import { rankConversations } from "./rank-conversations.ts";
import { passagesOf } from "../../capture/passages/passage.ts";

/** A conversation that was found, with its text, and whether a newer one is about the same matter. */
export interface FoundConversation extends RankedConversation {
  past: PastConversation;
  /** The newer conversation about the same matter: what was said here may have changed since. */
  takenUpBy?: { session: string; time: string };
}

/**
 * The conversations in which a text is spoken about, best first, where of two about one matter the newer comes first. Those
 * whose record went since the index was made are left out. `ranked`: where they were ranked already.
 */
export function findConversations(
  place: Place,
  reader: IndexReader,
  question: ConversationQuestion,
  limit: number,
  ranked: readonly RankedConversation[] = rankConversations(reader, question),
): FoundConversation[] {
  const found: FoundConversation[] = [];
  const seen = new Set<string>();
  for (const one of ranked) {
    if (found.length >= limit) break;
    const past = seen.has(one.session) ? undefined : kept(place, one.card);
    if (!past) continue;
    const isOfMatter = found.length < MAX_MATTERS && isTelling(one.card);
    const matter = isOfMatter ? ofSameMatter(reader, past, ranked, question.admits) : [one];
    const newest = matter[0] ?? one;
    for (const member of matter) {
      seen.add(member.session);
      const text = member === one ? past : kept(place, member.card);
      if (!text) continue;
      const takenUpBy =
        member === newest ? {} : { takenUpBy: { session: newest.session, time: newest.card.updated ?? "" } };
      found.push({ ...member, past: text, ...takenUpBy });
    }
  }
  return found.slice(0, limit);
}

/** For so many of the first that are found others about the same matter are looked for. */
const MAX_MATTERS = 3;

function kept(place: Place, card: MemoryCard): PastConversation | undefined {
  return readKept(join(conversationsFolder(place.places), card.file));
}

/** Conversations that took place in the repository at hand, or in this folder where there is none. */
export function isConversationHere(place: Place): (card: MemoryCard) => boolean {
  const here = place.here();
  const answers = new Map<string, boolean>();
  return ({ scope }) => {
    if (scope.repo === undefined) return false;
    const known = answers.get(scope.repo) ?? here.isRepositoryHere(scope.repo);
    answers.set(scope.repo, known);
    return known;
  };
}

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
function ofSameMatter(
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

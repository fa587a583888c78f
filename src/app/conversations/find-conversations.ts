import { join } from "node:path";
import type { IndexReader } from "../../index/index-reader.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { Place } from "../place/place.ts";
import type { PastConversation } from "../records/past-conversations.ts";
import { conversationsFolder, readKept } from "../records/past-conversations.ts";
import { isTelling } from "./conversation-index.ts";
import type { ConversationQuestion, RankedConversation } from "./rank-conversations.ts";
import { rankConversations } from "./rank-conversations.ts";
import { ofSameMatter } from "./same-matter.ts";

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

import type { MemoryCard } from "../../../memory/memory-card.ts";
import { search } from "../../../recall/search.ts";
import { wordsOf } from "../../../recall/words-of.ts";
import type { Collection } from "../../place/collection.ts";
import type { Place } from "../../place/place.ts";
import { MemoryWriter } from "../../writing/memory-writer.ts";
import { mayTouch } from "./tidy-step.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { TIDY_ACTOR } from "./tidy-step.ts";
import { redactSecrets } from "../../../screening/find-secrets.ts";
import { readConversation, writeConversation } from "../../records/past-conversations.ts";
import { refreshConversations } from "../../conversations/conversation-index.ts";

const MAX_EPISODES = 30;
/** A record with more statements than this stays where it is without a history to go to. */
const MAX_STATEMENTS = 200;

/**
 * Expired episodes leave the memories, and nothing that they say is lost by it: the record goes whole into the history of
 * conversations, where a search finds it beside the words of its session. Where the user wants no history, an episode
 * leaves only when other memories say all that it says.
 */
export async function planEpisodes(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const today = place.now().toISOString();
  const expired = collection
    .cards(["episode"])
    .filter((card) => card.decayAfter !== undefined && card.decayAfter < today && mayTouch(card, collection))
    .sort((a, b) => ((a.decayAfter ?? "") < (b.decayAfter ?? "") ? -1 : 1))
    .slice(0, MAX_EPISODES);
  const hasHistory = place.found.history !== "off";
  const steps: PlannedStep[] = [];
  for (const card of expired) {
    const read = await collection.read(card);
    if (!read) continue;
    const text = `${card.description}\n${read.body}`;
    if (!hasHistory && !(await isKnownElsewhere(collection, card, text))) continue;
    const where = hasHistory ? "its record goes to the history" : "other memories say all that it says";
    const reason = `expired on ${(card.decayAfter ?? "").slice(0, 10)}; ${where}`;
    steps.push({
      action: "drop-episode",
      name: card.name,
      reason,
      apply: async () => {
        if (hasHistory) keepRecord(place, card, text);
        const removed = await new MemoryWriter(place, TIDY_ACTOR).remove(card, {
          kind: "remove",
          why: reason,
        });
        return removed.change ? [removed.change.id] : [];
      },
    });
  }
  return steps;
}

/** Whether each line of a record stands, with all its words, in one other memory that stays. */
async function isKnownElsewhere(collection: Collection, episode: MemoryCard, text: string): Promise<boolean> {
  const statements = text.split("\n");
  if (statements.length > MAX_STATEMENTS) return false;
  const types = collection.types.all().filter(({ injection }) => injection !== "resume");
  for (const statement of statements) {
    const wanted = [...wordsOf(statement)];
    if (wanted.length === 0) continue;
    const { hits } = search(collection.readers, {
      text: statement,
      syntax: "prompt",
      limit: 5,
      types: types.map(({ name }) => name),
      storeIds: [episode.storeId],
    });
    let isKnown = false;
    for (const { card } of hits) {
      const read = isKnown ? undefined : await collection.read(card);
      const known = wordsOf(`${card.description}\n${read?.body ?? ""}`);
      isKnown ||= wanted.every((word) => known.has(word));
    }
    if (!isKnown) return false;
  }
  return true;
}

/**
 * Keeps the record of a session beside what was said in it, so that it stays findable when it is no memory any more. Doing
 * it twice comes to the same.
 */
function keepRecord(place: Place, card: MemoryCard, text: string): void {
  const session = card.origin.session ?? `record-${card.id}`;
  const past = readConversation(place.places, session);
  const { conversation } = past;
  const time = card.updated ?? card.created ?? "";
  const record = redactSecrets(text).trim();
  if (conversation.passages.some((passage) => passage.kind === "record" && passage.text === record)) return;
  conversation.passages.push({ kind: "record", time, text: record });
  conversation.started ||= card.created ?? time;
  conversation.ended ||= time;
  conversation.branch ||= card.scope.branch ?? "";
  past.repo ||= card.scope.repo ?? card.origin.repo ?? "";
  past.client ||= card.origin.client ?? "";
  const at = new Date(conversation.ended);
  writeConversation(place.places, past, Number.isNaN(at.getTime()) ? place.now() : at);
  refreshConversations(place);
}

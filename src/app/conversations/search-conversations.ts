import { passagesOf } from "../../capture/passages/passage.ts";
import { parseQuery } from "../../recall/parse-query.ts";
import { snippetOf } from "../../recall/snippet.ts";
import type { ConversationAnswer, ConversationPlace, ConversationRequest } from "../api/conversations.ts";
import { readConversations, timeFor } from "./read-conversations.ts";
import type { Place } from "../place/place.ts";
import type { PastConversation } from "../records/past-conversations.ts";
import { listConversations, readKept } from "../records/past-conversations.ts";
import { openConversations } from "./conversation-index.ts";
import { bestPassagesOf } from "./rank-conversations.ts";
import { findConversations, isConversationHere } from "./find-conversations.ts";

const DEFAULT_LIMIT = 5;
const DEFAULT_READ_MS = 10_000;
/** A passage of a conversation that was found is cut to so many characters around what matches. */
const SHOWN_CHARS = 400;
/** Without words the newest are shown: so many records are read for them at most. */
const MAX_LATEST_READ = 200;

/** Finds past conversations by words; without words the latest. */
export async function searchConversations(
  place: Place,
  request: ConversationRequest = {},
): Promise<ConversationAnswer> {
  const { text = "", isEverywhere = false, limit = DEFAULT_LIMIT, readMs = DEFAULT_READ_MS } = request;
  const isOff = place.found.history === "off";
  const isPartial = bringUpToDate(place, readMs);
  const count = listConversations(place.places).length;
  const answer = { count, isOff, isPartial };
  if (isOff) return { ...answer, conversations: [] };
  const isHere = isConversationHere(place);
  if (text.trim() === "") return { ...answer, conversations: latest(place, isEverywhere, limit) };
  const reader = openConversations(place);
  if (!reader) return { ...answer, conversations: [] };
  const admits = isEverywhere ? () => true : isHere;
  const found = findConversations(place, reader, { text, syntax: "query", admits }, limit);
  const terms = parseQuery(text, "prompt").terms.map(({ term }) => term);
  return {
    ...answer,
    conversations: found.map(({ past, takenUpBy }) => ({
      ...placeOf(past),
      passages: bestPassagesOf(past, text).map((passage) => ({
        ...passage,
        text: snippetOf(passage.text, terms, SHOWN_CHARS),
      })),
      ...(takenUpBy && { takenUpBy }),
    })),
  };
}

/** Reads what transcripts have got since, in the time given; whether something is left to read. */
function bringUpToDate(place: Place, readMs: number): boolean {
  const time = timeFor(readMs);
  readConversations(place, time);
  return time.isOver();
}

/** Where and when a conversation took place. */
export function placeOf({ session, client, repo, conversation }: PastConversation): ConversationPlace {
  const { branch, started, ended } = conversation;
  return { session, client, repo, branch, started, ended };
}

/** The latest conversations, each with its first words. */
function latest(place: Place, isEverywhere: boolean, limit: number): ConversationAnswer["conversations"] {
  const here = place.here();
  const found: ConversationAnswer["conversations"] = [];
  for (const { file } of listConversations(place.places).slice(0, MAX_LATEST_READ)) {
    if (found.length >= limit) break;
    const past = readKept(file);
    const passages = past ? passagesOf(past.conversation) : [];
    const first = passages.find(({ kind }) => kind === "said");
    if (!past || !first) continue;
    if (!isEverywhere && !(past.repo !== "" && here.isRepositoryHere(past.repo))) continue;
    found.push({ ...placeOf(past), passages: [{ ...first, text: snippetOf(first.text, [], SHOWN_CHARS) }] });
  }
  return found;
}

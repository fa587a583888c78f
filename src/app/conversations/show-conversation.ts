import { passagesOf } from "../../capture/passages/passage.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import type { Passage } from "../../capture/passages/passage.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { wordsOf } from "../../recall/words-of.ts";
import type { ConversationAbout, ShownConversation } from "../api/conversations.ts";
import { findMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { sessionKey } from "../records/capture-places.ts";
import type { PastConversation } from "../records/past-conversations.ts";
import { listConversations, readKept } from "../records/past-conversations.ts";
import { bringUpToDate, placeOf } from "./search-conversations.ts";

const DEFAULT_LIMIT = 40;
const READ_MS = 2000;
/** Before the passage that a memory came from, so many are shown. */
const BEFORE = 3;

/**
 * Shows a past conversation from its beginning, or the part of it that a memory came from.
 *
 * @throws HeedError `invalid-input` for neither or both; `not-found`, `ambiguous`.
 */
export async function showConversation(place: Place, about: ConversationAbout): Promise<ShownConversation> {
  const { session, memory, limit = DEFAULT_LIMIT } = about;
  if ((session === undefined) === (memory === undefined))
    throw new HeedError(
      "invalid-input",
      "give a session or a memory, and not both: session is an id of `heed history`",
      {
        argument: "session",
        value: session ?? "",
      },
    );
  bringUpToDate(place, READ_MS);
  if (memory === undefined) return part(bySession(place, session ?? ""), 0, limit);
  const { card, body } = await findMemory(place, memory);
  const origin = card.origin.session;
  const past = origin === undefined ? undefined : keptOf(place, origin);
  if (origin === undefined || !past)
    throw new HeedError(
      "not-found",
      origin === undefined
        ? `${card.name} names no session: it was written outside of one, or by an older heed`
        : `${card.name} came from the session ${origin}, of which nothing is kept here: its transcript is gone, or on another machine`,
      { handle: memory, suggestions: [] },
    );
  const at = originIn(passagesOf(past.conversation), `${card.description}\n${body}`, card.created ?? "");
  const start = Math.max(0, at - BEFORE);
  return { ...part(past, start, limit), at: at - start };
}

/** The passage that says most of what a memory says; of several, and of none, the last one before it was written. */
function originIn(passages: readonly Passage[], text: string, written: string): number {
  const wanted = wordsOf(text);
  const held = passages.map((passage) => {
    const words = wordsOf(passage.text);
    // A memory is of the user's words where it can be: an answer only repeats them.
    return [...wanted].filter((word) => words.has(word)).length + (passage.kind === "said" ? 0.5 : 0);
  });
  const most = Math.max(...held);
  const isBefore = ({ time }: Passage): boolean => written === "" || time === "" || time <= written;
  const best = passages.findLastIndex((passage, i) => held[i] === most && isBefore(passage));
  return best >= 0 ? best : Math.max(0, held.indexOf(most));
}

function part(past: PastConversation, start: number, limit: number): ShownConversation {
  const passages = passagesOf(past.conversation);
  return { ...placeOf(past), passages: passages.slice(start, start + limit), count: passages.length };
}

function keptOf(place: Place, session: string): PastConversation | undefined {
  const file = listConversations(place.places).find(({ name }) => name === sessionKey(session))?.file;
  return file === undefined ? undefined : readKept(file);
}

function bySession(place: Place, session: string): PastConversation {
  const wanted = session.trim().toLowerCase();
  const all = listConversations(place.places);
  const exact = all.filter(({ name }) => name === sessionKey(session.trim()));
  const found = exact.length > 0 || wanted === "" ? exact : all.filter(({ name }) => name.startsWith(wanted));
  const [first] = found;
  const past = first && found.length === 1 ? readKept(first.file) : undefined;
  if (past) return past;
  if (found.length > 1)
    throw new HeedError(
      "ambiguous",
      `${found.length} conversations begin with "${cutShown(session, 80)}": give more of the id`,
      {
        handle: session,
        candidates: found.slice(0, 10).map(({ name }) => name),
      },
    );
  throw new HeedError(
    "not-found",
    `nothing is kept of a session "${cutShown(session, 80)}": \`heed history\` lists the latest`,
    { handle: session, suggestions: [] },
  );
}

import type { MemoryCard } from "../../memory/memory-card.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { Place } from "../place/place.ts";
import { readConversation, writeConversation } from "../records/past-conversations.ts";
import { refreshConversations } from "./conversation-index.ts";

/**
 * Keeps the record of a session beside what was said in it, so that it stays findable when it is no memory any more. Doing
 * it twice comes to the same.
 */
export function keepRecord(place: Place, card: MemoryCard, text: string): void {
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

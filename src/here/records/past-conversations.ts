import { utimesSync } from "node:fs";
import { join } from "node:path";
import { sessionKey } from "./session-state.ts";
import { type Conversation, emptyConversation } from "./passage.ts";
import { FORMATS, readVersioned, writeVersioned } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { type DatedFile, newestFiles, pruneFiles } from "../../machine/atomic-file.ts";

export interface PastConversation {
  session: string;
  /** The agent, for example `claude-code`. */
  client: string;
  /** Where it took place, as scopes name it; empty where that is not known. */
  repo: string;
  /** Bytes read of each file of the session, by its path. */
  offsets: Record<string, number>;
  /** The same as `client`, once the transcript tells. */
  format: string;
  conversation: Conversation;
}

/** The repository of a record that holds in all of them. */
export const EVERYWHERE = "*";

const KEPT = { files: 5000, bytes: 32 * 1024 * 1024 };

export function conversationsFolder(places: Places): string {
  return join(places.state, "conversations");
}

/** Where the index over them lies: derived, private to the machine. */
export function conversationIndexDirectory(places: Places): string {
  return join(places.cache, "conversations");
}

/** Reads what is kept of a session's conversation; an empty one when there is nothing, or it is damaged. */
export function readConversation(places: Places, session: string): PastConversation {
  return (
    readKept(fileOf(places, session)) ?? {
      session,
      client: "",
      repo: "",
      offsets: {},
      format: "",
      conversation: emptyConversation(),
    }
  );
}

/** Reads what is kept in a file of the folder; undefined when that is no conversation. */
export function readKept(file: string): PastConversation | undefined {
  const kept = readVersioned(file, FORMATS.conversation) as Partial<PastConversation> | undefined;
  return kept?.conversation?.passages && kept.offsets ? (kept as PastConversation) : undefined;
}

/** Keeps a conversation. The file has the time of its last word, so that the oldest conversations go first. */
export function writeConversation(places: Places, past: PastConversation, lastWord: Date): void {
  const file = fileOf(places, past.session);
  writeVersioned(file, FORMATS.conversation, past, { isDurable: false });
  utimesSync(file, lastWord, lastWord);
}

/** Notes that what is kept of a session holds all of its transcript as it was at a time. */
export function dateConversation(places: Places, session: string, lastWord: Date): void {
  utimesSync(fileOf(places, session), lastWord, lastWord);
}

export function listConversations(places: Places): DatedFile[] {
  return newestFiles(conversationsFolder(places), ".json");
}

/** Removes the oldest conversations beyond what is kept; all of them where the user wants no history. Never throws. */
export function pruneConversations(places: Places, isWanted: boolean): void {
  pruneFiles(listConversations(places), isWanted ? KEPT : { files: 0 });
}

function fileOf(places: Places, session: string): string {
  return join(conversationsFolder(places), `${sessionKey(session)}.json`);
}

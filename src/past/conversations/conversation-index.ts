import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../here/place.ts";
import { indexStamp } from "../../here/store-index.ts";
import {
  type PastConversation,
  type Passage,
  listConversations,
  readKept,
  isQuestion,
  passagesOf,
} from "../../here/records/past-conversations.ts";
import { conversationIndexDirectory } from "../../machine/places.ts";
import { workedIn, doingOf } from "../capture/tool-calls.ts";
import { type IndexDocument, documentKeyOf } from "../../search/index/document/index-document.ts";
import { type IndexReader, MANIFEST_FILE, openIndex } from "../../search/index/index-reader.ts";
import { updateIndex, writeIndex } from "../../search/index/index-writer.ts";
import { unlessDamaged } from "../../search/index/segment/bytes.ts";
import type { MemoryMetadata } from "../../memory/memory.ts";
import type { DatedFile } from "../../machine/atomic-file.ts";

/** What is asked for is said over several turns, and in a long session a few turns must not drown in the rest. */
const CHUNK_CHARS: number = 6000;

function chunksOf(passages: readonly Passage[]): Passage[][] {
  const chunks: Passage[][] = [];
  let room = 0;
  for (const passage of passages) {
    room -= passage.text.length;
    if (room < 0) {
      chunks.push([]);
      room = CHUNK_CHARS - passage.text.length;
    }
    chunks.at(-1)?.push(passage);
  }
  return chunks;
}

/** The tag of a conversation of questions that nobody answered: it tells nothing, and changes nothing. */
const ONLY_ASKS = "only-asks";

/** The type of the first document of a conversation that is not kept whole. */
const CUT = "conversation-cut";

/** How many passages of conversations are not kept. */
export function missingPassages(reader: IndexReader, admits: (metadata: MemoryMetadata) => boolean): number {
  const cut = reader.memories([CUT]).filter(admits);
  return cut.reduce((all, { trigger }) => all + Number(trigger[0] ?? 0), 0);
}

export function isInformative({ tags }: MemoryMetadata): boolean {
  return !tags.includes(ONLY_ASKS);
}

function documentsOf(past: PastConversation, { name, mtimeMs, sizeBytes }: DatedFile): IndexDocument[] {
  const { session, client, repo, conversation } = past;
  const passages = passagesOf(conversation);
  const tags = passages.every(isQuestion) ? [ONLY_ASKS] : [];
  const lost = conversation.missing?.passages ?? 0;
  return chunksOf(passages).map((chunk, section): IndexDocument => {
    const body = chunk.map(({ text }) => text).join("\n\n");
    const isCut = section === 0 && lost > 0;
    const time = (chunk.at(-1)?.time ?? "") || conversation.ended;
    const metadata: MemoryMetadata = {
      id: `${session}#${section}`,
      name: session,
      statement: "",
      type: isCut ? CUT : "conversation",
      tags,
      aliases: [],
      trigger: isCut ? [String(lost)] : [],
      confidence: "high",
      source: "observed",
      status: "open",
      salience: "medium",
      scope: { ...(repo !== "" && { repo }), paths: [] },
      claims: [],
      links: [],
      origin: {
        session,
        client,
        ...(conversation.branch !== "" && { branch: conversation.branch }),
      },
      ...(time !== "" && { created: time, updated: time }),
      storeId: "conversations",
      file: `${name}.json`,
      mtimeMs,
      sizeBytes,
      section,
      contentHash: "",
      bodyLength: body.length,
    };
    return { metadata, body, names: chunk.flatMap(fixedName) };
  });
}

const fixedName = ({ kind, text }: Passage): string[] => {
  const doing = kind === "fixed" ? doingOf(workedIn(text)) : "";
  return doing === "" ? [] : [`fixed ${doing}`];
};

/** The index of past conversations as it stands; undefined when there is none. Nothing is read of the conversations. */
export function openConversations(place: Place): IndexReader | undefined {
  const directory = conversationIndexDirectory(place.places);
  const open = (): { reader: IndexReader } | undefined => {
    // It is built again from the conversations.
    const reader = openIndex(directory, () => rmSync(join(directory, MANIFEST_FILE), { force: true }));
    return reader && { reader };
  };
  return place.keepOpen(directory, indexStamp(directory), open)?.reader;
}

/** Brings the index up to date with what is kept of conversations. Not for prompts. */
export function refreshConversations(place: Place): void {
  const directory = conversationIndexDirectory(place.places);
  const files = listConversations(place.places);
  const documents = (of: typeof files): IndexDocument[] =>
    of.flatMap((file) => {
      const past = readKept(file.file);
      return past ? documentsOf(past, file) : [];
    });
  const reader = openConversations(place);
  const table = reader && unlessDamaged(() => reader.fileTable());
  const known = new Map(table?.map((entry) => [entry.file, entry]));
  const isKnown = ({ name, mtimeMs, sizeBytes }: DatedFile): boolean => {
    const entry = known.get(`${name}.json`);
    return entry?.mtimeMs === mtimeMs && entry.sizeBytes === sizeBytes;
  };
  const changed = files.filter((file) => !isKnown(file));
  const current = new Set(files.filter(isKnown).map(({ name }) => `${name}.json`));
  const gone = table?.filter(({ file }) => !current.has(file)).map(documentKeyOf) ?? [];
  if (table && changed.length + gone.length === 0) return;
  const isUpdated =
    table && updateIndex(directory, documents(changed), (kept) => gone.filter((key) => !kept.has(key)));
  if (isUpdated === undefined) writeIndex(directory, documents(files));
}

import { cutShown, redactSecrets } from "../../memory/screening/find-secrets.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import { type Actor, type MemoryMetadata, type Status, STORE_KINDS, writtenAt } from "../../memory/memory.ts";
import { compare, normaliseTime } from "../../machine/read-fields.ts";
import { Breather } from "../../machine/breather.ts";
import { type ScoreTerm, phraseTest, scopeMismatch } from "../../search/search-query.ts";
import { search } from "../../search/search.ts";
import { snippetOf } from "../../search/best-passages.ts";
import { whyData } from "../consent/standing.ts";
import { readUserWords } from "../../store/consent.ts";
import { type Collection, openCollection } from "../collection.ts";
import { type ShownMetadata, noteRetrieved, shownMetadata, withoutNames } from "./find-memory.ts";
import { ClaimChecker } from "../claims/claim-checker.ts";
import { recheckMs } from "../user-config.ts";
import type { Place } from "../place.ts";
import type { Verdict } from "../../freshness/verdict.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const SNIPPET_CHARS = 300;
/** Time for the verdicts on all hits, and for git in a list; what is not re-checked by then says so. */
const VERDICTS_MS = 300;
/** Time for a whole list: what is left is listed without its signals. */
const LIST_MS = 1_500;

/** Which memories are asked for. An absent field does not restrict. */
export interface MemoryFilter {
  types?: readonly string[];
  /** Memories that carry all of these tags. */
  tags?: readonly string[];
  statuses?: readonly Status[];
  /** Store kinds or ids. */
  stores?: readonly string[];
  /** ISO date or time: created or updated at or after it. */
  since?: string;
  /** ISO date or time: created or updated before it. */
  until?: string;
  /**
   * Leave out what belongs to another repository or branch than the one at hand. Default true; false searches all
   * (`auto_scope: false`).
   */
  isScopedHere?: boolean;
}

/** A search. */
export interface SearchRequest extends MemoryFilter {
  /** Words, `"phrases"` and `prefixes*`; at least one. */
  query: string;
  /** At most this many hits; default 10, 100 at most. */
  limit?: number;
  /** List the score terms of each hit. Default false. */
  isExplained?: boolean;
  /** Who asks: what is found counts as used. Default: nobody. */
  reader?: Actor | undefined;
}

export interface SearchHit {
  metadata: ShownMetadata;
  /** BM25F score; comparable within one answer only. */
  score: number;
  /** The best-matching passage, at most 300 characters. */
  snippet: string;
  terms?: ScoreTerm[];
  /** How fresh it is; what git knows is in it as far as it was asked before. */
  verdict: Verdict;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** How many memories the search was over, after scope and filters are left aside. */
  collectionSize: number;
  /** The deadline cut the search: the answer may lack hits. */
  isCut: boolean;
}

/** The memories that pass a filter, by type in the order of the taxonomy, then by name. */
export async function listMemories(place: Place, filter: MemoryFilter = {}): Promise<ShownMetadata[]> {
  const judged = await judgedMemories(place, await openCollection(place, { thoroughness: "full" }), filter);
  return judged.map(({ shown, verdict }) => ({ ...shown, ...(verdict && { signals: verdict.signals }) }));
}

/** The same with their verdicts, as far as there is time to look. */
export async function judgedMemories(
  place: Place,
  collection: Collection,
  filter: MemoryFilter,
): Promise<{ metadata: MemoryMetadata; shown: ShownMetadata; verdict: Verdict | undefined }[]> {
  await place.meetRepository();
  const order = new Map(collection.types.all().map((policy, i) => [policy.name, i]));
  const rank = (metadata: MemoryMetadata): number => order.get(metadata.type) ?? order.size;
  const why = whyData(place, collection);
  const checker = new ClaimChecker(place);
  const startedAt = performance.now();
  const gitMs = recheckMs(place, VERDICTS_MS);
  const deadlineAtMs = startedAt + Math.max(LIST_MS, gitMs);
  const memories = (await collection.memoriesInTurns(filter.types))
    .filter(metadataFilter(place, collection, filter))
    .sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name) || compare(a.storeId, b.storeId));
  const breather = new Breather();
  const judged = [];
  for (const metadata of memories) {
    const shown = shownMetadata(metadata, collection, why, isQuarantined(metadata, place));
    const now = performance.now();
    const options = { deadlineAtMs, withHistory: now < startedAt + gitMs };
    const verdict = now < deadlineAtMs ? await checker.on(metadata, collection, options) : undefined;
    judged.push({ metadata, shown, verdict });
    if (breather.isDue) await breather.rest();
  }
  checker.save();
  return judged;
}

/** Ranked, explained hits over all stores that hold here. */
export async function searchMemories(place: Place, request: SearchRequest): Promise<SearchAnswer> {
  await place.meetRepository();
  const collection = await openCollection(place);
  const limit = Math.min(Math.max(1, request.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const admits = metadataFilter(place, collection, request);
  const found = search(collection.readers, { ...request, text: request.query, limit, admits });
  const isSaid = phraseTest(request.query);
  const why = whyData(place, collection);
  const checker = new ClaimChecker(place);
  const deadlineAtMs = performance.now() + recheckMs(place, VERDICTS_MS);
  const words = found.terms.map(({ term }) => term);
  const hits: SearchHit[] = [];
  for (const { metadata: indexed, score, terms } of found.hits) {
    const read = await collection.read(indexed);
    if (!read || isSaid?.(read) === false) continue;
    if (hits.length === limit) break;
    const { metadata, body } = read;
    const isHidden = isQuarantined(metadata, place);
    const claimed = isHidden ? withoutNames(metadata) : metadata;
    const verdict = await checker.on(claimed, collection, { deadlineAtMs, withHistory: true });
    hits.push({
      metadata: { ...shownMetadata(metadata, collection, why, isHidden), signals: verdict.signals },
      score,
      snippet: isHidden ? "" : safeSnippet(body, words),
      verdict,
      ...(terms && { terms }),
    });
  }
  checker.save();
  noteRetrieved(place, "found", hits, request.reader);
  return { hits, collectionSize: found.documentCount, isCut: collection.isCut || found.isCut };
}

export function isQuarantined(metadata: MemoryMetadata, { places }: Place): boolean {
  return metadata.flags !== undefined && readUserWords(places).get(metadata.contentHash) !== "confirmed";
}

/** Redacts secrets. A long word may be a secret that the snippet's edge cut in two: then the whole text is redacted first. */
function safeSnippet(body: string, words: readonly string[]): string {
  const snippet = snippetOf(body, words, SNIPPET_CHARS);
  return /\S{24}/.test(snippet)
    ? snippetOf(redactSecrets(body), words, SNIPPET_CHARS)
    : redactSecrets(snippet);
}

/** One predicate for list and search: they must agree on what a filter means. */
function metadataFilter(
  place: Place,
  collection: Collection,
  filter: MemoryFilter,
): (metadata: MemoryMetadata) => boolean {
  const here = place.here();
  requireStores(place, filter.stores ?? []);
  const since = timeOf("since", filter.since);
  const until = timeOf("until", filter.until);
  const tags = filter.tags?.map((tag) => tag.toLowerCase());
  return (metadata) => {
    const store = collection.storeOf(metadata);
    const changed = writtenAt(metadata);
    return (
      (!filter.types || filter.types.includes(metadata.type)) &&
      (!filter.statuses || filter.statuses.includes(metadata.status)) &&
      (!tags || tags.every((tag) => metadata.tags.some((own) => own.toLowerCase() === tag))) &&
      (!filter.stores || filter.stores.includes(store.kind) || filter.stores.includes(store.id)) &&
      (since === undefined || changed >= since) &&
      (until === undefined || (changed !== "" && changed < until)) &&
      (filter.isScopedHere === false ||
        scopeMismatch(metadata, here, store.kind, collection.types.get(metadata.type)) === undefined)
    );
  };
}

/** Throws on anything but a date: compared as text it would filter out memories at random. */
function timeOf(argument: "since" | "until", value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  const time = normaliseTime(value);
  if (time !== undefined) return time;
  const message = `${argument} is ${JSON.stringify(cutShown(value, 80))}: give a date like 2026-03-05, or a time like 2026-03-05T10:23Z`;
  throw invalidInput(argument, value, message);
}

/** A mistyped store name must not look like an empty store. */
function requireStores(place: Place, wanted: readonly string[]): void {
  const { stores } = place;
  const unknown = wanted.find(
    (name) => !STORE_KINDS.some((kind) => kind === name) && !stores.some(({ id }) => id === name),
  );
  if (unknown === undefined) return;
  throw new HeedError(
    "no-store",
    `there is no store "${cutShown(unknown, 80)}" here: use ${STORE_KINDS.join(", ")}, or an id that \`heed doctor --json\` lists`,
    { store: unknown },
  );
}

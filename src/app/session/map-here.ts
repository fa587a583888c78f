import type { OrderKeys } from "../../inject/order-cards.ts";
import type { FactFreshness } from "../../inject/render-facts.ts";
import { compareInOrder } from "../../inject/order-cards.ts";
import type { MapFact } from "../../inject/render-map.ts";
import { MAX_LINE_CHARS } from "../../inject/render-map.ts";
import { plainWords } from "../../memory/plain-words.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { FACT_INJECTIONS } from "../../memory/memory-type.ts";
import { NOT_IN_TIME } from "../../freshness/claim-check.ts";
import { readUse } from "../records/use-log.ts";
import { isShownByClient, readClientMemory } from "../place/client-memory.ts";
import { supersederOf } from "./superseded.ts";
import { OPENING_MS, PromptVerdicts } from "./prompt-verdicts.ts";
import type { Situation } from "./situation.ts";
import { whyNotHere } from "./situation.ts";

/** So many facts are looked at for a line: twice what a map holds. Comparing them costs the square of it. */
const MAX_LOOKED_AT = 120;
/** So many facts about the person have their lines before all others. */
const MAX_PROFILE = 6;
/** Use of the last quarter counts, in milliseconds. */
const USE_MS = 90 * 86_400_000;
const DAY_MS = 86_400_000;

/** Whether a memory is a fact by its type. */
export function isFactType(card: MemoryCard, { types }: Situation["collection"]): boolean {
  const injection = types.get(card.type)?.injection;
  return injection !== undefined && FACT_INJECTIONS.has(injection);
}

/**
 * Every fact that holds here and is in force, of stores that are approved. In the main context without what the client's
 * own memory index already points at.
 */
export function factsHere(situation: Situation, agent: string | undefined): MemoryCard[] {
  const { collection, root, place } = situation;
  const client = agent === undefined ? readClientMemory(root, place.env) : undefined;
  const isShown = isShownByClient(client, collection.stores);
  const types = collection.types.all().filter(({ injection }) => FACT_INJECTIONS.has(injection));
  return collection.cards(types.map(({ name }) => name)).filter((card) => {
    const store = collection.storeOf(card);
    return store.isTrusted && whyNotHere(card, situation) === undefined && !isShown(card);
  });
}

/** Facts in the order of the map: the profile of the person, then by salience, use in the work, freshness and narrower scope, with what their lines say. Their claims are looked at for `limitMs` in all. */
export async function mapFacts(
  situation: Situation,
  facts: readonly MemoryCard[],
  limitMs: number = OPENING_MS,
): Promise<MapFact[]> {
  const { place } = situation;
  const use = readUse(place.places, new Date(place.now().getTime() - USE_MS).toISOString());
  const inOrder = <T extends OrderKeys>(some: readonly T[]): T[] =>
    profileFirst(some.toSorted(compareInOrder), situation);
  const ordered = inOrder(facts.map((card) => ({ card, uses: use.get(memoryKey(card)) ?? 0 })));
  const verdicts = new PromptVerdicts(situation, limitMs);
  const first = [];
  for (const keys of ordered.slice(0, MAX_LOOKED_AT)) {
    if (supersederOf(keys.card, situation) !== undefined) continue;
    const freshness = await verdicts.freshnessOf(keys.card);
    first.push({ ...keys, isStale: freshness.standing === "stale", freshness });
  }
  verdicts.save();
  const known: MapFact[] = [];
  for (const { card, uses, isStale, freshness } of inOrder(first)) {
    const marks = marksOf(card, freshness, situation);
    known.push({ card, uses, isStale, marks, isWhole: await isWhole(card, situation) });
  }
  for (const { card } of ordered.slice(MAX_LOOKED_AT)) known.push({ card, marks: [], isWhole: false });
  return known;
}

/**
 * What is known of the person goes first, as the profile of a session: it holds everywhere, so by scope it would come
 * last, and it bears on how everything is said. It is of confirmed facts alone, as others are not in force.
 */
function profileFirst<T extends OrderKeys>(ordered: readonly T[], { collection }: Situation): T[] {
  const isPersonal = ({ card }: T): boolean => collection.types.get(card.type)?.injection === "personal";
  const profile = new Set(ordered.filter(isPersonal).slice(0, MAX_PROFILE));
  return [...profile, ...ordered.filter((keys) => !profile.has(keys))];
}

/** What the line of a fact says now. */
export async function mapFact(
  card: MemoryCard,
  situation: Situation,
  verdicts: PromptVerdicts,
): Promise<MapFact> {
  return {
    card,
    marks: marksOf(card, await verdicts.freshnessOf(card), situation),
    isWhole: await isWhole(card, situation),
  };
}

/** What a line says beside the description. */
function marksOf(
  card: MemoryCard,
  { words, isBroken, isCut }: FactFreshness,
  { collection, place }: Situation,
): string[] {
  const written = (card.verified ?? card.updated ?? card.created)?.slice(0, 10);
  const days = collection.types.get(card.type)?.checkAfterDays ?? null;
  const isOld =
    days !== null && written !== undefined && place.now().getTime() - Date.parse(written) > days * DAY_MS;
  return [
    ...(isBroken ? [words.slice(0, 120)] : isCut ? [NOT_IN_TIME] : []),
    ...(card.expires === undefined ? [] : [`until ${card.expires.slice(0, 10)}`]),
    ...(isOld ? [`of ${written}`] : []),
    ...(card.status === "provisional" ? ["provisional"] : []),
    ...(card.confidence === "low" ? ["unsure"] : []),
  ];
}

/** Whether the text says no more than the description, as far as the line shows that. */
async function isWhole(card: MemoryCard, { collection }: Situation): Promise<boolean> {
  if (card.description.length > MAX_LINE_CHARS || card.bodyLength > card.description.length + 2) return false;
  const read = await collection.read(card);
  return read !== undefined && plainWords(read.body) === plainWords(card.description);
}

import type { Decision } from "../here/records/session-events.ts";
import { isShownByClient } from "../here/client-memory.ts";
import { supersederOf } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { injectedAs } from "../here/records/session-state.ts";
import { readUse } from "../here/records/use-log.ts";
import {
  READER_MS,
  readerSituation,
  type OpeningPart,
  type Situation,
  type FactFreshness,
  OPENING_MS,
  PromptVerdicts,
} from "./situation.ts";
import { NOT_IN_TIME } from "../freshness/verdict.ts";
import { type OrderKeys, compareInOrder } from "./inject/render-rules.ts";
import { type MapFact, type RenderedMap, MAX_LINE_CHARS, renderMap } from "./inject/render-map.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import { localDay } from "../machine/read-fields.ts";
import { handleOf, plainWords } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import { FACT_INJECTIONS } from "../memory/memory-type.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

/** So many facts are looked at for a line: twice what a map holds. Comparing them costs the square of it. */
const MAX_LOOKED_AT = 120;
const MAX_PROFILE = 6;
const USE_MS = 90 * 86_400_000;
const DAY_MS = 86_400_000;

export function factsHere(situation: Situation, agent: string | undefined): MemoryMetadata[] {
  const { collection, root, place } = situation;
  const isShown = isShownByClient(root, place.env, collection.stores, agent);
  return situation
    .memoriesInForce((injection) => FACT_INJECTIONS.has(injection))
    .filter((metadata) => !isShown(metadata));
}

const NEAR_MS = 14 * DAY_MS;

/** Whether a fact goes before all others: it names a day that is near, says what must be, or was of use. */
function isFirst({ expires = "", statement, claims }: MemoryMetadata, uses: number, now: Date): boolean {
  const days = `${expires} ${statement}`.match(/\b\d{4}-\d\d-\d\d\b/g) ?? [];
  const [first, last] = [0, NEAR_MS].map((ms) => localDay(new Date(now.getTime() + ms)));
  const isNear = days.some((day) => day >= first! && day <= last!);
  return uses > 0 || isNear || claims.some((claim) => claim.startsWith("must:"));
}

/** Order: the person's profile, then what goes first, salience, use, freshness, narrower scope. */
async function mapFacts(
  situation: Situation,
  facts: readonly MemoryMetadata[],
  limitMs: number,
): Promise<MapFact[]> {
  const { place } = situation;
  const use = readUse(place.places, new Date(place.now().getTime() - USE_MS).toISOString());
  const inOrder = <T extends OrderKeys>(some: readonly T[]): T[] =>
    profileFirst(some.toSorted(compareInOrder), situation);
  const ordered = inOrder(
    facts.map((metadata) => {
      const uses = use.get(memoryKey(metadata)) ?? 0;
      return { metadata, uses, isFirst: isFirst(metadata, uses, place.now()) };
    }),
  );
  const verdicts = new PromptVerdicts(situation, limitMs);
  const first = [];
  for (const keys of ordered.slice(0, MAX_LOOKED_AT)) {
    if (supersederOf(keys.metadata, situation.collection) !== undefined) continue;
    const freshness = await verdicts.freshnessOf(keys.metadata);
    first.push({ ...keys, isStale: freshness.standing === "stale", freshness });
  }
  verdicts.save();
  const known: MapFact[] = [];
  for (const { metadata, freshness } of inOrder(first))
    known.push(await mapFact(metadata, situation, freshness));
  for (const { metadata } of ordered.slice(MAX_LOOKED_AT))
    known.push({ metadata, marks: [], isWhole: false });
  return known;
}

/** The profile (of confirmed facts alone) holds everywhere: by scope it would come last, but it is relevant to all. */
function profileFirst<T extends OrderKeys>(ordered: readonly T[], { collection }: Situation): T[] {
  const isPersonal = ({ metadata }: T): boolean =>
    collection.types.get(metadata.type)?.injection === "personal";
  const profile = new Set(ordered.filter(isPersonal).slice(0, MAX_PROFILE));
  return [...profile, ...ordered.filter((keys) => !profile.has(keys))];
}

export async function mapFact(
  metadata: MemoryMetadata,
  situation: Situation,
  { mark = "", isCut }: FactFreshness,
): Promise<MapFact> {
  const { collection, place } = situation;
  const { expires, status, confidence, verified, updated, created } = metadata;
  const written = (verified ?? updated ?? created)?.slice(0, 10);
  const days = collection.types.get(metadata.type)?.checkAfterDays ?? null;
  const isOld =
    days !== null && written !== undefined && place.now().getTime() - Date.parse(written) > days * DAY_MS;
  const marks = [
    ...(mark !== "" ? [mark] : isCut ? [NOT_IN_TIME] : []),
    ...(expires === undefined ? [] : [`until ${expires.slice(0, 10)}`]),
    ...(status === "provisional" ? ["provisional"] : []),
    ...(confidence === "low" ? ["unsure"] : []),
  ];
  return { metadata, marks, day: isOld ? written : undefined, isWhole: await isWhole(metadata, situation) };
}

const QUOTATION_CHARS = 400;

/** Whether the text says no more than the statement, as far as the line shows that; what quotes the user says it again. */
async function isWhole(metadata: MemoryMetadata, { collection }: Situation): Promise<boolean> {
  const { statement, bodyLength } = metadata;
  if (statement.length > MAX_LINE_CHARS || bodyLength > 2 * statement.length + QUOTATION_CHARS) return false;
  const body = (await collection.read(metadata))?.body;
  return body !== undefined && plainWords(withoutQuotations(body)) === plainWords(statement);
}

const SUBAGENT_SHARE = 0.4;
const RESERVED_CHARS = 1500;
const MAX_LEFT_NAMED = 25;

async function mapOf(situation: Situation, agent: string | undefined, limitMs: number) {
  const budgetChars = mapBudget(situation, agent);
  const facts = budgetChars === 0 ? [] : await mapFacts(situation, factsHere(situation, agent), limitMs);
  return { budgetChars, facts, types: situation.collection.types.all().map(({ name }) => name) };
}

/** The map. Where it is off, the context only takes down how the stores stood. */
export const mapPart: OpeningPart = async ({ situation, agent }) => {
  const { budgetChars, facts, types } = await mapOf(situation, agent, OPENING_MS);
  return {
    budgetChars,
    reservedChars: facts.length === 0 ? 0 : Math.min(RESERVED_CHARS, budgetChars),
    render(room) {
      const map = renderMap(facts, types, room.budgetChars);
      return {
        context: map.text,
        decisions: mapDecisions(map, situation),
        memories: map.lines.flatMap(({ facts: members, isWhole: isAll }) =>
          members.map(({ metadata }) => injectedAs(metadata, "map", { isWhole: isAll })),
        ),
        records: [situation.mapMark(agent, budgetChars > 0 && map.left.length === 0)],
      };
    },
  };
};

/** The characters that the map may take in a context; 0 where there is none. */
export function mapBudget({ mode, place }: Situation, agent?: string): number {
  if (mode !== "typed") return 0;
  const { mapChars } = place.found;
  return agent === undefined ? mapChars : Math.floor(mapChars * SUBAGENT_SHARE);
}

const BEYOND = "over the map's budget: counted there by tag, and added when a prompt needs it";

function mapDecisions({ lines, left }: RenderedMap, situation: Situation): Decision[] {
  return [
    ...lines.flatMap(({ facts, text, isWhole }) =>
      facts.map(({ metadata }, i) =>
        situation.decisionOn(metadata, {
          form: "map",
          reason:
            facts.length > 1
              ? `its line is in the map, with ${facts.length - 1} look-alikes of ${handleOf(facts[0]!.metadata)}`
              : isWhole
                ? "its line in the map is its whole text"
                : "its line is in the map",
          chars: i === 0 ? text.length : 0,
        }),
      ),
    ),
    ...left.slice(0, MAX_LEFT_NAMED).map(({ metadata }) => situation.leftOut(metadata, BEYOND)),
  ];
}

/** The map of what is known here, as a fresh session is told it. */
export interface SessionMap {
  /** What enters the context; empty where nothing is known, or no map is told. */
  text: string;
  budgetChars: number;
  /** Of the facts that have a line. */
  handles: string[];
  /** How many have none; the text counts them by tag. */
  leftCount: number;
}

/** The map of what is known here, as a fresh session is told it, without a trace. */
export async function printMap(place: Place): Promise<SessionMap> {
  await place.meetRepository();
  const { budgetChars, facts, types } = await mapOf(await readerSituation(place), undefined, READER_MS);
  const { text, lines, left } = renderMap(facts, types, budgetChars);
  const handles = lines.flatMap((line) => line.facts.map(({ metadata }) => handleOf(metadata)));
  return { text: redactSecrets(text), budgetChars, handles, leftCount: left.length };
}

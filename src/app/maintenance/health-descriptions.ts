import type { HealthFinding } from "../api/maintenance-reports.ts";
import { type HealthInput, type Section, remedy } from "./health-input.ts";
import { compareInOrder } from "../../inject/order-memories.ts";
import { MAX_LINE_CHARS, renderMap } from "../../inject/render-map.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { FACT_INJECTIONS } from "../../memory/memory-type.ts";
import { surpriseOf } from "../../recall/background-frequency.ts";
import { type Difference, differenceOf, termsOfStatement } from "../../recall/difference.ts";
import { MAP_CHARS } from "../../store/config/store-config.ts";

/** What the words of a description must say at the least, in nats: two words that are rare in prompts say 14. */
const MIN_NATS = 12;
/** So many facts are compared: as many as have a line in the largest map. */
const MAX_COMPARED = 300;
/** The one says nothing that the other does not, and the other little more: so many times as much is shared. */
const SHARED_PER_OWN = 2;

/** So many of the longest descriptions are named where the map has no room for all. */
const MAX_LONGEST = 5;

/**
 * Facts whose description does not serve as a line of the map: too long for one, too vague to say when to open it, or
 * so like another that nobody can tell which of the two is meant. They compete for the same room.
 */
export function poorDescriptions(input: HealthInput): Section {
  const { memories, collection } = input;
  const facts = memories.filter((metadata) => {
    const injection = collection.types.get(metadata.type)?.injection;
    return injection !== undefined && FACT_INJECTIONS.has(injection);
  });
  return {
    findings: [
      ...crowding(facts, input),
      ...facts.flatMap(longOrVague),
      ...alike(facts.slice(0, MAX_COMPARED)),
    ],
  };
}

/** Where the map has no line for each fact: how many have one, and which descriptions take most of the room. */
function crowding(facts: readonly MemoryMetadata[], { place, collection }: HealthInput): HealthFinding[] {
  const { mapChars } = place.found;
  if (mapChars === 0) return [];
  const inOrder = facts.toSorted((a, b) => compareInOrder({ metadata: a }, { metadata: b }));
  const map = renderMap(
    inOrder.map((metadata) => ({ metadata, marks: [], isWhole: false })),
    collection.types.all().map(({ name }) => name),
    mapChars,
  );
  if (map.left.length === 0) return [];
  const inLines = facts.length - map.left.length;
  const uncounted = map.left.length - map.namedCount;
  const longest = facts.toSorted((a, b) => roomOf(b) - roomOf(a)).slice(0, MAX_LONGEST);
  return [
    {
      subject: `${facts.length} facts`,
      words: `a map of ${mapChars} characters has a line for ${inLines} of them, names ${map.namedCount} and counts ${uncounted}: shorter descriptions and names leave room for more`,
      remedies: mapChars < MAP_CHARS.most ? [{ command: "map", args: [String(MAP_CHARS.most)] }] : [],
    },
    ...longest.map(({ name, description }): HealthFinding => ({
      subject: name,
      words: `its line takes ${roomOf({ name, description })} characters`,
      remedies: [rewrite(name)],
    })),
  ];
}

/** What a line takes by its description and handle. */
const roomOf = ({ name, description }: Pick<MemoryMetadata, "name" | "description">): number =>
  Math.min(description.length, MAX_LINE_CHARS) + name.length;

function longOrVague({ name, description, bodyLength }: MemoryMetadata): HealthFinding[] {
  const words =
    description.length > MAX_LINE_CHARS
      ? `its description has ${description.length} characters, and a line of the map holds ${MAX_LINE_CHARS}: say what it is about, and leave the rest to the text`
      : isVague(description) && bodyLength > description.length + 2
        ? `“${description}” does not say when to open it: name the thing and what is known of it`
        : undefined;
  return words === undefined ? [] : [{ subject: name, words, remedies: [rewrite(name)] }];
}

function isVague(description: string): boolean {
  const terms = [...termsOfStatement(description).keys()];
  return terms.reduce((sum, term) => sum + surpriseOf(term), 0) < MIN_NATS;
}

/** Each fact with the first one before it that it cannot be told from. */
function alike(facts: readonly MemoryMetadata[]): HealthFinding[] {
  const known = facts.map((metadata) => ({ metadata, terms: termsOfStatement(metadata.description) }));
  return known.flatMap(({ metadata, terms }, i): HealthFinding[] => {
    const duplicate = known
      .slice(0, i)
      .find((other) => isLike(metadata, other.metadata) && isCovered(differenceOf(other.terms, terms)));
    if (duplicate === undefined) return [];
    const words = `reads like ${duplicate.metadata.name} (“${duplicate.metadata.description.slice(0, MAX_LINE_CHARS)}”): say what is different, or keep one`;
    return [
      {
        subject: metadata.name,
        words,
        remedies: [
          rewrite(metadata.name),
          remedy("remove", metadata.name, { reason: `said by ${duplicate.metadata.name}` }),
        ],
      },
    ];
  });
}

const rewrite = (name: string): HealthFinding["remedies"][number] =>
  remedy("edit", name, { description: "ONE LINE" });

/** Whether two facts stand in one group of one map. */
function isLike(first: MemoryMetadata, second: MemoryMetadata): boolean {
  return (
    memoryKey(first) !== memoryKey(second) &&
    first.type === second.type &&
    first.scope.repo === second.scope.repo &&
    first.scope.branch === second.scope.branch
  );
}

function isCovered({ shared, ofFirst, ofSecond }: Difference): boolean {
  return (
    Math.min(ofFirst.size, ofSecond.size) === 0 &&
    shared.size > 0 &&
    shared.size >= SHARED_PER_OWN * Math.max(ofFirst.size, ofSecond.size)
  );
}

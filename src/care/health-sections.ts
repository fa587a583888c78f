import type { HealthFinding, HealthKind } from "../here/api/maintenance-reports.ts";
import type { HealthInput, Section } from "./health-use.ts";
import { finding, remedy, deadWeight, neverSurfaced, rulesBroken, rulesIdle } from "./health-use.ts";
import { editsBetween } from "../memory/nearest-names.ts";
import { MANY_COMMITS } from "../freshness/verdict.ts";
import { RULE_BUDGET_CHARS } from "../session/inject/render-rules.ts";
import { endedOn } from "../here/trust/admission.ts";
import { parseClaim } from "../memory/claims/parse-claim.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import { MAX_LINE_CHARS } from "../session/inject/render-map.ts";
import { FACT_INJECTIONS } from "../memory/memory-type.ts";
import { MAP_CHARS } from "../store/config/store-config.ts";

/** The sections in the order in which they are told: what is false first, what is only large last. */
export const HEALTH_SECTIONS: readonly [HealthKind, string, (input: HealthInput) => Section][] = [
  ["violated", "What must be so is broken in the code", violated],
  ["stale", "What they name has changed", stale],
  ["stranded", "On other branches and worktrees", ({ stranded }) => stranded()],
  ["rules-broken", "Rules that were broken", rulesBroken],
  ["commit-drift", "Many commits on their files since", commitDrift],
  ["claim-debt", "Claims that cannot be read or checked", claimDebt],
  ["expired", "Expired", expired],
  ["descriptions", "Descriptions that make poor lines of the map", poorDescriptions],
  ["rule-budget", "Rules that do not fit into a session's context", ruleBudget],
  ["dead-weight", "Injected often, never used", deadWeight],
  ["never-surfaced", "Never injected", neverSurfaced],
  ["rules-idle", "Rules that were never relevant", rulesIdle],
  ["tag-typos", "Tags used once that look like another", typos],
];

function violated({ verdicts }: HealthInput): Section {
  return [...verdicts()].flatMap(([{ name }, { isAlarm, words }]) =>
    isAlarm ? finding(name, words, remedy("show", name)) : [],
  );
}

function stale({ verdicts }: HealthInput): Section {
  return [...verdicts()].flatMap(([{ name }, { standing, claims, words, isGone, marks }]) => {
    const isTrue = standing !== "stale" && marks.length === 0;
    if (isTrue && claims.broken.every(({ isViolated }) => isViolated)) return [];
    const isKnown = claims.broken.some(({ became }) => became);
    const isLost = isGone && claims.broken.every(({ unchecked }) => unchecked === undefined);
    const first = isKnown ? [remedy("verify --repair", name)] : isLost ? [remedy("remove", name)] : [];
    return finding(name, words, ...first, remedy("edit", name));
  });
}

function commitDrift({ verdicts }: HealthInput): Section {
  return [...verdicts()].flatMap(([{ name }, { commits, paths, standing }]) =>
    paths.checked.length > 0 && commits !== undefined && commits.count >= MANY_COMMITS && standing !== "stale"
      ? finding(name, `${commits.count} commits on its files since ${commits.since}`, remedy("verify", name))
      : [],
  );
}

function claimDebt({ verdicts }: HealthInput): Section {
  return [...verdicts()].flatMap(([{ name, claims: texts }, { claims }]) => {
    const unreadable = texts.map(parseClaim).find((reading) => !reading.claim);
    if (unreadable?.claim === undefined && unreadable)
      return finding(name, unreadable.message, remedy("edit", name));
    const { unchecked } = claims;
    // Claims about another repository are checked there.
    if (unchecked.length > 0 && !unchecked.every(({ finding: found }) => isElsewhere(found)))
      return finding(
        name,
        `${unchecked.length} of ${texts.length} claims unchecked: ${unchecked[0]?.finding ?? ""}`,
        remedy("show", name),
      );
    return [];
  });
}

function expired({ memories, place }: HealthInput): Section {
  const now = place.now();
  return memories.flatMap((metadata) => {
    const ended = metadata.status === "superseded" ? undefined : endedOn(metadata, now);
    if (ended === undefined) return [];
    const { name } = metadata;
    const words = `expired on ${ended}: told only to who asks about it, as expired; if it goes on, it wants a later date`;
    const goesOn = remedy("edit", name, { expires: "DATE" });
    return finding(name, words, remedy("remove", name, { reason: "expired" }), goesOn);
  });
}

function isElsewhere(found: string | undefined): boolean {
  return found !== undefined && /, which is not here$|^there is no repository here$/.test(found);
}

/** A context holds so many statements whole; models are reported to follow 150 to 200 instructions, their client's own among them. */
const MANY_RULES = 100;

function ruleBudget({ memories, collection }: HealthInput): Section {
  const rules = memories.filter(
    (metadata) =>
      collection.types.get(metadata.type)?.injection === "always" && metadata.scope.paths.length === 0,
  );
  const chars = rules.reduce((sum, metadata) => sum + metadata.description.length + metadata.bodyLength, 0);
  const tooMany =
    rules.length <= MANY_RULES
      ? []
      : finding(
          `${rules.length} rules`,
          `more than ${MANY_RULES} are in every session: too many to be followed. End those that no longer matter, limit others to paths`,
          { command: "rules", args: [] },
        );
  if (chars <= RULE_BUDGET_CHARS) return [tooMany].flat();
  // As many as have to be shorter: of the others nobody needs to know.
  let over = chars - RULE_BUDGET_CHARS;
  const longest = rules
    .toSorted((a, b) => b.bodyLength - a.bodyLength)
    .filter(({ bodyLength }) => over > 0 && (over -= bodyLength));
  return [
    ...[tooMany].flat(),
    finding(
      `${rules.length} rules`,
      `${chars} characters with their reasons, ${RULE_BUDGET_CHARS} are told: the reasons of the least salient ones are left out`,
      { command: "list", args: [], options: { type: "feedback" } },
    ),
    ...longest.map(({ name, bodyLength }) => finding(name, `${bodyLength} characters`, remedy("edit", name))),
  ];
}

function typos({ memories }: HealthInput): Section {
  return tagTypos(memories).map(({ tag, like, name, tags }) =>
    // A list is replaced whole: the other tags stay in it.
    finding(
      tag,
      `used once (${name}); ${like} is used more often`,
      remedy("edit", name, { tag: mended(tags, tag, like).join(",") }),
    ),
  );
}

/** The tags of a memory with one of them put right. */
function mended(tags: readonly string[], tag: string, like: string): string[] {
  return [...new Set(tags.map((one) => (one.toLowerCase() === tag ? like : one)))];
}

/** A tag that stands on one memory only and is close to one that stands on several. */
interface TagTypo {
  tag: string;
  like: string;
  /** The memory that carries it, and all its tags. */
  name: string;
  tags: readonly string[];
}

/** A slip changes, adds or drops this many letters (Levenshtein) at most. */
const MAX_EDITS = 2;
/** In shorter tags two letters make another word: `git` and `ci`. */
const MIN_LENGTH = 4;

/**
 * Tags used once that are within two edits of a tag used more often. They are suggested, never folded: `test` and
 * `rest` are close as well.
 */
export function tagTypos(memories: readonly Pick<MemoryMetadata, "name" | "tags">[]): TagTypo[] {
  const carriers = new Map<string, Pick<MemoryMetadata, "name" | "tags">[]>();
  for (const metadata of memories)
    for (const tag of new Set(metadata.tags.map((one) => one.toLowerCase())))
      carriers.set(tag, [...(carriers.get(tag) ?? []), metadata]);
  const common = [...carriers].filter(([, found]) => found.length > 1).map(([tag]) => tag);
  return [...carriers].flatMap(([tag, found]): TagTypo[] => {
    const [metadata] = found;
    if (found.length !== 1 || metadata === undefined || tag.length < MIN_LENGTH) return [];
    const like = common
      .filter((other) => Math.abs(other.length - tag.length) <= MAX_EDITS)
      .map((other) => ({ other, edits: editsBetween(tag, other) }))
      .filter(({ edits }) => edits <= (tag.length < 6 ? 1 : MAX_EDITS))
      .sort(
        (a, b) =>
          a.edits - b.edits || (carriers.get(b.other)?.length ?? 0) - (carriers.get(a.other)?.length ?? 0),
      )[0];
    return like ? [{ tag, like: like.other, name: metadata.name, tags: metadata.tags }] : [];
  });
}

/** Facts whose description is too long for a line of the map; and how many have no line, where a larger map would help. */
function poorDescriptions({ memories, collection, place, map }: HealthInput): Section {
  const facts = memories.filter(({ type }) => {
    const injection = collection.types.get(type)?.injection;
    return injection !== undefined && FACT_INJECTIONS.has(injection);
  });
  const { lines, leftCount, budgetChars } = map();
  const inLines = lines.reduce((sum, { handles }) => sum + handles.length, 0);
  const isCrowded = leftCount > 0 && place.found.mapChars < MAP_CHARS.most;
  const crowding = finding(
    `${inLines + leftCount} facts`,
    `a map of ${budgetChars} characters has a line for ${inLines} of them, and ${leftCount} have none`,
    { command: "map", args: [String(MAP_CHARS.most)] },
  );
  return [...(isCrowded ? [crowding] : []), ...facts.flatMap(tooLong)];
}

function tooLong({ name, description }: MemoryMetadata): HealthFinding[] {
  if (description.length <= MAX_LINE_CHARS) return [];
  const words = `its description has ${description.length} characters, and a line of the map holds ${MAX_LINE_CHARS}: say what it is about, and leave the rest to the text`;
  return [finding(name, words, remedy("edit", name, { statement: "ONE LINE" }))];
}

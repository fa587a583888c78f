import { mapLine } from "../../inject/render-map.ts";
import { MAX_CONTEXT_CHARS } from "../../inject/context-parts.ts";
import { renderRuleChanges } from "../../inject/render-rules.ts";
import { handleOf } from "../../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";
import type { Decision } from "../api/session-events.ts";
import { type InjectedMemory, type SessionRecord, injectedAs } from "../records/session-state.ts";
import { factsHere, isFactType, mapBudget, mapFact } from "./map-here.ts";
import type { Situation } from "./situation.ts";
import { supersederOf } from "../place/collection.ts";
import { decisionOn, mapMark, injectedAsLine } from "./situation.ts";
import { PromptVerdicts } from "./prompt-verdicts.ts";
import { unreviewedRules } from "../trust/rule-approvals.ts";
import { ruleDecisions, rulesHere } from "./rules-here.ts";

/** Facts that are new or changed and have a line each; of more, as after an import, the count is told. */
const MAX_LINES = 8;
const MAX_GONE_NAMED = 20;

interface InjectedChanges {
  /** Empty when nothing changed. */
  text: string;
  memories: InjectedMemory[];
  decisions: Decision[];
  /** What the context knows from now on, whether or not anything was told. */
  records: SessionRecord[];
}

/**
 * Rules and facts that are new, changed or gone since a context was told them; `usedChars` are taken already by what it
 * is told at the same time.
 */
export async function changesSince(
  situation: Situation,
  agent: string | undefined,
  usedChars = 0,
): Promise<InjectedChanges> {
  const { map } = situation.session.context;
  const rules = await ruleChanges(situation, agent);
  const facts =
    map === undefined || mapBudget(situation, agent) === 0
      ? { ...NONE, isWhole: false }
      : await factChanges(situation, agent, usedChars + rules.text.length);
  const waiting = agent === undefined ? waitingRules(situation) : { text: "", records: [] };
  return {
    text: [rules.text, waiting.text, facts.text].filter((text) => text !== "").join("\n\n"),
    memories: [...rules.memories, ...facts.memories],
    decisions: [...rules.decisions, ...facts.decisions],
    records: [
      ...(map === undefined ? [] : [mapMark(situation, agent, map.isWhole && facts.isWhole)]),
      ...waiting.records,
    ],
  };
}

/** Rules that others changed in a team store, each text once in a session: what was approved of them stays in force. */
function waitingRules({ place, collection, session }: Situation): { text: string; records: SessionRecord[] } {
  const changed = unreviewedRules(place, collection).unapproved.flatMap(({ store, metadata }) => {
    const what = `review ${memoryKey(metadata)} ${metadata.contentHash}`;
    return store.kind === "team" && !session.noticed.has(what) ? [{ metadata, what }] : [];
  });
  if (changed.length === 0) return { text: "", records: [] };
  const names = changed.slice(0, MAX_GONE_NAMED).map(({ metadata }) => handleOf(metadata));
  const time = place.now().toISOString();
  return {
    text: `Rules of the team's store came or changed, and are not in force as they are now until the user reviews them (heed trust). Tell the user: ${names.join(", ")}`,
    records: changed.map(({ what }) => ({ kind: "noticed", time, what })),
  };
}

type Part = Omit<InjectedChanges, "records">;
const NONE: Part = { text: "", memories: [], decisions: [] };

async function ruleChanges(situation: Situation, agent: string | undefined): Promise<Part> {
  const { session } = situation;
  const found = await rulesHere(situation, agent === undefined);
  const changed = found.rules.filter(
    ({ metadata }) => session.context.injected.get(memoryKey(metadata))?.hash !== metadata.contentHash,
  );
  const inForce = new Set(
    [...found.rules.map(({ metadata }) => metadata), ...found.pathRules].map(memoryKey),
  );
  const gone = [...session.context.injected.values()].filter(
    (memory) => memory.form === "rule" && !inForce.has(memory.key) && isLookedAt(memory, situation),
  );
  const changes = renderRuleChanges(
    changed,
    gone.map((memory) => handleOf(memory)),
  );
  if (changes.text === "") return NONE;
  return {
    text: changes.text,
    memories: [
      ...changes.rules.map(({ metadata }) => injectedAs(metadata, "rule")),
      ...gone.map((memory): InjectedMemory => ({ ...memory, form: "none" })),
    ],
    decisions: ruleDecisions(situation, changes.rules, changes.extents, found),
  };
}

async function factChanges(
  situation: Situation,
  agent: string | undefined,
  usedChars: number,
): Promise<Part & { isWhole: boolean }> {
  const { session, collection } = situation;
  const { injected, map } = session.context;
  const inForce = new Map(factsHere(situation, agent).map((metadata) => [memoryKey(metadata), metadata]));
  const gone = [...injected.values()].filter(
    (memory) =>
      FACT_MODES.has(memory.form) &&
      !inForce.has(memory.key) &&
      isLookedAt(memory, situation) &&
      !isOther(memory, situation),
  );
  const isNew = (metadata: MemoryMetadata): boolean => {
    const before = injected.get(memoryKey(metadata));
    if (before !== undefined) return before.hash !== metadata.contentHash;
    // Beyond a map that did not hold all, only what was written since is new.
    return map?.isWhole === true || (metadata.updated ?? metadata.created ?? "") > (map?.time ?? "");
  };
  const changed = [...inForce.values()]
    .filter(isNew)
    .filter((metadata) => supersederOf(metadata, situation.collection) === undefined);
  if (changed.length === 0 && gone.length === 0) return { ...NONE, isWhole: true };
  const verdicts = new PromptVerdicts(situation);
  const lines: { metadata: MemoryMetadata; text: string; isWhole: boolean }[] = [];
  let left = MAX_CONTEXT_CHARS - usedChars - 1000;
  for (const metadata of changed.slice(0, MAX_LINES)) {
    const fact = await mapFact(metadata, situation, verdicts);
    const text = mapLine(fact);
    if (text.length > left) break;
    left -= text.length + 1;
    lines.push({ metadata, text, isWhole: fact.isWhole });
  }
  verdicts.save();
  const rest = changed.length - lines.length;
  const named = gone.slice(0, MAX_GONE_NAMED).map((memory) => handleOf(memory));
  const text = [
    ...(lines.length > 0 ? [HEAD, "<heed-map>", ...lines.map((line) => line.text), "</heed-map>"] : []),
    ...(rest > 0
      ? [`heed keeps ${rest} ${lines.length > 0 ? "more " : ""}new facts: memory_search finds them.`]
      : []),
    ...(gone.length > 0
      ? [
          `No longer in force, not to be relied on: ${named.join(", ")}${gone.length > named.length ? ` and ${gone.length - named.length} more` : ""}`,
        ]
      : []),
  ].join("\n");
  return {
    text,
    memories: [
      ...lines.map(({ metadata, isWhole }) => injectedAsLine(metadata, isWhole)),
      ...gone.map((memory): InjectedMemory => ({ ...memory, form: "none" })),
    ],
    decisions: lines.map(({ metadata, text: line }) =>
      decisionOn(metadata, collection, {
        form: "map",
        reason: "new or changed since the map",
        chars: line.length,
      }),
    ),
    // What is only counted is not told again as new.
    isWhole: rest === 0,
  };
}

/** Whether its store is there and was read whole: what cannot be looked at is not said to be gone. */
function isLookedAt({ key }: InjectedMemory, { collection }: Situation): boolean {
  return !collection.isCut && collection.stores.some(({ id }) => key.startsWith(`${id}:`));
}

/** Whether it is there, and no fact: an episode that a context was opened with. */
function isOther({ key, name }: InjectedMemory, { collection }: Situation): boolean {
  const metadata = collection.readers
    .flatMap((reader) => reader.memoriesByHandle(name))
    .find((found) => memoryKey(found) === key);
  return metadata !== undefined && !isFactType(metadata, collection);
}

const FACT_MODES: ReadonlySet<InjectedMemory["form"]> = new Set(["map", "body", "passages", "pointer"]);

const HEAD = "New or changed in what heed keeps here since this session was given its lines:";

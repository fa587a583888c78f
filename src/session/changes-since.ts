import { mapLine, factsHere, mapBudget, mapFact } from "./map-here.ts";
import { type MemoryMetadata, memoryKey, writtenAt } from "../memory/memory.ts";
import { type InjectedMemory, injectedAs } from "../here/records/session-state.ts";
import { goneWords, inForceHere } from "../here/consent/standing.ts";
import {
  type FactSituation,
  type Outcome,
  type Situation,
  MAX_CONTEXT_CHARS,
  charsOf,
  joinOutcomes,
  NOTHING,
  PromptVerdicts,
} from "./situation.ts";
import { supersederOf } from "../here/collection.ts";
import { notTold, rulesHere, toldRules } from "./rules-here.ts";

/** Facts that are new or changed and have a line each; of more, as after an import, the count is told. */
const MAX_LINES = 8;
const MAX_GONE_CHARS = 1000;
const RULES_HEAD = "Standing rules that heed keeps, new or changed since this session was given them:";
const FACTS_HEAD = "New or changed in what heed keeps here since this session was given its lines:";

/** Tells rules and facts that are new, changed or gone since a context was told them. `isBlock`: a resumed session's. */
export async function tellChanges(
  given: FactSituation,
  agent: string | undefined,
  told: Outcome = NOTHING,
  isBlock = false,
): Promise<Outcome> {
  const situation = (await given.checked()).after(told);
  // Where there is no time to look at facts, the mark stays, and the next prompt looks again.
  const hasTime = await situation.hasTimeForAll();
  const { missing, ...context } = situation.session.context;
  // One that is yet to come holds what is new, too.
  const map = missing.includes("map") ? undefined : context.map;
  const rules = await ruleChanges(situation);
  const usedChars = charsOf(told) + charsOf(rules);
  const hasMap = map !== undefined && hasTime && mapBudget(situation, agent) > 0;
  const facts = hasMap ? await factChanges(situation, agent, usedChars) : { isWhole: false };
  const all: Outcome[] = [rules, facts, hasTime ? await goneSince(situation) : NOTHING];
  if (map && hasTime) all.push({ records: [situation.mapMark(agent, map.isWhole && facts.isWhole)] });
  const isTold = all.some(({ context, memories = [] }) => context || memories.length > 0);
  // What a block tells does not count against the facts that a context may take.
  const block = isBlock && isTold ? { isMore: missing.length > 0 } : undefined;
  return { ...joinOutcomes(...all), block };
}

async function ruleChanges(situation: Situation): Promise<Outcome> {
  const found = await rulesHere(situation);
  const changed = found.rules.filter(({ metadata }) => !situation.isTold(metadata));
  if (changed.length === 0) return NOTHING;
  const limitChars = MAX_CONTEXT_CHARS - MAX_GONE_CHARS;
  const told = toldRules(situation, changed, RULES_HEAD, { limitChars });
  return { ...told, decisions: [...told.decisions, ...notTold(situation, found)] };
}

/** What the context was told as in force and is so no more; of stores alone that are there and were read whole. */
async function goneSince({ place, collection, whyNotHere, session }: Situation): Promise<Outcome> {
  if (collection.isCut) return NOTHING;
  const inForce = inForceHere(collection, whyNotHere);
  const gone = [...session.context.injected.values()].filter(
    ({ key, form, isData }) =>
      form !== "none" &&
      isData !== true &&
      !inForce.has(key) &&
      collection.stores.some(({ id }) => key.startsWith(`${id}:`)),
  );
  return {
    context: await goneWords(place, gone, [...inForce.values()]),
    memories: gone.map((memory): InjectedMemory => ({ ...memory, form: "none" })),
  };
}

async function factChanges(
  situation: Situation,
  agent: string | undefined,
  usedChars: number,
): Promise<Outcome & { isWhole: boolean }> {
  const { injected, map } = situation.session.context;
  const isNew = (metadata: MemoryMetadata): boolean => {
    if (injected.has(memoryKey(metadata))) return !situation.isTold(metadata);
    // Beyond a map that did not hold all, only what was written since is new.
    return map?.isWhole === true || writtenAt(metadata) > (map?.time ?? "");
  };
  const changed = factsHere(situation, agent)
    .filter(isNew)
    .filter((metadata) => supersederOf(metadata, situation.collection) === undefined);
  if (changed.length === 0) return { isWhole: true };
  const verdicts = new PromptVerdicts(situation);
  const lines: { metadata: MemoryMetadata; text: string; isWhole: boolean }[] = [];
  let left = MAX_CONTEXT_CHARS - usedChars - 1000;
  for (const metadata of changed.slice(0, MAX_LINES)) {
    const fact = await mapFact(metadata, situation, await verdicts.freshnessOf(metadata));
    const text = mapLine(fact);
    if (text.length > left) break;
    left -= text.length + 1;
    lines.push({ metadata, text, isWhole: fact.isWhole });
  }
  verdicts.save();
  const rest = changed.length - lines.length;
  const context = [
    ...(lines.length > 0 ? [FACTS_HEAD, "<heed-map>", ...lines.map((line) => line.text), "</heed-map>"] : []),
    ...(rest > 0
      ? [`heed keeps ${rest} ${lines.length > 0 ? "more " : ""}new facts: memory_search finds them.`]
      : []),
  ].join("\n");
  return {
    context,
    memories: lines.map(({ metadata, isWhole }) => injectedAs(metadata, "map", { isWhole })),
    decisions: lines.map(({ metadata, text: line }) =>
      situation.decisionOn(metadata, {
        form: "map",
        reason: "new or changed since the map",
        chars: line.length,
      }),
    ),
    isWhole: rest === 0,
  };
}

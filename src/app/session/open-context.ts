import type { RuleExtent, Rule } from "../../inject/render-rules.ts";
import { renderRuleChanges, renderSessionBlock } from "../../inject/render-session-block.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { Decision } from "../api/session-events.ts";
import type { SessionRecord, ToldMemory } from "../records/session-state.ts";
import { waitingMemories } from "../trust/user-words.ts";
import { newestEpisode } from "../place/newest-episode.ts";
import { countGone } from "../trust/rule-approvals.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import type { RulesHere } from "./rules-here.ts";
import { rulesHere } from "./rules-here.ts";
import type { Situation } from "./situation.ts";
import { decisionOn, whyNotHere } from "./situation.ts";
import { readForTelling } from "./read-for-telling.ts";

/** What is said about a rule in a receipt, by how much of it the text shows. */
const EXTENT_WORDS: Record<RuleExtent, string> = {
  reasons: "in force here",
  statement: "in force here; its reasons did not fit",
  shortened: "in force here; its statement was shortened to make room for all",
  handle: "in force here; named by its handle, as the statements did not fit",
  counted: "in force here; counted only, as not even the handles fit",
};

/** Opens a fresh context: the main one of a session, or that of a subagent. */
export async function openContext(
  situation: Situation,
  about: { agent: string | undefined; pendingCount: number },
): Promise<EventOutcome> {
  const { mode, collection } = situation;
  const isMain = about.agent === undefined;
  const found = await rulesHere(situation, isMain);
  const episode = isMain && mode === "typed" ? await lastEpisode(situation) : undefined;
  const block = renderSessionBlock({
    rules: found.rules,
    ...(episode && { episode }),
    ...(mode !== "rules" && { facts: countFacts(situation) }),
    unapproved: mode === "rules" ? 0 : countUnapproved(situation),
  });
  const decisions = ruleDecisions(situation, block.rules, block.extents, found);
  if (episode && block.showsEpisode) {
    decisions.push(
      decisionOn(episode.card, collection, {
        form: "body",
        reason: "the last session here",
        chars: episode.body.length,
      }),
    );
  }
  const told = block.rules.map(({ card }): ToldMemory => toldAs(card, "rule"));
  if (episode && block.showsEpisode) told.push(toldAs(episode.card, "body"));
  const time = situation.place.now().toISOString();
  const records: SessionRecord[] = [
    {
      kind: "told",
      time,
      ...(about.agent !== undefined && { agent: about.agent }),
      isBlock: true,
      chars: block.text.length,
      memories: told,
    },
  ];
  const waiting = isMain ? waitingMemories(situation.place.places, collection).length : 0;
  const notices = isMain
    ? [pendingNotice(situation, about.pendingCount + waiting), reviewNotice(situation)]
    : [];
  const notice = notices.flatMap((line) => line ?? []).join("; ") || undefined;
  if (notice !== undefined) records.push({ kind: "noticed", time, what: "pending" });
  return {
    answer: { ...(block.text !== "" && { context: block.text }), ...(notice !== undefined && { notice }) },
    records,
    decisions,
    isCut: collection.isCut,
  };
}

/** A session that goes on in a context which already holds the rules: only what changed since is told. */
export async function resumeContext(situation: Situation): Promise<EventOutcome> {
  const { session, collection } = situation;
  const found = await rulesHere(situation, true);
  const changed = found.rules.filter(
    ({ card }) => session.context.told.get(memoryKey(card))?.hash !== card.contentHash,
  );
  const inForce = new Set([...found.rules.map(({ card }) => card), ...found.pathRules].map(memoryKey));
  const gone = [...session.context.told.values()].filter(
    ({ key, form }) => form === "rule" && !inForce.has(key) && !collection.isCut,
  );
  const changes = renderRuleChanges(
    changed,
    gone.map((memory) => handleOf(memory)),
  );
  const told: ToldMemory[] = [
    ...changes.rules.map(({ card }) => toldAs(card, "rule")),
    ...gone.map((memory): ToldMemory => ({ ...memory, form: "none" })),
  ];
  if (changes.text === "") return { answer: {}, records: [], decisions: [], isCut: collection.isCut };
  return {
    answer: { context: changes.text },
    records: [
      {
        kind: "told",
        time: situation.place.now().toISOString(),
        isBlock: true,
        chars: changes.text.length,
        memories: told,
      },
    ],
    decisions: ruleDecisions(situation, changes.rules, changes.extents, found),
    isCut: collection.isCut,
  };
}

function toldAs(card: MemoryCard, form: ToldMemory["form"]): ToldMemory {
  return { key: memoryKey(card), hash: card.contentHash, form, name: card.name };
}

function ruleDecisions(
  { collection, unreviewed }: Situation,
  rules: readonly Rule[],
  extents: readonly RuleExtent[],
  { pathRules, leftOut }: RulesHere,
): Decision[] {
  return [
    ...rules.map(({ card }, i) => {
      const extent = extents[i] ?? "statement";
      return decisionOn(card, collection, {
        form: "rule",
        reason: `${EXTENT_WORDS[extent]}${unreviewed.has(memoryKey(card)) ? "; in its approved text, as somebody else changed it since: heed trust" : ""}`,
        chars: extent === "counted" ? 0 : card.description.length,
      });
    }),
    ...pathRules.map((card) =>
      decisionOn(card, collection, {
        form: "none",
        reason: `holds for certain paths: told when a tool touches ${card.scope.paths.join(" or ").slice(0, 200)}`,
        chars: 0,
      }),
    ),
    ...leftOut,
  ];
}

/** The newest episode of this repository and branch. */
async function lastEpisode(situation: Situation): Promise<{ card: MemoryCard; body: string } | undefined> {
  const { collection } = situation;
  const types = collection.types.all().filter((policy) => policy.injection === "resume");
  const newest = newestEpisode(
    collection
      .cards(types.map((policy) => policy.name))
      .filter((card) => collection.storeOf(card).isTrusted && whyNotHere(card, situation) === undefined),
  );
  return newest && readForTelling(collection, newest);
}

/** How many facts hold here, per type. */
function countFacts(situation: Situation): Map<string, number> {
  const { collection } = situation;
  const counts = new Map<string, number>();
  for (const card of collection.cards()) {
    const injection = collection.types.get(card.type)?.injection;
    if (injection === undefined || injection === "always" || injection === "resume") continue;
    if (!collection.storeOf(card).isTrusted || whyNotHere(card, situation) !== undefined) continue;
    counts.set(card.type, (counts.get(card.type) ?? 0) + 1);
  }
  return counts;
}

function countUnapproved({ collection }: Situation): number {
  return collection.cards().filter((card) => !collection.storeOf(card).isTrusted).length;
}

/** One review for all that others changed. */
function reviewNotice({ session, unreviewed, place, collection }: Situation): string | undefined {
  if (session.noticed.has("pending")) return undefined;
  const count = unreviewed.size;
  const gone = countGone(place, collection);
  const parts = [
    ...(count === 0
      ? []
      : [
          `${count} ${count === 1 ? "rule of this repository was" : "rules of this repository were"} changed by others and ${count === 1 ? "waits" : "wait"} for a review`,
        ]),
    ...(gone === 0
      ? []
      : [
          `${gone} ${gone === 1 ? "rule" : "rules"} that you approved ${gone === 1 ? "is" : "are"} gone from this repository`,
        ]),
  ];
  return parts.length === 0 ? undefined : `${parts.join(", ")}: heed trust`;
}

function pendingNotice({ session }: Situation, count: number): string | undefined {
  if (count === 0 || session.noticed.has("pending")) return undefined;
  return `${count} ${count === 1 ? "memory waits" : "memories wait"} for your word: heed inbox`;
}

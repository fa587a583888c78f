import { oneLine } from "../../../capture/text/one-line.ts";
import {
  isDecision,
  isStanding,
  saysFromNowOn,
  saysHowToWork,
} from "../../../capture/explicit/standing-words.ts";
import { sentencesOf } from "../../../capture/text/sentences.ts";
import { oppositionOf, similarityOf } from "../../../curate/similarity.ts";
import { wordsOf } from "../../../recall/words-of.ts";
import type { MemoryCard } from "../../../memory/memory-card.ts";
import { search } from "../../../recall/search.ts";
import type { Collection } from "../../place/collection.ts";
import { openedStore } from "../../place/opened-stores.ts";
import { mayTouch } from "./may-touch.ts";
import type { PlannedStep } from "./tidy-step.ts";
import { TIDY_ACTOR } from "./tidy-step.ts";
import type { Place } from "../../place/place.ts";
import { MemoryWriter } from "../../writing/memory-writer.ts";
import { enterStore } from "../../writing/write-pipeline.ts";
import { draftOfMemory } from "../../writing/gate-context.ts";

/** A memory so similar to a sentence is about the same matter. */
const MIN_SIMILARITY = 0.25;
const MAX_EPISODES = 30;
const MAX_SENTENCES = 60;

/**
 * Expired episodes: each sentence is behaviour or fact, known, absorbable or nothing. What is absorbed goes through the
 * gates, so that rules and statements about the user wait for their word; then the episode goes to the tombstones.
 */
export async function planEpisodes(place: Place, collection: Collection): Promise<PlannedStep[]> {
  const today = place.now().toISOString();
  const expired = collection
    .cards(["episode"])
    .filter((card) => card.decayAfter !== undefined && card.decayAfter < today && mayTouch(card, collection))
    .sort((a, b) => ((a.decayAfter ?? "") < (b.decayAfter ?? "") ? -1 : 1))
    .slice(0, MAX_EPISODES);
  const steps: PlannedStep[] = [];
  for (const card of expired) steps.push(...(await planEpisode(place, collection, card)));
  return steps;
}

async function planEpisode(place: Place, collection: Collection, card: MemoryCard): Promise<PlannedStep[]> {
  const read = await collection.read(card);
  if (!read) return [];
  const steps: PlannedStep[] = [];
  let known = 0;
  let unplaced = 0;
  const sentences = sentencesWorthKeeping(read.body);
  for (const sentence of sentences) {
    const target = await bestMatch(collection, sentence.text, card);
    if (!target) {
      unplaced += 1;
      continue;
    }
    if (target.isKnown) {
      known += 1;
      continue;
    }
    steps.push(absorbStep(place, collection, card, sentence, target.card, target.opposition));
  }
  const reason = [
    `expired on ${(card.decayAfter ?? "").slice(0, 10)}`,
    sentences.length === 0
      ? "no sentence in it holds beyond its session"
      : `${sentences.length} sentences weighed`,
    ...(known > 0 ? [`${known} known already`] : []),
    ...(unplaced > 0 ? [`${unplaced} belong to no memory`] : []),
  ].join("; ");
  steps.push({
    action: "drop-episode",
    name: card.name,
    reason,
    apply: async () => {
      const writer = new MemoryWriter(place, TIDY_ACTOR);
      const removed = await writer.remove(card, { kind: "remove", why: reason });
      return removed.change ? [removed.change.id] : [];
    },
  });
  return steps;
}

interface Kept {
  text: string;
  /** How to work, or what is so. */
  kind: "behaviour" | "fact";
}

/** The sentences that hold beyond their session: what the user decided and asked for as a rule. */
function sentencesWorthKeeping(body: string): Kept[] {
  const seen = new Set<string>();
  return sentencesOf(body.replace(/\*\*[^*\n]{1,60}:\*\*/g, ""))
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => {
      const key = sentence.toLowerCase();
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew && (isStanding(sentence) || saysFromNowOn(sentence) || isDecision(sentence));
    })
    .map((text) => ({ text, kind: saysHowToWork(text) ? "behaviour" : "fact" }));
}

async function bestMatch(
  collection: Collection,
  sentence: string,
  episode: MemoryCard,
): Promise<{ card: MemoryCard; isKnown: boolean; opposition: string | undefined } | undefined> {
  const { hits } = search(collection.readers, {
    text: sentence,
    syntax: "prompt",
    limit: 5,
    types: ["feedback", "project", "reference", "user"],
    storeIds: [episode.storeId],
  });
  for (const { card } of hits) {
    const read = card.section === undefined ? await collection.read(card) : undefined;
    if (!read) continue;
    const said = { description: sentence, body: sentence };
    const value = Math.max(
      similarityOf(said, { description: card.description, body: card.description }).value,
      similarityOf(said, { description: card.description, body: read.body }).value,
    );
    if (saysNothingNew(sentence, `${card.description}\n${read.body}`))
      return { card, isKnown: true, opposition: undefined };
    if (value >= MIN_SIMILARITY)
      return { card, isKnown: false, opposition: oppositionOf(sentence, card.description) };
  }
  return undefined;
}

/** Whether every word of a sentence that means something stands in a text already. */
function saysNothingNew(sentence: string, text: string): boolean {
  const known = wordsOf(text);
  return [...wordsOf(sentence)].every((word) => known.has(word));
}

function absorbStep(
  place: Place,
  collection: Collection,
  episode: MemoryCard,
  sentence: Kept,
  card: MemoryCard,
  opposition: string | undefined,
): PlannedStep {
  const day = (episode.updated ?? episode.created ?? "").slice(0, 10);
  const text = oneLine(sentence.text, 300);
  return {
    action: opposition === undefined ? "absorb-episode" : "queue-near-duplicate",
    name: episode.name,
    other: card.name,
    reason: `${sentence.kind}: "${text}"${opposition === undefined ? "" : ` says otherwise (${opposition}); you decide`}`,
    apply: async () => {
      const current = await collection.read(card);
      if (!current || current.body.includes(text)) return [];
      const result = await enterStore(place, {
        draft: {
          ...draftOfMemory(current),
          body: `${current.body.trimEnd()}\n\nFrom the session of ${day}: ${text}`,
          isDistinct: true,
          isNotDerivable: true,
        },
        actor: TIDY_ACTOR,
        store: openedStore(place, collection.storeOf(card)),
        current,
        isConfirmed: false,
        ...(opposition !== undefined && { waitsFor: `an old session says otherwise: ${opposition}` }),
        why: `absorbed from ${episode.name}`,
      });
      return result.outcome === "amended" ? [`heed:${card.name}`] : [];
    },
  };
}

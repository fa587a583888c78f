import { renderEpisode } from "../../inject/render-episode.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { newestEpisode } from "../place/newest-episode.ts";
import type { Situation } from "./situation.ts";
import { decisionOn, toldAs, whyNotHere } from "./situation.ts";
import type { OpeningPart } from "./opening-part.ts";
import { readForTelling } from "./read-for-telling.ts";

/** The last session's episode takes this many characters at most. */
const BUDGET_CHARS = 2000;

/** The last session of this repository and branch; not for subagents. */
export const unfinishedPart: OpeningPart = async ({ situation, agent }) => {
  if (agent !== undefined || situation.mode !== "typed") return undefined;
  const episode = await lastEpisode(situation);
  if (episode === undefined) return undefined;
  return {
    budgetChars: BUDGET_CHARS,
    reservedChars: 0,
    render({ budgetChars }) {
      const text = renderEpisode(episode, budgetChars);
      if (text === "") return undefined;
      const decision = decisionOn(episode.card, situation.collection, {
        form: "body",
        reason: "the last session here",
        chars: episode.body.length,
      });
      return { text, told: { decisions: [decision], memories: [toldAs(episode.card, "body")] } };
    },
  };
};

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

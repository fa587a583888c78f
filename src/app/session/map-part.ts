import type { RenderedMap } from "../../inject/render-map.ts";
import { renderMap } from "../../inject/render-map.ts";
import { handleOf } from "../../memory/handle.ts";
import type { Decision } from "../api/session-events.ts";
import type { ToldMemory } from "../records/session-state.ts";
import { factsHere, mapFacts } from "./map-here.ts";
import { mapMark } from "./map-mark.ts";
import type { OpeningPart } from "./opening-part.ts";
import type { Situation } from "./situation.ts";
import { decisionOn, toldAsLine } from "./situation.ts";

/** A subagent has one task: it is given this share of the map. */
const SUBAGENT_SHARE = 0.4;
/** Room kept for the map beside rules that want all there is. */
const RESERVED_CHARS = 1500;
/** So many facts without a line are named in a receipt. */
const MAX_LEFT_NAMED = 25;

/**
 * The map: one line for each fact in scope and in force. Not in mode pull, and not where it is switched off; there the
 * context only takes down how the stores stood.
 */
export const mapPart: OpeningPart = async ({ situation, agent }) => {
  const budgetChars = mapBudget(situation, agent);
  const facts = budgetChars === 0 ? [] : await mapFacts(situation, factsHere(situation, agent));
  const types = situation.collection.types.all().map(({ name }) => name);
  return {
    budgetChars,
    reservedChars: facts.length === 0 ? 0 : Math.min(RESERVED_CHARS, budgetChars),
    render(room) {
      const map = renderMap(facts, types, room.budgetChars);
      const told = {
        decisions: mapDecisions(map, situation),
        memories: toldByMap(map),
        records: [mapMark(situation, agent, budgetChars > 0 && map.left.length === 0)],
      };
      return { text: map.text, told };
    },
  };
};

/** The characters that the map may take in a context; 0 where there is none. */
export function mapBudget({ mode, place }: Situation, agent?: string): number {
  if (mode !== "typed") return 0;
  const { mapChars } = place.found;
  return agent === undefined ? mapChars : Math.floor(mapChars * SUBAGENT_SHARE);
}

/** What a context that was given a map was told, for the session's log. */
export function toldByMap({ lines }: RenderedMap): ToldMemory[] {
  return lines.flatMap(({ facts, isWhole }) => facts.map(({ card }) => toldAsLine(card, isWhole)));
}

/** What is said of each fact in a receipt, and in `heed why`. */
export function mapDecisions(
  { lines, left, namedCount }: RenderedMap,
  { collection }: Situation,
): Decision[] {
  return [
    ...lines.flatMap(({ facts, text, isWhole }) =>
      facts.map(({ card }, i) =>
        decisionOn(card, collection, {
          form: "map",
          reason:
            facts.length > 1
              ? `its line is in the map, with ${facts.length - 1} look-alikes of ${handleOf(facts[0]!.card)}`
              : isWhole
                ? "its line in the map is its whole text"
                : "its line is in the map",
          chars: i === 0 ? text.length : 0,
        }),
      ),
    ),
    ...left.slice(0, MAX_LEFT_NAMED).map(({ card }, i) =>
      decisionOn(card, collection, {
        form: "none",
        reason: `beyond the map's budget: ${i < namedCount ? "only its name stands there" : "counted there by tag"}; told on a prompt that it bears on`,
        chars: 0,
      }),
    ),
  ];
}

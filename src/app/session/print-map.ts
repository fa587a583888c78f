import type { MapFact } from "../../inject/render-map.ts";
import { renderMap } from "../../inject/render-map.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MapEntry, MapRequest, SessionMap } from "../api/session-events.ts";
import type { Place } from "../place/place.ts";
import { readSession } from "../records/session-state.ts";
import { redactSecrets } from "../../screening/find-secrets.ts";
import { factsHere, mapFacts } from "./map-here.ts";
import { mapBudget } from "./map-part.ts";
import { lookAround, modeOf } from "./situation.ts";

/** It is asked for by a person or a tool and may take its time, in milliseconds. */
const DEADLINE_MS = 10_000;

const SUBAGENT = "subagent";

/** The map of what is known here, as a fresh session is told it, without a trace. */
export async function printMap(place: Place, request: MapRequest = {}): Promise<SessionMap> {
  const session = readSession(place.places, "");
  const situation = await lookAround(place, session, modeOf(session, place), DEADLINE_MS);
  const agent = request.isForSubagent === true ? SUBAGENT : undefined;
  const budgetChars = request.budgetChars ?? mapBudget(situation, agent);
  if (budgetChars === 0) return { text: "", budgetChars, lines: [], leftCount: 0, named: [] };
  const facts = await mapFacts(situation, factsHere(situation, agent), DEADLINE_MS);
  const types = situation.collection.types.all().map(({ name }) => name);
  const map = renderMap(facts, types, budgetChars);
  return {
    text: redactSecrets(map.text),
    budgetChars,
    lines: map.lines.map(({ facts: members, text }): MapEntry => ({
      handles: members.map(({ card }) => handleOf(card)),
      type: members[0]?.card.type ?? "",
      text: redactSecrets(text),
      why: members[0] === undefined ? "" : whyHere(members[0]),
    })),
    leftCount: map.left.length,
    named: map.left.slice(0, map.namedCount).map(({ card }) => handleOf(card)),
  };
}

/** What its place in the order rests on, strongest first. */
function whyHere({ card, uses = 0, isStale }: MapFact): string {
  const { scope } = card;
  const reach =
    scope.paths.length > 0
      ? "for paths"
      : scope.branch
        ? "for this branch"
        : scope.repo
          ? "for this repository"
          : "for all";
  const written = (card.verified ?? card.updated ?? card.created)?.slice(0, 10);
  return [
    `salience ${card.salience}`,
    uses === 0 ? "not used yet" : `of use ${uses === 1 ? "once" : `${uses} times`}`,
    ...(isStale === true ? ["stale"] : []),
    reach,
    written === undefined ? "undated" : `of ${written}`,
  ].join(", ");
}

import { findExplicit } from "../../capture/explicit/find-explicit.ts";
import type { UserTurn } from "../../capture/digest/session-digest.ts";
import { ownPart } from "../../capture/transcript/own-part.ts";
import { isSaidIn } from "../../curate/users-words.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { readLearnSetting } from "../place/learn-mode.ts";
import type { Place } from "../place/place.ts";
import { readSession, recentUserTurns } from "../records/session-state.ts";
import { confirmInPassing, correctInPassing } from "./amend-in-passing.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { keepExplicit } from "./keep-explicit.ts";

/**
 * What the turns of a transcript ask for in so many words, and what they say of memories that they cite. What the stop of
 * a turn has dealt with is left alone. Anybody may have written a transcript: only what heed heard itself when it was
 * said has the user's word, all else waits.
 */
export async function proposeTurns(
  place: Place,
  turns: readonly UserTurn[],
  options: ProposeOptions,
): Promise<ProposalReport[]> {
  if (readLearnSetting(place).mode === "off") return [];
  const { heardQuotes } = readSession(place.places, options.session);
  const recorded = recentUserTurns(place.places, options.session);
  const reports: ProposalReport[] = [];
  for (const turn of turns) {
    const amended =
      (await correctInPassing(place, turn, options)) ?? (await confirmInPassing(place, turn, options));
    if (amended) {
      reports.push(amended);
      continue;
    }
    const explicit = findExplicit(ownPart(turn.said)).filter(({ quote }) => !heardQuotes.has(quote));
    for (const one of explicit) {
      const own = recorded.filter(({ text }) => isSaidIn(text, one.quote));
      // Said twice, it is the one of that time: heed's clock and the client's are a moment apart.
      const [heard] = own.toSorted((a, b) => apart(a.time, turn.time) - apart(b.time, turn.time));
      const said = { time: heard?.time ?? turn.time, explicit: [one], written: turn.written };
      reports.push(...(await keepExplicit(place, said, { ...options, isHeard: heard !== undefined })));
    }
  }
  return reports;
}

function apart(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) || 0;
}

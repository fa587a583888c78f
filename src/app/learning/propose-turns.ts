import type { Found, ForgetWish } from "../../capture/proposals/find-proposals.ts";
import { findProposals } from "../../capture/proposals/find-proposals.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { UserTurn } from "../../capture/digest/session-digest.ts";
import { localDay } from "../../memory/calendar-day.ts";
import { findRelativeDates } from "../../curate/dates/find-relative-dates.ts";
import { putDates } from "../../curate/relative-dates-gate.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import type { Place } from "../place/place.ts";
import { confirmInPassing, correctInPassing } from "./amend-in-passing.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { enterProposal } from "./enter-proposal.ts";
import { proposeForgetting } from "./propose-forgetting.ts";

/** The inbox is offered so many new items of a session. */
export const MAX_PROPOSALS: number = 3;
/** A reason counts so much in the order of what is asked first. */
const REASON_ODDS = 3;

/** Puts what the user said in these turns and is worth keeping into the inbox, the surest first. */
export async function proposeTurns(
  place: Place,
  turns: readonly UserTurn[],
  options: ProposeOptions,
): Promise<ProposalReport[]> {
  const proposed: ProposalReport[] = [];
  const isFull = (): boolean =>
    proposed.filter(({ outcome }) => outcome === "proposed").length >= options.room;
  const found = turns.flatMap((turn) => findProposals(turn));
  const corrected = new Set<UserTurn>();
  for (const turn of turns) {
    if (isFull()) return proposed;
    const amended = await correctInPassing(place, turn, options);
    if (!amended) continue;
    corrected.add(turn);
    proposed.push(amended);
  }
  for (const one of found.sort(byWeight)) {
    if (isFull()) break;
    if (corrected.has(one.turn) || isWrittenAlready(one)) continue;
    const result = await proposeOne(place, one, options);
    if (result) proposed.push(result);
  }
  // What is right already can wait for room.
  for (const turn of turns) {
    if (isFull()) break;
    const confirmed = corrected.has(turn) ? undefined : await confirmInPassing(place, turn, options);
    if (confirmed) proposed.push(confirmed);
  }
  return proposed;
}

function byWeight(a: Found | ForgetWish, b: Found | ForgetWish): number {
  return weightOf(b) - weightOf(a);
}

function weightOf(one: Found | ForgetWish): number {
  if (one.kind === "forget" || one.isAsked) return 100;
  // Of two that say the same, the one with a reason is asked about.
  return one.logOdds + (one.hasReason ? REASON_ODDS : 0);
}

/** What the agent has written into a memory itself after the turn is not proposed again. */
function isWrittenAlready({ turn, ...one }: Found | ForgetWish): boolean {
  if (turn.written.length === 0) return false;
  // What was asked for in so many words was answered by what was written then.
  if (one.kind === "forget" || one.isAsked) return true;
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const written = new Set(words(turn.written.join("\n")));
  const said = [...new Set(words(one.draft.description))];
  return said.filter((word) => written.has(word)).length >= said.length * 0.4;
}

async function proposeOne(
  place: Place,
  one: Found | ForgetWish,
  options: ProposeOptions,
): Promise<ProposalReport | undefined> {
  if (one.kind === "forget") return proposeForgetting(place, one, options);
  const draft = withAbsoluteDates(one.draft, one.turn.time);
  const isSaved = one.isAsked && draft.type === "feedback" && place.found.capture === "save";
  return enterProposal(place, draft, {
    turn: one.turn,
    quote: one.quote,
    waitsFor: isSaved ? undefined : `you said: "${oneLine(one.quote, 100)}"`,
    isConfirmed: isSaved,
    options,
  });
}

/** "Tomorrow" is the day after that on which it was said, not after that on which it is read. */
function withAbsoluteDates(draft: MemoryDraft, time: string): MemoryDraft {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) return draft;
  const day = localDay(moment);
  // The quotation keeps the user's words.
  const dated = (text: string): string =>
    text
      .split("\n")
      .map((line) => (line.startsWith("> ") ? line : putDates(line, findRelativeDates(line, day))))
      .join("\n");
  return { ...draft, description: oneLine(dated(draft.description), 200), body: dated(draft.body) };
}

import type { ExplicitWords } from "../../capture/explicit/find-explicit.ts";
import { mayGiveReason } from "../../capture/explicit/reason-in.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import { localDay } from "../../memory/calendar-day.ts";
import { Inbox } from "../../curate/inbox.ts";
import { holdsSubstance } from "../../curate/users-words.ts";
import { textOfStatement } from "../../memory/codec/quotation.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { LIMITS } from "../../memory/limits.ts";
import { slugOf } from "../../memory/slug.ts";
import { scopeMismatch } from "../../recall/scope.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import type { ProposeOptions } from "./enter-proposal.ts";
import { enterProposal } from "./enter-proposal.ts";
import { proposeForgetting } from "./propose-forgetting.ts";
import { takeBack } from "./take-back.ts";

/** Something that the user said in so many words, with what came of it already. */
export interface SaidExplicitly {
  /** ISO time of the turn; empty when the transcript gives none. */
  time: string;
  explicit: readonly ExplicitWords[];
  /** What the agent itself wrote into a memory that is not heed's, since. */
  written: readonly string[];
}

/**
 * Keeps what the user asked for in so many words and the model has not kept: in their words, none added, no reason made
 * up. What heed heard them say is in force at once, as far as their word suffices for it: a statement about themselves is
 * asked about. What only a transcript holds waits.
 */
export async function keepExplicit(
  place: Place,
  { time, explicit, written }: SaidExplicitly,
  options: ProposeOptions & { isHeard: boolean },
): Promise<ProposalReport[]> {
  const reports: ProposalReport[] = [];
  for (const one of explicit) {
    if (one.kind === "keep") {
      if (isHeldBy(written, one.statement) || (await isKept(place, one.statement, time))) continue;
      const same = await saidAlready(place, one.statement);
      const { type, statement: description, quote } = one;
      if (same !== undefined) {
        reports.push({ outcome: "known", type, description, quote, time, detail: handleOf(same) });
        continue;
      }
      const { beside, ...report } = await keep(place, one, time, options);
      // Two sentences of one turn share its quote, and are no twins for that.
      const isOwn = reports.some(({ detail }) => detail === beside?.handle);
      reports.push({ ...report, ...(beside && !isOwn && { beside }) });
    } else {
      const wish = one.kind === "forget" ? { ...one, isOfMemory: true } : one;
      const report =
        (options.isHeard ? await takeBack(place, { ...wish, time }, options) : undefined) ??
        (one.kind === "forget" ? await proposeForgetting(place, { ...one, time }, options) : undefined);
      if (report) reports.push(report);
    }
  }
  return reports;
}

async function keep(
  place: Place,
  { type, statement, quote, reason, doubt }: Extract<ExplicitWords, { kind: "keep" }>,
  time: string,
  options: ProposeOptions & { isHeard: boolean },
): Promise<ProposalReport> {
  if (/\[redacted: [\w-]+\]/.test(statement))
    return {
      outcome: "refused",
      type,
      description: statement,
      quote,
      time,
      detail: "it holds a secret, which heed keeps nowhere: say where it is kept instead",
    };
  const said = Number.isNaN(Date.parse(time)) ? place.now() : new Date(time);
  const day = localDay(said);
  const body = textOfStatement({ text: statement, quote, reason, day });
  const isOwn = type === "user";
  const draft: MemoryDraft = {
    type,
    description: shortened(statement),
    body,
    source: "instructed",
    status: "provisional",
  };
  const asSaid = `you said: "${cutShown(quote, 100)}"`;
  const waitsFor =
    (doubt !== undefined ? `${asSaid}; ${doubt}` : isOwn || options.isHeard ? undefined : asSaid);
  const report = await enterProposal(place, draft, {
    time,
    quote,
    waitsFor,
    isConfirmed: options.isHeard && !isOwn && doubt === undefined,
    outright: options.isHeard ? "heard" : "read",
    options,
  });
  return report.outcome === "saved" && type === "feedback" && reason === undefined && !mayGiveReason(quote)
    ? { ...report, lacksReason: true }
    : report;
}

/** A statement as the line that stands for it: cut at a word where it is longer; the text holds it whole. */
function shortened(statement: string): string {
  const line = oneLine(statement, LIMITS.descriptionChars + 1);
  if (line.length <= LIMITS.descriptionChars) return line;
  return `${line.slice(0, LIMITS.descriptionChars - 1).replace(/\s+\S*$/, "")}…`;
}

/** The memory that says just this and holds here; what it has besides, a reason, is not written over. */
async function saidAlready(place: Place, statement: string): Promise<MemoryCard | undefined> {
  const title = slugOf(statement);
  const collection = await openCollection(place, { thoroughness: "full" });
  return collection
    .cards()
    .find(
      (card) =>
        slugOf(card.description) === title &&
        card.status !== "superseded" &&
        place.types.get(card.type)?.layer !== "episodic" &&
        collection.storeOf(card).isTrusted &&
        scopeMismatch(card, place.here(), collection.storeOf(card).kind, place.types.get(card.type)) ===
          undefined,
    );
}

/** So much of what the user said a memory holds that is of it; the model mostly words it anew, and quotes it. */
const KEPT_SHARE = 0.5;

function isHeldBy(texts: readonly string[], statement: string): boolean {
  return texts.some((text) => holdsSubstance(text, statement, KEPT_SHARE));
}

/** Whether the model has written or proposed a memory since the turn that holds it; of its own heed asks the gates. */
async function isKept(place: Place, statement: string, time: string): Promise<boolean> {
  const since = time.slice(0, 19);
  if (since === "") return false;
  const items = new Inbox(place.places, place.types).list();
  const waiting = items.filter(
    ({ proposal }) => proposal.by.kind !== "hook" && proposal.at.slice(0, 19) >= since,
  );
  if (
    isHeldBy(
      waiting.map(({ memory }) => `${memory.description}\n${memory.body}`),
      statement,
    )
  )
    return true;
  const collection = await openCollection(place, { thoroughness: "full" });
  for (const card of collection.cards()) {
    if ((card.updated ?? "").slice(0, 19) < since || card.origin.actor === "hook") continue;
    const read = await collection.read(card);
    if (read && isHeldBy([`${card.description}\n${read.body}`], statement)) return true;
  }
  return false;
}

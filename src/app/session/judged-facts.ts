import type { Candidate } from "../../inject/select-facts.ts";
import type { ShortlistEntry } from "../place/judge-source.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { handleOf } from "../../memory/handle.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import type { JudgeChoice } from "../place/judge-source.ts";
import { supersederOf } from "./superseded.ts";
import type { FactSituation } from "./situation.ts";
import { whyNotHere } from "./situation.ts";

/** A judge is shown so many memories at most. */
const MAX_SHORTLIST = 30;

/**
 * What is less probable than this is not shown to a judge, and a prompt with nothing more probable is not put to it.
 * Of the labelled prompts see docs/judge.md.
 */
export const SHORTLIST_FLOOR: number = 0.05;

/**
 * What a judge may choose from: what recall found probable enough, that holds here, that nothing replaces, and that
 * stands neither in full nor by its line in the session. A store that fits into the map is never put to it. Of two memories with one handle the more probable.
 */
export function shortlistOf(candidates: readonly Candidate[], situation: FactSituation): ShortlistEntry[] {
  const entries = new Map<string, ShortlistEntry>();
  for (const { card, probability } of candidates) {
    const handle = handleOf(card);
    // A name that holds a secret is told to nobody, and without it the handle would be another.
    if (probability < SHORTLIST_FLOOR || entries.has(handle) || redactSecrets(handle) !== handle) continue;
    if (isKnownHere(card, situation) || whyNotHere(card, situation) !== undefined) continue;
    if (supersederOf(card, situation) !== undefined) continue;
    entries.set(handle, { handle, description: card.description });
    if (entries.size === MAX_SHORTLIST) break;
  }
  return [...entries.values()];
}

/**
 * The candidates as a judge sees them: what it chose goes first, and may be told whole; what it was shown and left out
 * goes down one step, so that no text in a description can silence another memory altogether. What a type's policy, an
 * unapproved store, age or a budget forbid stays forbidden: that is decided afterwards.
 */
export function withChoice(
  candidates: readonly Candidate[],
  shortlist: readonly ShortlistEntry[],
  choice: JudgeChoice,
): Candidate[] {
  const left = new Set(shortlist.map(({ handle }) => handle));
  const judged = candidates.map((candidate): { candidate: Candidate; isChosen: boolean } => {
    const handle = handleOf(candidate.card);
    // Of two with one handle the judge was shown the first.
    if (!left.delete(handle)) return { candidate, isChosen: false };
    const isChosen = choice.handles.has(handle);
    return { candidate: { ...candidate, ...afterChoice(candidate, isChosen, choice.by) }, isChosen };
  });
  return [...judged.filter(({ isChosen }) => isChosen), ...judged.filter(({ isChosen }) => !isChosen)].map(
    ({ candidate }) => candidate,
  );
}

function afterChoice(
  { form, reason }: Candidate,
  isChosen: boolean,
  by: string,
): Pick<Candidate, "form" | "reason"> {
  if (isChosen) return { form: "body", reason: `chosen by the judge (${by})` };
  const lower = form === "body" ? "pointer" : "none";
  return { form: lower, reason: form === "none" ? reason : `${reason}; not chosen by the judge (${by})` };
}

/** Told whole, or by its line in the map: of that the session's own model judges better, and for nothing. */
function isKnownHere(card: MemoryCard, { session }: FactSituation): boolean {
  const told = session.context.told.get(memoryKey(card));
  return (
    told?.hash === card.contentHash &&
    (told.form === "body" || told.form === "passages" || told.form === "map")
  );
}

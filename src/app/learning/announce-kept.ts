import { oneLine } from "../../capture/text/one-line.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import type { Place } from "../place/place.ts";
import { announceLater } from "../records/announcements.ts";

/** Tells the user in a line each what came of their words, and the model what it is to do about it. */
export function announceKept(place: Place, reports: readonly ProposalReport[]): void {
  for (const report of reports) {
    const { line, forModel } = announcementOf(report);
    if (line !== "") announceLater(place.places, line, forModel);
  }
}

/** Empty: there is nothing to tell. */
function announcementOf(report: ProposalReport): { line: string; forModel?: string } {
  const { outcome, type, description, detail, lacksReason, about } = report;
  const said = oneLine(description, 120);
  if (outcome === "saved" && about === "forgotten")
    return { line: `forgotten, as you said: ${said} [${detail}]; bring it back with: heed restore` };
  if (outcome === "saved")
    return {
      line: `kept in your words (${type}): ${said} [${detail}]; say "forget that", or: heed undo`,
      ...(lacksReason === true && {
        forModel: `The user gave no reason for "${said}" [${detail}]. At a pause ask once why; if they say, memory_update {handle, reason}. Make none up, and do not ask again.`,
      }),
    };
  if (outcome === "proposed")
    return {
      line: `waits for your word (${type}): ${said} [${detail}]`,
      forModel: `"${said}" waits for the user's word as ${detail}. At a pause ask whether it is to be kept; then memory_confirm with their words, or memory_reject.`,
    };
  return outcome === "refused"
    ? {
        line: `not kept: ${said}: ${detail}`,
        forModel: `The user asked to keep "${said}", and it could not be kept as it was said: ${detail}. Settle that with the user and write it with memory_write.`,
      }
    : { line: "" };
}

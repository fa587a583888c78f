import { oneLine } from "../../capture/text/one-line.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import type { Place } from "../place/place.ts";
import { readSession, recordSession } from "../records/session-state.ts";
import { announceLater } from "../records/announcements.ts";

/** What a session notes once the model was told to ask why. */
const ASKED_WHY = "asked-why";

/**
 * Tells the user in a line each what came of their words, and the model what it is to do about it. Why something is to be
 * so is asked once in a session: whoever is asked at each second prompt stops answering.
 */
export function announceKept(place: Place, session: string, reports: readonly ProposalReport[]): void {
  let mayAskWhy = !readSession(place.places, session).noticed.has(ASKED_WHY);
  for (const given of reports) {
    const { lacksReason, ...rest } = given;
    const report: ProposalReport = { ...rest, ...(mayAskWhy && lacksReason && { lacksReason }) };
    if (report.lacksReason) {
      const time = place.now().toISOString();
      recordSession(place.places, session, [{ kind: "noticed", time, what: ASKED_WHY }]);
      mayAskWhy = false;
    }
    const { line, forModel } = announcementOf(report);
    if (line !== "") announceLater(place.places, { line, forModel, where: place.workRoot });
  }
}

/** A handle is of a memory, a bare name of what waited. */
function isMemory(detail: string): boolean {
  return detail.startsWith("heed:");
}

/** Empty: there is nothing to tell. */
function announcementOf(report: ProposalReport): { line: string; forModel?: string } {
  const { outcome, type, description, detail, lacksReason, about, beside, asks } = report;
  const said = oneLine(description, 120);
  if (outcome === "saved" && about === "forgotten")
    return {
      line: `forgotten, as you said: ${said} [${detail}]; bring it back with: ${isMemory(detail) ? "heed restore" : "heed inbox --restore"} ${plainHandle(detail)}`,
      forModel: `"${said}" [${detail}] is taken back, as the user said: it holds no longer, and nothing is to be asked about it.`,
    };
  if (outcome === "saved") {
    const todo = [
      ...(beside === undefined
        ? []
        : [
            `"${said}" [${detail}] is much like ${beside.handle}: if one of them says it all, memory_remove the other.`,
          ]),
      ...(lacksReason === true
        ? [
            `The user gave no reason for "${said}" [${detail}]. At a pause ask once why; if they say, memory_update {handle, reason}. Make none up, and do not ask again.`,
          ]
        : []),
    ].join(" ");
    const likeness = beside === undefined ? "" : `, beside ${beside.handle}, which is much like it`;
    return {
      line: `kept in your words (${type}): ${said} [${detail}]${likeness}; say "forget that", or: heed undo`,
      ...(todo !== "" && { forModel: todo }),
    };
  }
  if (outcome === "proposed" && about?.startsWith("forget ") === true)
    return {
      line: `waits for your word (${about}): ${said} [${detail}]`,
      forModel: `The user may have asked to forget "${said}": that waits as ${detail}. Ask which they meant; on a yes memory_confirm with their words, else memory_reject.`,
    };
  if (outcome === "proposed" && asks !== undefined)
    return {
      line: `waits for your word (${type}): ${said} [${detail}]: ${asks}`,
      forModel: `"${said}" waits as ${detail}: ${asks} Ask the user now; then memory_write it as they settle it, with their words, and memory_reject ${detail}.`,
    };
  if (outcome === "proposed")
    return beside?.how === "otherwise"
      ? {
          line: `waits for your word (${type}): ${said} [${detail}], as ${beside.handle} says otherwise`,
          forModel: `"${said}" waits as ${detail}, as ${beside.handle} says otherwise. Ask the user whether it replaces that now; on a yes memory_confirm with their words and memory_remove ${beside.handle}, else memory_reject.`,
        }
      : {
          line: `waits for your word (${type}): ${said} [${detail}]`,
          forModel: `"${said}" waits for the user's word as ${detail}. At a pause ask whether it is to be kept; then memory_confirm with their words, or memory_reject.`,
        };
  if (outcome === "known") return { line: `kept already: ${said} [${detail}]` };
  return {
    line: `not kept: ${said}: ${detail}`,
    forModel: `The user asked to keep "${said}", and it could not be kept as it was said: ${detail}. Settle that with the user and write it with memory_write.`,
  };
}

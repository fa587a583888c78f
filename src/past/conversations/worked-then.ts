import { join } from "node:path";
import type { Place } from "../../here/place.ts";
import { conversationsFolder, readKept, passagesOf } from "../../here/records/past-conversations.ts";
import { byNewest } from "../../memory/memory.ts";
import { triesIn, workedIn } from "../capture/track-struggles.ts";
import { doingOf, isOtherTry } from "../capture/tool-call.ts";
import { openConversations } from "./conversation-index.ts";
import { isConversationHere } from "./find-conversations.ts";

/** So many conversations are read for an answer, the newest, within milliseconds. */
const MAX_READ = 20;
const MAX_MS = 100;

interface WorkedThen {
  command: string;
  session: string;
  day: string;
}

/** What worked in this repository after tries like a command that failed now, by the records of other sessions; the newest first. */
export function workedThen(place: Place, command: string, session: string): WorkedThen[] {
  const doing = place.found.history === "off" ? "" : doingOf(command);
  const reader = doing === "" ? undefined : openConversations(place);
  const isHere = isConversationHere(place);
  const found = (reader?.memoriesNaming(`fixed ${doing}`) ?? [])
    .filter((metadata) => metadata.name !== session && isHere(metadata))
    .toSorted(byNewest);
  const files = [...new Map(found.map(({ name, file }) => [file, name]))].slice(0, MAX_READ);
  const until = performance.now() + MAX_MS;
  const worked = files.flatMap(([file, name]) => {
    const past =
      performance.now() > until ? undefined : readKept(join(conversationsFolder(place.places), file));
    return (past ? passagesOf(past.conversation) : []).toReversed().flatMap(({ kind, text, time }) => {
      const then = kind === "fixed" ? workedIn(text) : "";
      const isOfIt =
        !then.endsWith("…") &&
        isOtherTry(command, then) &&
        triesIn(text).some((tried) => isOtherTry(tried, then));
      return isOfIt ? [{ command: then, session: name, day: time.slice(0, 10) }] : [];
    });
  });
  return [...new Map(worked.toReversed().map((one) => [one.command, one])).values()].toReversed();
}

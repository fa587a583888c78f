import { followEvents } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Question } from "../api/inbox.ts";
import { stoppedCalls } from "../guards/allow-call.ts";
import type { Place } from "../place/place.ts";
import { sessionFile } from "../records/session-state.ts";
import { oneLine, openQuestions } from "../session/open-questions.ts";

/** A call that cannot be shown whole is not asked about in a dialog. */
const MAX_CALL_CHARS = 600;

/** All that the user can be asked here, the calls that guards stopped in a session included. */
export async function questionsHere(place: Place, session?: string): Promise<Question[]> {
  const stopped = session === undefined ? [] : stoppedCalls(place, session);
  return [
    ...(await openQuestions(place)),
    ...stopped.map(({ code, rule, text }): Question => ({
      code,
      kind: "allow",
      text: `Allow once, although ${oneLine(rule)} forbids it: ${oneLine(text)}`,
      choices: ["allow once", "do not allow"],
      name: rule,
      ...(session !== undefined && { session }),
      ...((text.length > MAX_CALL_CHARS || text.endsWith("…")) && { isQuiet: true }),
    })),
  ];
}

/** A dialog that a session has shown. */
export interface ShownBox {
  codes: string[];
  /** The client was not known to ask people then. */
  isTrial: boolean;
}

/** The dialogs that a session has shown. */
export function boxesOf({ places }: Place, session: string): ShownBox[] {
  return followEvents(sessionFile(places, session), FORMATS.sessions).flatMap(({ kind, codes, isTrial }) =>
    kind === "boxed" && Array.isArray(codes) ? [{ codes: codes.map(String), isTrial: isTrial === true }] : [],
  );
}

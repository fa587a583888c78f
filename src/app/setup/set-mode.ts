import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { silenceStore } from "../../store/trust/change-store-registry.ts";
import type { Mode } from "../../store/config/store-config.ts";
import { MODES } from "../../store/config/store-config.ts";
import { recordSession } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";
import { requirePerson } from "./require-person.ts";
import { changeSetting } from "./change-setting.ts";

/**
 * Sets the mode for the user, for the project at hand, or for one session. Rejects with `invalid-input` for a mode or
 * session that is none, `no-store` where the project has no store, `broken-file` for a configuration that cannot be
 * read, `io-failed` when nothing can be written.
 */
export async function setMode(
  place: Place,
  mode: Mode,
  where: "user" | "project" | { session: string },
  actor?: Actor,
): Promise<void> {
  if (!MODES.includes(mode)) {
    throw invalid("mode", mode, `mode ${JSON.stringify(mode)} is none: use one of ${MODES.join(", ")}`);
  }
  if (mode === "off" && actor !== undefined)
    requirePerson(actor, "mode off takes every rule and guard out of force", "the user runs heed mode off");
  if (typeof where === "string") {
    const store = await changeSetting(place, "mode", mode, where, actor);
    if (store.kind === "project") await silenceStore(place.places, store.root, mode === "off");
    place.lookAgain();
    return;
  }
  if (where.session.trim() === "") {
    throw invalid("session", where.session, "the session has no id: give the one that the client names");
  }
  try {
    recordSession(place.places, where.session, [{ kind: "mode", time: place.now().toISOString(), mode }]);
  } catch (error) {
    const { state } = place.places;
    throw new HeedError(
      "io-failed",
      `the mode could not be written to ${state}: make it writable, or set HEED_MODE`,
      { file: state, operation: "write" },
      { cause: error },
    );
  }
}

function invalid(argument: string, value: unknown, message: string): HeedError {
  return new HeedError("invalid-input", message, { argument, value });
}

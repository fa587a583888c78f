import type { Mode } from "../../store/config/store-config.ts";
import { MODES } from "../../store/config/store-config.ts";
import type { Place } from "./place.ts";

/** The mode that holds for sessions without one of their own: `HEED_MODE`, else what the stores' configurations say. */
export function modeHere(place: Place): Mode {
  return modeOfEnvironment(place) ?? place.found.mode;
}

/** What is wrong with `HEED_MODE`, in words; undefined when nothing is. */
export function modeTrouble(place: Place): string | undefined {
  const named = place.env["HEED_MODE"];
  if (!named || modeOfEnvironment(place) !== undefined) return undefined;
  return `HEED_MODE is ${JSON.stringify(named.slice(0, 40))}, which does not count: use one of ${MODES.join(", ")}`;
}

function modeOfEnvironment({ env }: Place): Mode | undefined {
  const named = env["HEED_MODE"]?.toLowerCase();
  return MODES.find((mode) => mode === named);
}

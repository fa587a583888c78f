import type { Mode } from "../../store/config/store-config.ts";
import { MODES } from "../../store/config/store-config.ts";
import type { Workspace } from "./place.ts";

/** The mode that holds for sessions without one of their own: `HEED_MODE`, else what the stores' configurations say. */
export function modeHere(workspace: Workspace): Mode {
  return modeOfEnvironment(workspace) ?? workspace.find().mode;
}

/** What is wrong with `HEED_MODE`, in words; undefined when nothing is. */
export function modeTrouble(workspace: Workspace): string | undefined {
  const named = workspace.env["HEED_MODE"];
  if (!named || modeOfEnvironment(workspace) !== undefined) return undefined;
  return `HEED_MODE is ${JSON.stringify(named.slice(0, 40))}, which does not count: use one of ${MODES.join(", ")}`;
}

function modeOfEnvironment({ env }: Workspace): Mode | undefined {
  const named = env["HEED_MODE"]?.toLowerCase();
  return MODES.find((mode) => mode === named);
}

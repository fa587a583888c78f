import type { GatePass } from "./gate-pass.ts";

/** The proof for a draft that passed. For `askGates` alone: `npm run check` fails on any other importer. */
export function passOf(draft: { description: string; body: string }, isWholeText: boolean): GatePass {
  return { description: draft.description.trim(), body: draft.body.trim(), isWholeText } as GatePass;
}

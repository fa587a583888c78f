import { OPENING_MS, recheckMs } from "./prompt-verdicts.ts";
import type { Situation } from "./situation.ts";

/**
 * Looks over the claims of all memories when a session begins, so that its prompts find what became of broken ones: they
 * never wait for git. Costs little where nothing changed since the last look; what takes longer is left.
 */
export async function lookOverClaims({ collection, place }: Situation): Promise<void> {
  if (collection.cardsWith("claims").length === 0) return;
  const { refreshVerdicts } = await import("../claims/refresh-verdicts.ts");
  await refreshVerdicts(place, recheckMs(place, OPENING_MS), false);
}

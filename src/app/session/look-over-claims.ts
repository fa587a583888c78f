import type { Situation } from "./situation.ts";

/** A session may wait so long for its claims to be looked over, in milliseconds. */
const MAX_WAIT_MS = 250;

/**
 * Looks over the claims of all memories when a session begins, so that its prompts find what became of broken ones: they
 * never wait for git. Costs little where nothing changed since the last look; what takes longer is left.
 */
export async function lookOverClaims({ collection, place }: Situation): Promise<void> {
  if (collection.cardsWith("claims").length === 0) return;
  const { refreshVerdicts } = await import("../claims/refresh-verdicts.ts");
  await refreshVerdicts(place, MAX_WAIT_MS, false);
}

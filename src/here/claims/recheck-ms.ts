import type { Place } from "../place.ts";

/** How long looking at a work tree and asking git may hold up an answer, in milliseconds: `HEED_RECHECK_MS` in place of the default. */
export function recheckMs({ env }: Place, defaultMs: number): number {
  const given = Number(env["HEED_RECHECK_MS"] ?? defaultMs);
  return given >= 0 ? given : defaultMs;
}

import { BACKGROUND_BANDS } from "./background-terms.ts";

/** The share of a term that is in no band: about one prompt in a thousand, as rare as the bands can tell. */
export const UNSEEN_SHARE = 0.001;

let shares: Map<string, number> | undefined;

/** The share, 0 to 1, of prompts to coding agents that hold a term. */
export function backgroundShare(term: string): number {
  shares ??= new Map(
    BACKGROUND_BANDS.flatMap(([share, terms]) => terms.split(" ").map((known) => [known, share] as const)),
  );
  return shares.get(term) ?? UNSEEN_SHARE;
}

/** How much a term says about what a text is about, before any store is looked at: the surprise -ln(share), in nats. */
export function surpriseOf(term: string): number {
  return -Math.log(backgroundShare(term));
}

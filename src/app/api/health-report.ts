import type { Remedy } from "./remedy.ts";

/** One thing that health found, with what mends it. */
export interface HealthFinding {
  /** The memory, tag or store that it is about. */
  subject: string;
  words: string;
  /** One of these, the likeliest first. */
  remedies: Remedy[];
}

export type HealthKind =
  | "violated"
  | "stale"
  | "verification-debt"
  | "claim-debt"
  | "commit-drift"
  | "dead-weight"
  | "never-surfaced"
  | "heavily-used"
  | "tag-typos"
  | "guards-wrong"
  | "guards-idle"
  | "descriptions"
  | "rule-budget"
  | "expired"
  | "tombstones"
  | "stores";

/** One kind of finding. */
export interface HealthSection {
  kind: HealthKind;
  title: string;
  findings: HealthFinding[];
  /** Nothing is said, and why: what it would rest on is missing. */
  withheld?: string;
  /** The section could not be made; the others could. */
  failed?: string;
}

export interface HealthReport {
  total: number;
  byType: Record<string, number>;
  byScope: Record<string, number>;
  byTag: Record<string, number>;
  byStanding: Record<string, number>;
  sections: HealthSection[];
  /** What is said of use rests on this: since when, how many sessions' injections, how many reports. */
  telemetry: { since?: string; receipts: number; uses: number };
}

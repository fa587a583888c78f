import {
  alarmPart,
  countsPart,
  unapprovedPart,
  waitingPart,
  writeGuidePart,
  writerPart,
} from "./line-parts.ts";
import { mapPart } from "./map-part.ts";
import type { OpeningPart } from "./opening-part.ts";
import { rulesPart } from "./rules-part.ts";
import { unfinishedPart } from "./unfinished-part.ts";

/** What a fresh context holds, in this order. A part is one file beside this one, or a part of `line-parts.ts` where it is but a few lines, and one line here. */
export const OPENING_PARTS: readonly OpeningPart[] = [
  alarmPart,
  rulesPart,
  mapPart,
  writeGuidePart,
  waitingPart,
  unfinishedPart,
  countsPart,
  writerPart,
  unapprovedPart,
];

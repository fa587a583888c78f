import { alarmPart } from "./alarm-part.ts";
import { countsPart } from "./counts-part.ts";
import { mapPart } from "./map-part.ts";
import type { OpeningPart } from "./opening-part.ts";
import { rulesPart } from "./rules-part.ts";
import { unapprovedPart } from "./unapproved-part.ts";
import { unfinishedPart } from "./unfinished-part.ts";
import { waitingPart } from "./waiting-part.ts";
import { writeGuidePart } from "./write-guide-part.ts";
import { writerPart } from "./writer-part.ts";

/** What a fresh context holds, in this order. A part is one file beside this one and one line here. */
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

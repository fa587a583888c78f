/** Segments of one size class that are merged when there are as many. */
const FANOUT = 4;
/** Upper bound of live documents in the smallest size class; each class is four times the one below. */
const SMALLEST_CLASS = 64;

/** What the policy looks at. */
export interface SegmentSize {
  liveCount: number;
  documentCount: number;
}

const classOf = (liveCount: number): number =>
  Math.max(0, Math.ceil(Math.log(liveCount / SMALLEST_CLASS) / Math.log(FANOUT)));

/**
 * Which segments to merge into one after an update; empty: none. Size-tiered, so that a document is rewritten a
 * logarithmic number of times: when four segments are no larger than a class, these are merged. A segment more than
 * half of whose documents were removed is rewritten alone.
 */
export function segmentsToMerge<T extends SegmentSize>(segments: readonly T[], maxDocuments: number): T[] {
  const classes = [...new Set(segments.map((segment) => classOf(segment.liveCount)))].sort((a, b) => a - b);
  for (const limit of classes) {
    const small = segments.filter((segment) => classOf(segment.liveCount) <= limit);
    const total = small.reduce((count, segment) => count + segment.liveCount, 0);
    if (small.length >= FANOUT && total <= maxDocuments) return small;
  }
  const hollow = segments.find((segment) => segment.liveCount * 2 < segment.documentCount);
  return hollow === undefined ? [] : [hollow];
}

import type { IndexDocument } from "./document/index-document.ts";
import { IndexReader } from "./index-reader.ts";
import { bufferSource } from "./segment/bytes.ts";
import { Segment } from "./segment/segment.ts";
import { SegmentBuilder } from "./segment/segment-builder.ts";

/** Builds an index in memory, read by the same code as one on disk. */
export function memoryIndex(documents: Iterable<IndexDocument>): IndexReader {
  return new IndexReader([...buildSegments(documents)].map((segment) => new Segment(bufferSource(segment))));
}

/** The bytes of one segment after the other, at most 65,536 documents each. */
export function* buildSegments(documents: Iterable<IndexDocument>): Generator<Buffer> {
  let builder = new SegmentBuilder();
  for (const document of documents) {
    builder.add(document);
    if (!builder.isFull) continue;
    yield builder.finish();
    builder = new SegmentBuilder();
  }
  if (builder.documentCount > 0) yield builder.finish();
}

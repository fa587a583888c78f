import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic, uniqueName } from "../../machine/atomic-file.ts";
import { documentKeyOf, type IndexDocument, SPECIAL } from "./document/index-document.ts";
import type { Manifest, ManifestSegment, Generation } from "./index-reader.ts";
import { encodeManifest, MANIFEST_FILE, readManifest, openGeneration, IndexReader } from "./index-reader.ts";
import { bufferSource, unlessDamaged } from "./segment/bytes.ts";
import { mergeSegments, SegmentBuilder } from "./segment/segment-builder.ts";
import { Segment } from "./segment/segment.ts";
import { MAX_SEGMENT_DOCUMENTS } from "./segment/segment-format.ts";

/** Files that no generation names are removed after this time; a younger one may belong to a writer at work. */
const ORPHAN_AGE_MS = 600_000;
const ATTEMPTS = 5;

/** Not waited for: what a crash of the machine takes is damage that its checksums tell, and is built again. */
const DERIVED = { mode: 0o600, isDurable: false };

/** Builds the whole index; the first of a repeated key counts. @returns the name of the generation. */
export function writeIndex(directory: string, documents: Iterable<IndexDocument>): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const segments: ManifestSegment[] = [];
  for (const bytes of buildSegments(distinct(documents))) segments.push(storeSegment(directory, bytes));
  return publish(directory, segments);
}

/**
 * Adds a delta segment and merges small ones; the last concurrent publisher wins, the next refresh sees the rest.
 *
 * @param removals - The keys to remove, asked for once the documents were added.
 * @param maxMerged - Segments of more documents, in all, are left unmerged.
 * @returns the generation; undefined without a readable index.
 */
export function updateIndex(
  directory: string,
  documents: Iterable<IndexDocument>,
  removals: (added: ReadonlySet<string>) => readonly string[],
  maxMerged: number = MAX_SEGMENT_DOCUMENTS,
): string | undefined {
  const added = new Set<string>();
  const deltas = [...buildSegments(distinct(documents, added))];
  const keys = [...new Set([...removals(added), ...added])];
  return replaceGeneration(directory, (generation) => {
    const layout = [...withRemoved(generation, keys), ...deltas.map(unstored)];
    for (;;) {
      const chosen = segmentsToMerge(
        layout.map((item) => item.segment),
        maxMerged,
      );
      if (chosen.length === 0) return layout;
      const rest = layout.filter((item) => !chosen.includes(item.segment));
      layout.splice(0, layout.length, ...rest, unstored(mergeSegments(chosen)));
    }
  });
}

interface LayoutItem {
  segment: Segment;
  stored: ManifestSegment | Buffer;
}

const unstored = (bytes: Buffer): LayoutItem => ({
  segment: new Segment(bufferSource(bytes)),
  stored: bytes,
});

function withRemoved({ manifest, segments }: Generation, keys: readonly string[]): LayoutItem[] {
  return segments.map((segment, place) => {
    const stored = manifest.segments[place] as ManifestSegment;
    const removed = keys.flatMap((key) => segment.liveDocumentsOf(SPECIAL.key + key.toWellFormed()));
    if (removed.length === 0) return { segment, stored };
    const dead = [...stored.dead, ...removed].sort((left, right) => left - right);
    return { segment: segment.withDead(dead), stored: { ...stored, dead } };
  });
}

/** Publishes what `change` makes of the current generation, again from the start when another process was faster. */
function replaceGeneration(
  directory: string,
  change: (generation: Generation) => LayoutItem[],
): string | undefined {
  for (let attempt = 1; ; attempt++) {
    const opened = openGeneration(directory);
    if (opened === undefined) return undefined;
    try {
      const layout = unlessDamaged(() => change(opened).filter((item) => item.segment.liveCount > 0));
      if (layout === undefined) return undefined;
      const segments = layout.map(({ stored }) =>
        Buffer.isBuffer(stored) ? storeSegment(directory, stored) : stored,
      );
      if (attempt < ATTEMPTS && currentManifest(directory)?.generation !== opened.manifest.generation)
        continue;
      return publish(directory, segments);
    } finally {
      for (const segment of opened.segments) segment.close();
    }
  }
}

function* distinct(
  documents: Iterable<IndexDocument>,
  keys: Set<string> = new Set(),
): Generator<IndexDocument> {
  for (const document of documents) {
    const key = documentKeyOf(document.metadata);
    if (keys.has(key)) continue;
    keys.add(key);
    yield document;
  }
}

function storeSegment(directory: string, bytes: Buffer): ManifestSegment {
  const { header } = new Segment(bufferSource(bytes));
  const file = `${uniqueName()}.segment`;
  writeFileAtomic(join(directory, file), bytes, DERIVED);
  return { file, checksum: header.checksum, documents: header.documentCount, dead: [] };
}

function currentManifest(directory: string): Manifest | undefined {
  return unlessDamaged(() => readManifest(directory));
}

function publish(directory: string, segments: readonly ManifestSegment[]): string {
  const before = currentManifest(directory);
  const manifest: Manifest = {
    generation: uniqueName(),
    segments,
    previous: before?.segments.map((segment) => segment.file) ?? [],
  };
  writeFileAtomic(join(directory, MANIFEST_FILE), encodeManifest(manifest), DERIVED);
  const needed = new Set([...segments.map((segment) => segment.file), ...manifest.previous, MANIFEST_FILE]);
  removeUnneeded(directory, needed, new Set(before?.previous));
  return manifest.generation;
}

/** Removes files of the generation before the last, and orphans of writers that died. Failures wait for the next time. */
function removeUnneeded(directory: string, needed: ReadonlySet<string>, retired: ReadonlySet<string>): void {
  for (const file of readdirSync(directory)) {
    if (needed.has(file) || !/\.(?:segment|tmp)$/.test(file)) continue;
    const path = join(directory, file);
    try {
      if (retired.has(file) || Date.now() - statSync(path).mtimeMs > ORPHAN_AGE_MS)
        rmSync(path, { force: true });
    } catch {
      // Open on Windows, or removed by another writer.
    }
  }
}

const FANOUT = 4;
/** Upper bound of live documents in the smallest size class; each class is four times the one below. */
const SMALLEST_CLASS = 64;

interface SegmentSize {
  liveCount: number;
  documentCount: number;
}

const classOf = (liveCount: number): number =>
  Math.max(0, Math.ceil(Math.log(liveCount / SMALLEST_CLASS) / Math.log(FANOUT)));

/** Size-tiered: four segments of a class are merged; one that is over half removed is rewritten alone. */
function segmentsToMerge<T extends SegmentSize>(segments: readonly T[], maxDocuments: number): T[] {
  const classes = [...new Set(segments.map((segment) => classOf(segment.liveCount)))].sort((a, b) => a - b);
  for (const limit of classes) {
    const alike = segments.filter((segment) => classOf(segment.liveCount) === limit);
    const total = alike.reduce((count, segment) => count + segment.liveCount, 0);
    if (alike.length >= FANOUT && total <= maxDocuments) return alike;
  }
  const hollow = segments.find(
    ({ liveCount, documentCount }) => liveCount * 2 < documentCount && liveCount <= maxDocuments,
  );
  return hollow === undefined ? [] : [hollow];
}

export function memoryIndex(documents: Iterable<IndexDocument>): IndexReader {
  return new IndexReader([...buildSegments(documents)].map((segment) => new Segment(bufferSource(segment))));
}

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

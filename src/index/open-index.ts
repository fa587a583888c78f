import { join } from "node:path";
import { IndexReader } from "./index-reader.ts";
import { type Manifest, readManifest, type ManifestSegment } from "./manifest.ts";
import { fileSource } from "./segment/byte-source.ts";
import { IndexDamage, isIndexDamage } from "./segment/index-damage.ts";
import { Segment } from "./segment/segment.ts";

/** A writer may drop a segment between the reading of the manifest and the opening of its files: then read again. */
const ATTEMPTS = 3;

/** A manifest and the segments that it names, in its order. */
export interface Generation {
  manifest: Manifest;
  segments: readonly Segment[];
}

/**
 * Opens the index of a store for reading, without a lock. Undefined when it is missing, of an older version, cut or
 * damaged in what every read needs; damage elsewhere is found when it is read: see IndexReader.whenDamaged.
 */
export function openIndex(directory: string, whenDamaged?: () => void): IndexReader | undefined {
  const opened = openGeneration(directory);
  return opened && new IndexReader(opened.segments, opened.manifest.generation, whenDamaged);
}

/** What {@link openIndex} opens, for a writer. */
export function openGeneration(directory: string): Generation | undefined {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const segments: Segment[] = [];
    try {
      const manifest = readManifest(directory);
      for (const entry of manifest.segments) segments.push(openSegment(directory, entry));
      return { manifest, segments };
    } catch (error) {
      for (const segment of segments) segment.close();
      if (!isIndexDamage(error)) throw error;
    }
  }
  return undefined;
}

function openSegment(directory: string, entry: ManifestSegment): Segment {
  const source = fileSource(join(directory, entry.file));
  try {
    const segment = new Segment(source, entry.dead);
    if (segment.header.checksum !== entry.checksum) throw new IndexDamage("another segment of the same name");
    return segment;
  } catch (error) {
    source.close();
    throw error;
  }
}

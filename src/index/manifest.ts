import { join } from "node:path";
import { ByteReader } from "./segment/byte-reader.ts";
import { ByteWriter } from "./segment/byte-writer.ts";
import { checksumOf } from "./segment/checksum.ts";
import { IndexDamage, isIndexDamage } from "./segment/index-damage.ts";
import { INDEX_VERSION } from "./segment/segment-format.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../platform/regular-file.ts";
import { IndexReader } from "./index-reader.ts";
import { fileSource } from "./segment/byte-source.ts";
import { Segment } from "./segment/segment.ts";

/** Name of the file that names the live segments; it is replaced whole, so a reader sees one generation or the next. */
export const MANIFEST_FILE = "manifest";

/** One segment of a generation. */
export interface ManifestSegment {
  file: string;
  /** Checksum of the segment's header: the file must be the one that was meant. */
  checksum: number;
  documents: number;
  /** Numbers of the removed documents, ascending. */
  dead: readonly number[];
}

/** One generation of an index. */
export interface Manifest {
  generation: number;
  segments: readonly ManifestSegment[];
  /** Files of the generation before: kept on disk for readers that are still opening them. */
  previous: readonly string[];
}

/** The manifest's text: checksum of the rest, a space, JSON. Removed documents are varint deltas in base64. */
export function encodeManifest(manifest: Manifest): string {
  const segments = manifest.segments.map(({ dead, ...segment }) => ({
    ...segment,
    dead: encodeNumbers(dead),
  }));
  const json = JSON.stringify({ ...manifest, version: INDEX_VERSION, segments });
  return `${checksumOf(Buffer.from(json)).toString(16).padStart(8, "0")} ${json}\n`;
}

/** Throws IndexDamage when the text is not a manifest of this version. */
function decodeManifest(text: string): Manifest {
  const json = text.slice(9, -1);
  const checksum = checksumOf(Buffer.from(json)).toString(16).padStart(8, "0");
  if (text !== `${checksum} ${json}\n`) throw new IndexDamage("the manifest is damaged");
  const { version, generation, segments, previous } = JSON.parse(json) as {
    version: number;
    generation: number;
    segments: (Omit<ManifestSegment, "dead"> & { dead: string })[];
    previous: string[];
  };
  if (version !== INDEX_VERSION) throw new IndexDamage("an index of another version");
  return {
    generation,
    previous,
    segments: segments.map((segment) => ({ ...segment, dead: decodeNumbers(segment.dead) })),
  };
}

/** Throws IndexDamage, or the file system's error when there is none. */
export function readManifest(directory: string): Manifest {
  return decodeManifest(readRegularFile(join(directory, MANIFEST_FILE), { maxBytes: MAX_OWN_FILE_BYTES }));
}

function encodeNumbers(numbers: readonly number[]): string {
  const writer = new ByteWriter(64);
  let previous = -1;
  for (const number of numbers) {
    writer.varint(number - previous - 1);
    previous = number;
  }
  return writer.view().toString("base64");
}

function decodeNumbers(text: string): number[] {
  const reader = new ByteReader(Buffer.from(text, "base64"));
  const numbers: number[] = [];
  let previous = -1;
  while (reader.at < reader.end) {
    previous += reader.varint() + 1;
    numbers.push(previous);
  }
  return numbers;
}

/** A writer may drop a segment between the reading of the manifest and the opening of its files: then read again. */
const ATTEMPTS = 3;

/** A manifest and the segments that it names, in its order. */
export interface Generation {
  manifest: Manifest;
  segments: readonly Segment[];
}

/**
 * Opens the index of a store without a lock. Undefined when it is missing, of another version or damaged;
 * damage elsewhere is found when read (IndexReader.whenDamaged).
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

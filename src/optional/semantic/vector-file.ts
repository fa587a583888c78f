import { checksumOf } from "../../index/segment/checksum.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { VectorTable } from "./vector-table.ts";
import { readRegularBytes } from "../../platform/regular-file.ts";

/**
 * Layout, little-endian: 8 bytes `HEEDVEC1`, 16 bytes model (ASCII), u32 dimensions, u32 rows, u32 checksum of all
 * that follows; then for each row 8 bytes content hash and one byte a component.
 */
const MAGIC = "HEEDVEC1";
const HEADER_BYTES = 36;
const KEY_BYTES = 8;
/** 200,000 memories with 384 dimensions take 78 MB; anything larger is not ours. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_DIMENSIONS = 4096;

/**
 * Reads the vectors that a model made, or any. Never throws: without a file, with one of another model, or with a damaged
 * one the answer is undefined, and the vectors are made anew.
 */
export function readVectorFile(file: string, model?: string): VectorTable | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(file, { maxBytes: MAX_FILE_BYTES });
  } catch {
    return undefined;
  }
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 8) !== MAGIC) return undefined;
  if (model !== undefined && bytes.toString("latin1", 8, 24) !== modelField(model)) return undefined;
  const dimensions = bytes.readUInt32LE(24);
  const rows = bytes.readUInt32LE(28);
  const width = KEY_BYTES + dimensions;
  if (dimensions === 0 || dimensions > MAX_DIMENSIONS || bytes.length !== HEADER_BYTES + rows * width)
    return undefined;
  if (checksumOf(bytes, HEADER_BYTES) !== bytes.readUInt32LE(32)) return undefined;
  const table = new VectorTable(dimensions);
  for (let row = 0; row < rows; row++) {
    const at = HEADER_BYTES + row * width;
    const start = at + KEY_BYTES;
    table.add(
      bytes.toString("hex", at, start),
      new Int8Array(bytes.buffer, bytes.byteOffset + start, dimensions),
    );
  }
  return table;
}

/**
 * Writes the vectors in one step; only those whose content hash is wanted.
 *
 * @throws HeedError `io-failed`.
 */
export function writeVectorFile(
  file: string,
  model: string,
  table: VectorTable,
  isWanted: (key: string) => boolean,
): void {
  const keys = [...table.keys()].filter(isWanted);
  const width = KEY_BYTES + table.dimensions;
  const bytes = Buffer.alloc(HEADER_BYTES + keys.length * width);
  bytes.write(MAGIC + modelField(model), 0, "latin1");
  bytes.writeUInt32LE(table.dimensions, 24);
  bytes.writeUInt32LE(keys.length, 28);
  for (const [row, key] of keys.entries()) {
    const at = HEADER_BYTES + row * width;
    bytes.write(key, at, "hex");
    bytes.set(table.vectorOf(key) ?? [], at + KEY_BYTES);
  }
  bytes.writeUInt32LE(checksumOf(bytes, HEADER_BYTES), 32);
  writeFileAtomic(file, bytes, { mode: 0o600, isDurable: false });
}

function modelField(model: string): string {
  return model.slice(0, 16).padEnd(16);
}

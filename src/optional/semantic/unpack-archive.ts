import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, rmSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";

const BLOCK = 512;
/** A verified archive unpacks to 290 MB; a bomb does not get further than this. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** A file that was taken out of an archive. */
export interface UnpackedFile {
  /** Relative to the target directory, with forward slashes. */
  file: string;
  bytes: number;
  sha256: string;
}

/**
 * Takes single files out of a gzipped tar archive. Where a file goes is decided by `place`; no name of the archive
 * becomes a path, and links, devices and directories are passed over. A few dozen lines read what npm packs (ustar),
 * so that the one place where an archive is opened has nothing in it that could write elsewhere. Throws what the file
 * system and zlib throw, and when the archive is cut off or too large.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  place: (entry: string) => string | undefined,
): Promise<UnpackedFile[]> {
  const unpacked: UnpackedFile[] = [];
  const reader = new BlockReader(createReadStream(archive).pipe(createGunzip()));
  let total = 0;
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === undefined || header.every((byte) => byte === 0)) return unpacked;
    const { name, bytes, isFile } = readHeader(header);
    total += bytes;
    if (!(bytes >= 0) || total > MAX_UNPACKED_BYTES)
      throw new Error(`the archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    const file = isFile ? place(name) : undefined;
    if (file === undefined) await reader.each(bytes, () => Promise.resolve());
    else unpacked.push({ file, bytes, sha256: await writeEntry(join(directory, file), bytes, reader) });
    await reader.each((BLOCK - (bytes % BLOCK)) % BLOCK, () => Promise.resolve());
  }
}

async function writeEntry(path: string, bytes: number, reader: BlockReader): Promise<string> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const hash = createHash("sha256");
  // "wx": a link that somebody placed there in the meantime is not followed.
  const handle: FileHandle = await open(path, "wx", 0o600);
  try {
    await reader.each(bytes, async (chunk) => {
      hash.update(chunk);
      await handle.write(chunk);
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

/** The fields of a ustar header that matter here. */
function readHeader(header: Buffer): { name: string; bytes: number; isFile: boolean } {
  const text = (start: number, length: number): string =>
    header.toString("utf8", start, start + length).replace(/\0.*$/s, "");
  const isUstar = text(257, 5) === "ustar";
  const prefix = isUstar ? text(345, 155) : "";
  const kind = text(156, 1);
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    bytes: Number.parseInt(text(124, 12).trim() || "0", 8),
    isFile: kind === "0" || kind === "",
  };
}

/** Reads a stream in pieces of a wanted size, holding no more than what came last. */
class BlockReader {
  readonly #chunks: AsyncIterator<unknown>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<unknown>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes, or undefined at the end of the stream. */
  async take(bytes: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    if (this.#rest.length === 0 && !(await this.#more())) return undefined;
    await this.each(bytes, (chunk) => {
      parts.push(chunk);
      return Promise.resolve();
    });
    return Buffer.concat(parts);
  }

  /** Hands on so many bytes as they come. */
  async each(bytes: number, use: (chunk: Buffer) => Promise<void>): Promise<void> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error("the archive is cut off");
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      await use(chunk);
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#rest = value as Buffer;
    return true;
  }
}

import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { MAX_OWN_FILE_BYTES, readRegularBytes, readRegularFile } from "../../machine/regular-file.ts";
import type { FilePlan, Piece } from "./entry/client.ts";

interface FileRecord {
  /** Clients for which it was written; the last one to go takes heed out. */
  clients: string[];
  scope: "user" | "project";
  root: string;
  /** SHA-256 of what heed left: as long as the file is that, it is given back as it was. */
  written: string;
  /** Where the file's bytes of before lie, below `originals`; null when there was no file. */
  original: string | null;
  /** Folders that heed made for it, outermost first. */
  folders: string[];
  /** The client's rules that heed wrote into it; those of another version, or for other folders, are known by it. */
  rules?: readonly Piece[];
}

/** The digest by which a file is known again. */
export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The record of clients' files in heed's state directory: what was there before, byte for byte. One file a machine; it
 * is written again by whichever `heed init` or `heed uninit` comes last.
 */
export class ConnectionRecord {
  readonly #folder: string;
  readonly #files: Map<string, FileRecord>;

  constructor(stateDirectory: string) {
    this.#folder = join(stateDirectory, "clients");
    this.#files = new Map(Object.entries(this.#read()));
  }

  get files(): ReadonlyMap<string, FileRecord> {
    return this.#files;
  }

  /** The bytes of a file before heed came; null when there was none, undefined when they are not known. */
  originalOf(file: string): Buffer | null | undefined {
    const record = this.#files.get(file);
    if (record === undefined) return undefined;
    if (record.original === null) return null;
    try {
      return readRegularBytes(join(this.#folder, "originals", record.original), {
        maxBytes: MAX_OWN_FILE_BYTES,
      });
    } catch {
      return undefined;
    }
  }

  /** A plan as it was carried out: with the rules that heed did write. A file that it never wrote has none of its rules. */
  carriedOut(plan: FilePlan): FilePlan {
    const known = this.#files.get(plan.file);
    return { ...plan, rules: known === undefined ? [] : (known.rules ?? plan.rules ?? []) };
  }

  /** Keeps the bytes of a file, before it is written. */
  keepOriginal(file: string, bytes: Buffer | null): string | null {
    if (bytes === null) return null;
    const name = digestOf(Buffer.from(file)).slice(0, 32);
    const folder = join(this.#folder, "originals");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#replace(join(folder, name), bytes);
    return name;
  }

  /** Keeps a file that heed wrote and somebody changed since, before it is removed; gives back where. */
  keepRemoved(file: string, bytes: Buffer): string {
    const folder = join(this.#folder, "removed");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, `${digestOf(bytes).slice(0, 8)}-${basename(file)}`);
    this.#replace(copy, bytes);
    return copy;
  }

  set(file: string, record: FileRecord): void {
    this.#files.set(file, record);
    this.#write();
  }

  /** Folders that are not empty yet go with another of the files below them. */
  handOn(folders: readonly string[]): void {
    for (const folder of folders.toReversed()) {
      const [heir] = [...this.#files].filter(([file]) => file.startsWith(folder + sep));
      if (heir) this.set(heir[0], { ...heir[1], folders: [folder, ...heir[1].folders] });
    }
  }

  delete(file: string): void {
    const original = this.#files.get(file)?.original;
    if (!this.#files.delete(file)) return;
    this.#write();
    if (original) rmSync(join(this.#folder, "originals", original), { force: true });
  }

  #read(): Record<string, FileRecord> {
    try {
      const text = readRegularFile(join(this.#folder, "clients.json"), { maxBytes: MAX_OWN_FILE_BYTES });
      return (JSON.parse(text) as { files?: Record<string, FileRecord> }).files ?? {};
    } catch {
      return {};
    }
  }

  #write(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ format: 1, files: Object.fromEntries(this.#files) }, null, 2);
    this.#replace(join(this.#folder, "clients.json"), Buffer.from(`${text}\n`));
    // What heed itself changed is no news at the next start.
    this.#replace(join(this.#folder, "..", "above.json"), Buffer.from('{"version":1}\n'));
  }

  #replace(file: string, bytes: Buffer): void {
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, bytes, { mode: 0o600, flush: true });
    renameSync(aside, file);
  }
}

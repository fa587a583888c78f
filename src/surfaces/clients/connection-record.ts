import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { MAX_OWN_FILE_BYTES, readRegularBytes, readRegularFile } from "../../machine/regular-file.ts";
import type { FilePlan, Piece } from "./entry/client.ts";

interface FileRecord {
  /** Clients for which it was written; the last one to go takes heed out. */
  clients: string[];
  scope: "user" | "project";
  root: string;
  /** SHA-256 of what heed left; empty once others wrote the file too. */
  written: string;
  /** File of the bytes before heed's first change, below `originals`; null: there was no file. */
  original: string | null;
  folders: string[];
  /** The client's rules that heed wrote into it, perhaps of another version or for other folders. */
  rules?: readonly Piece[] | undefined;
}

export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** heed's record of the client files that it changed, with their originals. One file a machine, in the state directory. */
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

  /** A plan with the rules that heed did write: none in a file that it never wrote. */
  carriedOut(plan: FilePlan): FilePlan {
    const known = this.#files.get(plan.file);
    return { ...plan, rules: known === undefined ? [] : (known.rules ?? plan.rules ?? []) };
  }

  /** Keeps the bytes of a file, before it is written. */
  keepOriginal(file: string, bytes: Buffer | null): string | null {
    if (bytes === null) return null;
    const name = digestOf(Buffer.from(file)).slice(0, 32);
    this.#replace(join("originals", name), bytes);
    return name;
  }

  /** Keeps a file that heed wrote and somebody changed since; returns the copy's path. */
  keepRemoved(file: string, bytes: Buffer): string {
    return this.#replace(join("removed", `${digestOf(bytes).slice(0, 8)}-${basename(file)}`), bytes);
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
    const text = JSON.stringify({ format: 1, files: Object.fromEntries(this.#files) }, null, 2);
    this.#replace("clients.json", `${text}\n`);
    // What heed itself changed is no news at the next start.
    this.#replace(join("..", "above.json"), '{"version":1}\n');
  }

  #replace(name: string, content: string | Buffer): string {
    const file = join(this.#folder, name);
    writeFileAtomic(file, content, { mode: 0o600 });
    return file;
  }
}

import { join } from "node:path";
import { writeFileAtomic } from "../../machine/atomic-file.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../machine/regular-file.ts";
import type { Piece } from "./entry/client.ts";

interface FileRecord {
  /** Clients for which it was written; the last one to go takes heed out. */
  clients: string[];
  scope: "user" | "project";
  root: string;
  /** There was no file before heed. */
  isMade?: boolean;
  /** The client's rules that heed added, perhaps of another version or for other folders. */
  rules?: readonly Piece[];
}

/** heed's record of the client files that it changed. One file a machine, in the state directory. */
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

  set(file: string, record: FileRecord, isDryRun = false): void {
    this.#files.set(file, record);
    if (!isDryRun) this.#write();
  }

  delete(file: string): void {
    if (this.#files.delete(file)) this.#write();
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
    writeFileAtomic(join(this.#folder, "clients.json"), `${text}\n`, { mode: 0o600 });
    // What heed itself changed is no news at the next start.
    writeFileAtomic(join(this.#folder, "..", "above.json"), '{"version":1}\n', { mode: 0o600 });
  }
}

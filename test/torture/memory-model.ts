/** How one memory stands, as far as a process that works on it knows. */
export interface MemoryState {
  /** `living`; `removed`: among the tombstones; `absent`: in neither, since its making was taken back. */
  place: "living" | "removed" | "absent";
  name: string;
  /** What was written into it, each once. */
  tokens: readonly string[];
}

/** What a process prints about each thing it does: before it begins, and once heed has confirmed or refused it. */
export type Report =
  | { kind: "begin"; operation: string; key?: string; state?: MemoryState }
  | { kind: "done"; operation: string; key?: string; state?: MemoryState }
  /** Refused by a HeedError, with its code and message. */
  | { kind: "refused"; operation: string; key?: string; code: string; message: string }
  /** Anything else that was thrown: a bug. */
  | { kind: "crashed"; operation: string; message: string }
  | { kind: "counted"; calls: number };

/** What is allowed for each memory after all that was reported, whoever died in the middle of what. */
export class MemoryModel {
  readonly #allowed = new Map<string, readonly MemoryState[]>();
  /** Everything that was ever confirmed to be written. */
  readonly tokens: Set<string> = new Set();
  operations = 0;
  refusals = 0;
  /** Crashes, and refusals whose message says too little. */
  readonly faults: string[] = [];

  /**
   * Takes in what one process printed, in order.
   *
   * @param isFaulty the file system failed under it: what it was refused may have been done all the same.
   */
  take(reports: readonly Report[], isFaulty = false): void {
    for (const report of reports) {
      if (report.kind === "counted") continue;
      if (report.kind === "crashed") {
        this.faults.push(`crashed in ${report.operation}: ${report.message.slice(0, 1_500)}`);
        continue;
      }
      const known = report.key === undefined ? undefined : this.#allowed.get(report.key);
      if (report.kind === "begin") {
        if (report.key !== undefined && report.state)
          this.#allowed.set(report.key, [...(known ?? [ABSENT]), report.state]);
      } else if (report.kind === "done") {
        this.operations += 1;
        if (report.key !== undefined && report.state) {
          this.#allowed.set(report.key, [report.state]);
          for (const token of report.state.tokens) this.tokens.add(token);
        }
      } else {
        this.refusals += 1;
        if (report.message.length < 20 || /undefined|\[object/.test(report.message))
          this.faults.push(`says too little: ${report.operation}: ${report.message}`);
        if (report.key !== undefined && known && !isFaulty)
          this.#allowed.set(report.key, known.length > 1 ? known.slice(0, -1) : known);
      }
    }
  }

  /** What a memory may be, by its key. */
  allowed(): ReadonlyMap<string, readonly MemoryState[]> {
    return this.#allowed;
  }
}

const ABSENT: MemoryState = { place: "absent", name: "", tokens: [] };

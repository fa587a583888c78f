import { readText, writeFileAtomic } from "../../platform/atomic-file.ts";

/**
 * The runs of settling a store, counted over all processes in a file: how many began, and the number of the last one
 * that ended well. Whoever waited for its turn while a whole run went by has nothing left to do.
 */
export class SettleRuns {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Runs that have begun by now. One that begins later sees all that is there now. */
  begun(): number {
    return this.#read().begun;
  }

  /** Whether a run that began after the first `begun` ones has ended well. */
  hasEndedSince(begun: number): boolean {
    return this.#read().ended > begun;
  }

  /** Counts a run that begins; needs the lock. Call what is returned when it has ended well. */
  begin(): () => void {
    const { begun, ended } = this.#read();
    const number = begun + 1;
    this.#write(number, ended);
    return () => this.#write(number, number);
  }

  #read(): { begun: number; ended: number } {
    const match = /^(\d{1,15}) (\d{1,15})\n$/.exec(readText(this.#file) ?? "");
    return { begun: Number(match?.[1] ?? 0), ended: Number(match?.[2] ?? 0) };
  }

  #write(begun: number, ended: number): void {
    writeFileAtomic(this.#file, `${begun} ${ended}\n`, { mode: 0o600, draftId: "settles", isDurable: false });
  }
}

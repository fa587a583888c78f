/** A line of more bytes is left out: no record that says something is that long, an embedded picture may be. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;

const LINE_FEED = 10;

/** Cuts a stream of bytes into lines. The last line waits for its end; a line that is too long is skipped. */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #maxLineBytes: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isTooLong = false;
  #doneBytes = 0;
  #skippedLines = 0;

  /** `onLine` gets each whole line without its line feed; the bytes are only its until it returns. */
  constructor(onLine: (line: Buffer) => void, maxLineBytes: number = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Bytes up to the end of the last whole line: where to read on. */
  get doneBytes(): number {
    return this.#doneBytes;
  }

  /** Lines that were too long. */
  get skippedLines(): number {
    return this.#skippedLines;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const bytes = this.#partBytes + end - start + 1;
      const isTooLong = this.#isTooLong || bytes > this.#maxLineBytes;
      if (isTooLong) this.#skippedLines += 1;
      else this.#emit(chunk.subarray(start, end));
      this.#doneBytes += bytes;
      this.#parts = [];
      this.#partBytes = 0;
      this.#isTooLong = false;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    this.#partBytes += rest.length;
    if (this.#partBytes > this.#maxLineBytes) {
      this.#isTooLong = true;
      this.#parts = [];
    } else if (rest.length > 0) {
      // A copy: the reader fills the same chunk again.
      this.#parts.push(Buffer.from(rest));
    }
  }

  /** Skips bytes that were not read; the line in which they begin, and the one in which they end, are lost. */
  skip(bytes: number): void {
    this.#partBytes += bytes;
    this.#isTooLong = true;
    this.#parts = [];
  }

  #emit(end: Buffer): void {
    const line = this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end]);
    if (line.length > 0) this.#onLine(line);
  }
}

import { Transform, type TransformCallback } from "node:stream";

/** No memory is that long. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** The id of a request is at the one or the other end of it. */
const EDGE_BYTES = 300;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){1,100}")`;
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`);
const ID_LAST = new RegExp(String.raw`${ID}\s*\}\s*$`);

/** Passes messages on, a line each. Of one that is too long its edges alone are kept: it costs that message, with an error. */
export class BoundedLines extends Transform {
  readonly #refuse: (message: string, id: string | undefined, edges: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** @param refuse - Told why, the request's id as JSON, where it has one, and how it begins and ends. */
  constructor(refuse: (message: string, id: string | undefined, edges: string) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let at = 0;
    for (let end; (end = chunk.indexOf("\n", at)) >= 0; at = end + 1) {
      this.#add(chunk.subarray(at, end + 1));
      this.#pass();
    }
    this.#add(chunk.subarray(at));
    done();
  }

  #add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= MAX_MESSAGE_BYTES) return;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all.subarray(0, EDGE_BYTES), all.subarray(-EDGE_BYTES)].map((edge) => Buffer.from(edge));
  }

  #pass(): void {
    const line = Buffer.concat(this.#parts);
    if (this.#bytes <= MAX_MESSAGE_BYTES) this.push(line);
    else {
      const text = line.toString();
      const id = (ID_LAST.exec(text) ?? ID_FIRST.exec(text))?.[1];
      this.#refuse(
        `a message of ${this.#bytes} bytes, ${MAX_MESSAGE_BYTES} at most: send less at once`,
        id,
        text,
      );
    }
    this.#parts = [];
    this.#bytes = 0;
  }
}

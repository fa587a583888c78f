import type { MemoryMetadata } from "../memory/memory-metadata.ts";
import { plainWords } from "../memory/plain-words.ts";

/** Claude Code loads this much of its own MEMORY.md, whichever ends first. */
const LOADED_LINES = 200;
const LOADED_BYTES = 25_000;

/** What a client's own memory index has already put into the context. */
export class ClientMemoryIndex {
  readonly #lines: readonly { words: string; text: string }[];

  /** `text` is the whole of MEMORY.md; what the client does not load of it is left out. */
  constructor(text: string) {
    const loaded = Buffer.from(text, "utf8").subarray(0, LOADED_BYTES).toString("utf8");
    this.#lines = loaded
      .split("\n")
      .slice(0, LOADED_LINES)
      .map((line) => ({ words: plainWords(line), text: line }));
  }

  /** Whether a line points at the memory's file: a pointer of heed would repeat it. */
  pointsAt(metadata: MemoryMetadata): boolean {
    const file = metadata.file.split("/").at(-1) ?? metadata.file;
    return this.#lines.some(({ text }) => text.includes(`(${metadata.file})`) || text.includes(`(${file})`));
  }

  /** Whether the memory's statement stands there in full: a line that only names the file does not tell a rule. */
  states(metadata: MemoryMetadata): boolean {
    const words = plainWords(metadata.description);
    return words !== "" && this.#lines.some((line) => ` ${line.words} `.includes(` ${words} `));
  }
}

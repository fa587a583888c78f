import type { Sibling } from "../../curate/gate.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { wordsOf } from "../../recall/words-of.ts";

/** So many are compared in full. */
const MAX_ALIKE = 10;
/** Of words that very many statements share only so many are followed: the rare ones come first. */
const MAX_FOLLOWED = 2000;

/** What an import takes, before it is written: a statement further down is compared with it as with a memory. */
export class TakenStatements {
  readonly #taken: Sibling[] = [];
  readonly #byWord = new Map<string, number[]>();
  readonly #names = new Set<string>();

  /** Whether one of them has this name. */
  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  add(memory: Sibling): void {
    const { id, name, description, type, tags, body } = memory;
    const number = this.#taken.push({ id, name, description, type, tags, body }) - 1;
    this.#names.add(name);
    for (const word of wordsOf(description)) {
      const numbers = this.#byWord.get(word);
      if (numbers) numbers.push(number);
      else this.#byWord.set(word, [number]);
    }
  }

  /** Those that share most with a draft's line, by their rarest words. */
  alike({ description }: MemoryDraft): Sibling[] {
    const lists = [...wordsOf(description)]
      .flatMap((word) => [this.#byWord.get(word) ?? []])
      .sort((a, b) => a.length - b.length);
    const shared = new Map<number, number>();
    let followed = 0;
    for (const numbers of lists) {
      for (const number of numbers) shared.set(number, (shared.get(number) ?? 0) + 1);
      followed += numbers.length;
      if (followed > MAX_FOLLOWED) break;
    }
    return [...shared]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, MAX_ALIKE)
      .flatMap(([number]) => this.#taken[number] ?? []);
  }
}

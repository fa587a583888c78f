import type { AskedMeaning, SemanticSource } from "../../app/place/semantic-source.ts";

/**
 * A semantic source whose code is looked for when the first question comes, so that a process that never asks, and one
 * without a model, loads nothing of it. That first question finds no answer.
 */
export class LateSemantic implements SemanticSource {
  readonly #open: () => Promise<SemanticSource | undefined>;
  #opening: Promise<void> | undefined;
  #source: SemanticSource | undefined;

  /** `open` resolves with undefined when there is no model, and does not reject. */
  constructor(open: () => Promise<SemanticSource | undefined>) {
    this.#open = open;
  }

  async load(): Promise<void> {
    await (this.#opening ??= this.#look());
    await this.#source?.load();
  }

  ask(text: string, deadlineAtMs: number): AskedMeaning {
    if (this.#source) return this.#source.ask(text, deadlineAtMs);
    if (!this.#opening) void this.load();
    return () => Promise.resolve(undefined);
  }

  async #look(): Promise<void> {
    this.#source = await this.#open();
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#source?.close();
  }
}

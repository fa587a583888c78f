import { VectorTable } from "../src/optional/semantic/vector-table.ts";
import type { MemoryCard } from "../src/memory/memory-card.ts";
import { MEMORY_TOKENS, memoryText, PROMPT_TOKENS } from "../src/optional/semantic/memory-text.ts";
import { endsOf } from "./ends-of.ts";
import { FACT_TYPES } from "./fact-types.ts";
import type { InjectionData } from "./injection-data.ts";
import { labelledDocument } from "./labelled-document.ts";
import type { SentenceModel } from "./sentence-model.ts";

/** What a sentence model says about a data set, computed beforehand. */
export class DataMeaning {
  readonly #memories: VectorTable;
  readonly #prompts: ReadonlyMap<string, Int8Array>;

  private constructor(memories: VectorTable, prompts: ReadonlyMap<string, Int8Array>) {
    this.#memories = memories;
    this.#prompts = prompts;
  }

  /** Encodes every fact and every prompt of the data. */
  static async of(data: InjectionData, model: SentenceModel): Promise<DataMeaning> {
    const memories = new VectorTable(model.encoder.dimensions);
    for (const memory of data.memories) {
      const document = labelledDocument(memory);
      if (!document || !FACT_TYPES.includes(document.card.type)) continue;
      const text = memoryText(document.card, document.body);
      memories.add(document.card.contentHash, await model.encode(text, MEMORY_TOKENS));
    }
    const prompts = new Map<string, Int8Array>();
    for (const { prompt } of [...data.prompts, ...data.turns]) {
      const text = endsOf(prompt);
      prompts.set(text, await model.encode(text, PROMPT_TOKENS));
    }
    model.save();
    return new DataMeaning(memories, prompts);
  }

  cosineOf(prompt: string, card: MemoryCard): number | undefined {
    const query = this.#prompts.get(prompt);
    return query && this.#memories.cosineOf(card.contentHash, query);
  }

  nearest(prompt: string, cards: readonly MemoryCard[], limit: number): MemoryCard[] {
    const near = cards.flatMap((card) => {
      const cosine = this.cosineOf(prompt, card);
      return cosine === undefined ? [] : [{ card, cosine }];
    });
    return near
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, limit)
      .map(({ card }) => card);
  }
}

import type { IndexDocument } from "../src/search/index/document/index-document.ts";
import { parseMemories } from "../src/memory/codec/parse-memory.ts";
import { signalsOf } from "../src/session/answer-prompt.ts";
import { memoryIndex } from "../src/search/index/index-writer.ts";
import { isWorthRecalling } from "../src/memory/typed-text.ts";
import { FACT_INJECTIONS, TypeTable } from "../src/memory/memory-type.ts";
import type { RelevanceSignals } from "../src/search/relevance-signals.ts";
import { search } from "../src/search/search.ts";
import type { IndexReader } from "../src/search/index/index-reader.ts";
import { type InjectionData, type LabelledMemory, type LabelledPrompt, projectOf } from "./injection-data.ts";

interface SampleHit {
  memoryId: string;
  signals: RelevanceSignals;
}

/** A prompt in a store, with what recall found. */
export interface Sample {
  storeId: string;
  hits: SampleHit[];
  /** Absent for a turn without labels, taken from another project: nothing in the store is relevant to it. */
  label?: LabelledPrompt;
}

/** Hits of a prompt that are weighed at most; as many as the event that answers a prompt weighs. */
const MAX_HITS = 10;
const types = new TypeTable();

const FACT_TYPES: readonly string[] = types
  .all()
  .filter(({ injection }) => FACT_INJECTIONS.has(injection))
  .map(({ name }) => name);

/** The beginning and the end of a long prompt, as heed reads it. */
const endsOf = (prompt: string): string =>
  prompt.length <= 6000 ? prompt : `${prompt.slice(0, 3000)}\n${prompt.slice(-3000)}`;

function labelledDocument({ id, storeId, file, text }: LabelledMemory): IndexDocument | undefined {
  const { memories } = parseMemories(text, { storeId, file }, types);
  const [memory] = memories;
  if (memory === undefined) return undefined;
  const { body, ...header } = memory;
  const metadata = {
    ...header,
    id,
    storeId,
    file,
    mtimeMs: 0,
    sizeBytes: text.length,
    contentHash: id,
    bodyLength: body.length,
  };
  return { metadata, body };
}

/** What recall finds in an index for a prompt, by the code that answers a real one. */
function hitsOf(reader: IndexReader, prompt: string, label?: LabelledPrompt): SampleHit[] {
  if (!isWorthRecalling(prompt)) return [];
  const text = endsOf(prompt);
  const result = search([reader], {
    text,
    ...(label && {
      admits: ({ id, scope: { repo } }) =>
        (repo === undefined || repo === projectOf(label.storeId)) && !label.excluded.includes(id),
    }),
    syntax: "prompt",
    limit: MAX_HITS,
    types: FACT_TYPES,
    isExplained: true,
  });
  const signals = signalsOf(text, result, ({ type }) => types.get(type)?.injection);
  return result.hits.map(({ metadata }, i) => ({
    memoryId: metadata.id,
    signals: signals[i] as RelevanceSignals,
  }));
}

/** Every labelled prompt in its store; each unlabelled turn in one of those stores, in turn, not of its own project. */
export function samplesOf(data: InjectionData): { labelled: Sample[]; turns: Sample[] } {
  const storeIds = [...new Set(data.prompts.map(({ storeId }) => storeId))].sort();
  const readers = new Map(
    storeIds.map((storeId) => {
      const own = data.memories.filter((memory) => memory.storeId === storeId);
      return [storeId, memoryIndex(own.flatMap((memory) => labelledDocument(memory) ?? []))];
    }),
  );
  const readerOf = (storeId: string): IndexReader => readers.get(storeId) as IndexReader;
  const labelled = data.prompts.map((label): Sample => {
    const { storeId, prompt } = label;
    return { storeId, label, hits: hitsOf(readerOf(storeId), prompt, label) };
  });
  const turns = data.turns.flatMap(({ prompt, repo }, i): Sample[] => {
    const storeId = storeIds[i % storeIds.length] as string;
    if (projectOf(storeId) === repo) return [];
    return [{ storeId, hits: hitsOf(readerOf(storeId), prompt) }];
  });
  return { labelled, turns };
}

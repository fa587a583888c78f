import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Arbitrary } from "fast-check";
import { array, assert, constant, constantFrom, integer, oneof, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { documentKeyOf, type IndexDocument } from "../../src/search/index/document/index-document.ts";
import { type IndexReader, openIndex } from "../../src/search/index/index-reader.ts";
import { updateIndex, writeIndex, memoryIndex } from "../../src/search/index/index-writer.ts";
import type { MemoryMetadata } from "../../src/memory/memory.ts";
import { phraseTest } from "../../src/search/search-query.ts";
import { search } from "../../src/search/search.ts";
import { sampleDocument } from "./index/sample-documents.ts";
import { naiveSearch } from "./naive-search.ts";

const WORDS = "hook retry migration pre-commit --no-verify src/app.ts the 京都 naïve v1.2.3".split(" ");
const words = (max: number): Arbitrary<string> =>
  array(constantFrom(...WORDS), { maxLength: max }).map((list) => list.join(" "));

const documentArbitrary: Arbitrary<IndexDocument> = record({
  name: integer({ min: 0, max: 14 }),
  body: words(12),
  statement: words(4),
  tags: array(constantFrom(...WORDS), { maxLength: 2 }),
  trigger: array(constantFrom(...WORDS), { maxLength: 2 }),
  type: constantFrom("feedback", "project", "user"),
  salience: constantFrom("low" as const, "medium" as const, "high" as const),
  mtimeMs: integer({ min: 1, max: 1e6 }),
}).map(({ name, body, ...metadata }) => sampleDocument(`memory-${name}`, body, metadata));

const queryArbitrary = array(
  oneof(
    { weight: 6, arbitrary: constantFrom(...WORDS) },
    { weight: 1, arbitrary: words(2).map((text) => `"${text}"`) },
    { weight: 1, arbitrary: constantFrom("-hook", "-retry", '-"retry hook"') },
  ),
  { minLength: 1, maxLength: 5 },
).map((list) => list.join(" "));

type Operation = { kind: "update"; upserts: IndexDocument[]; removals: string[] } | { kind: "rebuild" };
const operationArbitrary: Arbitrary<Operation> = oneof(
  {
    weight: 8,
    arbitrary: record({
      kind: constant("update" as const),
      upserts: array(documentArbitrary, { maxLength: 4 }),
      removals: array(
        integer({ min: 0, max: 14 }).map((name) => `project/memory-${name}.md#`),
        { maxLength: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: record({ kind: constant("rebuild" as const) }) },
);

type Scored = readonly { metadata: { name: string }; score: number }[];
/**
 * Sums in another order differ in the last digits, which decides between scores that are equal on paper: so names
 * are compared where a score stands alone.
 */
function comparable(hits: Scored): string[] {
  const scores = hits.map((hit) => hit.score.toFixed(9));
  const isAlone = (place: number): boolean => scores.filter((score) => score === scores[place]).length === 1;
  return hits.map((hit, place) => `${scores[place]} ${isAlone(place) && place < 9 ? hit.metadata.name : ""}`);
}

function expectSameAnswer(reader: IndexReader, documents: readonly IndexDocument[], query: string): void {
  const { hits, documentCount } = search([reader], { text: query });
  expect(documentCount).toBe(documents.length);
  const isSaid = phraseTest(query);
  const byFile = new Map(documents.map((document) => [document.metadata.file, document]));
  const said = hits.filter(({ metadata }) => isSaid?.(byFile.get(metadata.file)!) !== false).slice(0, 10);
  expect(comparable(said)).toEqual(comparable(naiveSearch(documents, query)));
}

/** Applies an operation to the index; false when the index refuses it. */
function apply(directory: string, operation: Operation, model: Map<string, IndexDocument>): boolean {
  if (operation.kind === "rebuild") {
    writeIndex(directory, model.values());
    return true;
  }
  for (const key of operation.removals) model.delete(key);
  for (const document of operation.upserts) model.set(documentKeyOf(document.metadata), document);
  const upserts = new Map(operation.upserts.map((document) => [documentKeyOf(document.metadata), document]));
  return updateIndex(directory, upserts.values(), () => operation.removals) !== undefined;
}

describe("search over the index", () => {
  it("gives the naive scan's scores and order after any updates, removals and merges", () => {
    const root = mkdtempSync(join(tmpdir(), "heed-index-"));
    let run = 0;
    try {
      assert(
        property(
          array(documentArbitrary, { maxLength: 20 }),
          array(operationArbitrary, { maxLength: 8 }),
          array(queryArbitrary, { minLength: 1, maxLength: 3 }),
          (initial, operations, queries) => {
            const directory = join(root, String(run++));
            const model = new Map<string, IndexDocument>();
            for (const document of initial) {
              const key = documentKeyOf(document.metadata);
              if (!model.has(key)) model.set(key, document);
            }
            writeIndex(directory, initial);
            for (const operation of operations) expect(apply(directory, operation, model)).toBe(true);
            const documents = [...model.values()];
            const reader = openIndex(directory) as IndexReader;
            const inMemory = memoryIndex(documents);
            for (const query of queries) {
              expectSameAnswer(reader, documents, query);
              expectSameAnswer(inMemory, documents, query);
              const fromDisk = search([reader], { text: query, isExplained: true });
              expect(search([inMemory], { text: query, isExplained: true })).toEqual(fromDisk);
            }
            const names = (list: readonly { file: string }[]): string[] =>
              list.map((entry) => entry.file).sort();
            expect(names(reader.fileTable())).toEqual(names(documents.map((document) => document.metadata)));
            const rules = documents.filter((document) => document.metadata.type === "feedback");
            expect(names(reader.memories(["feedback"]))).toEqual(names(rules.map((rule) => rule.metadata)));
            const byKey = (list: readonly MemoryMetadata[]): Map<string, MemoryMetadata> =>
              new Map(list.map((metadata) => [documentKeyOf(metadata), metadata]));
            expect(byKey(reader.memories())).toEqual(byKey(documents.map(({ metadata }) => metadata)));
            reader.close();
            // Merges keep the number of files small whatever the history.
            expect(readdirSync(directory).length).toBeLessThan(14);
          },
        ),
        { numRuns: 100 },
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  }, 120_000);
});

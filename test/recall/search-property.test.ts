import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentKeyOf, type IndexDocument } from "../../src/index/index-document.ts";
import type { IndexReader } from "../../src/index/index-reader.ts";
import { compactIndex, updateIndex, writeIndex } from "../../src/index/index-writer.ts";
import { memoryIndex } from "../../src/index/memory-index.ts";
import { openIndex } from "../../src/index/open-index.ts";
import { search } from "../../src/recall/search.ts";
import { sampleDocument } from "../index/sample-documents.ts";
import { naiveSearch } from "./naive-search.ts";

const WORDS = [
  "hook",
  "retry",
  "migration",
  "pre-commit",
  "--no-verify",
  "src/app.ts",
  "the",
  "京都",
  "naïve",
  "v1.2.3",
];
const words = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WORDS), { maxLength: max }).map((list) => list.join(" "));

const documentArbitrary: fc.Arbitrary<IndexDocument> = fc
  .record({
    name: fc.integer({ min: 0, max: 14 }),
    body: words(12),
    description: words(4),
    tags: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    trigger: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    type: fc.constantFrom("feedback", "project", "user"),
    salience: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    mtimeMs: fc.integer({ min: 1, max: 1e6 }),
  })
  .map(({ name, body, ...card }) => sampleDocument(`memory-${name}`, body, card));

const queryArbitrary = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: words(2).map((text) => `"${text}"`) },
      { weight: 1, arbitrary: fc.constantFrom("-hook", "-retry", '-"retry hook"') },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) => list.join(" "));

type Operation =
  | { kind: "update"; upserts: IndexDocument[]; removals: string[] }
  | { kind: "compact" }
  | { kind: "rebuild" };
const operationArbitrary: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      upserts: fc.array(documentArbitrary, { maxLength: 4 }),
      removals: fc.array(
        fc.integer({ min: 0, max: 14 }).map((name) => `project/memory-${name}.md#`),
        { maxLength: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("compact" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rebuild" as const) }) },
);

function expectSameAnswer(reader: IndexReader, documents: readonly IndexDocument[], query: string): void {
  const { hits, damaged, documentCount } = search([reader], { text: query });
  const expected = naiveSearch(documents, query);
  expect(damaged).toBe(false);
  expect(documentCount).toBe(documents.length);
  const rounded = (list: readonly { card: { name: string }; score: number }[]): unknown =>
    list.map((hit) => [hit.card.name, hit.score.toFixed(9)]);
  // Sums in another order differ in the last digits, which decides between scores that are equal on paper.
  const byScoreAndName = (list: readonly { card: { name: string }; score: number }[]): string[] =>
    list.map((hit) => `${hit.score.toFixed(9)} ${hit.card.name}`).sort();
  if (expected.length < 10) expect(byScoreAndName(hits)).toEqual(byScoreAndName(expected));
  expect(hits.map((hit) => hit.score.toFixed(9))).toEqual(expected.map((hit) => hit.score.toFixed(9)));
  const distinct = new Set(expected.map((hit) => hit.score.toFixed(9)));
  if (distinct.size === expected.length) expect(rounded(hits)).toEqual(rounded(expected));
}

describe("search over the index", () => {
  it("gives the naive scan's scores and order after any updates, removals and merges", () => {
    const root = mkdtempSync(join(tmpdir(), "heed-index-"));
    let run = 0;
    try {
      fc.assert(
        fc.property(
          fc.array(documentArbitrary, { maxLength: 20 }),
          fc.array(operationArbitrary, { maxLength: 8 }),
          fc.array(queryArbitrary, { minLength: 1, maxLength: 3 }),
          (initial, operations, queries) => {
            const directory = join(root, String(run++));
            const model = new Map<string, IndexDocument>();
            for (const document of initial) {
              const key = documentKeyOf(document.card);
              if (!model.has(key)) model.set(key, document);
            }
            writeIndex(directory, initial);
            for (const operation of operations) {
              if (operation.kind === "compact") expect(compactIndex(directory)).toBe(true);
              else if (operation.kind === "rebuild") writeIndex(directory, model.values());
              else {
                expect(updateIndex(directory, operation)).toBe(true);
                for (const key of operation.removals) model.delete(key);
                for (const document of operation.upserts) model.set(documentKeyOf(document.card), document);
              }
            }
            const documents = [...model.values()];
            const reader = openIndex(directory) as IndexReader;
            const inMemory = memoryIndex(documents);
            for (const query of queries) {
              expectSameAnswer(reader, documents, query);
              expectSameAnswer(inMemory, documents, query);
              const fromDisk = search([reader], { text: query, explain: true });
              expect(search([inMemory], { text: query, explain: true })).toEqual(fromDisk);
            }
            const names = (list: readonly { file: string }[]): string[] =>
              list.map((entry) => entry.file).sort();
            expect(names(reader.fileTable() ?? [])).toEqual(
              names(documents.map((document) => document.card)),
            );
            const rules = documents.filter((document) => document.card.type === "feedback");
            expect(names(reader.cards({ types: ["feedback"] }) ?? [])).toEqual(
              names(rules.map((rule) => rule.card)),
            );
            for (const document of documents) {
              expect(reader.card(documentKeyOf(document.card))).toEqual(document.card);
            }
            reader.close();
            // Merges keep the number of files small whatever the history.
            expect(readdirSync(directory).length).toBeLessThan(14);
          },
        ),
        { numRuns: 150 },
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

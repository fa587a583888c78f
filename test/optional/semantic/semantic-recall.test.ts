import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OpenedVectors } from "../../../src/optional/semantic/resident-semantic.ts";
import { SemanticRecall } from "../../../src/optional/semantic/semantic-recall.ts";
import type { EncodedCollection } from "../../../src/app/place/semantic-source.ts";
import { quantizeVector } from "../../../src/optional/semantic/quantize-vector.ts";
import { readVectorFile } from "../../../src/optional/semantic/vector-file.ts";
import { memoryIndex } from "../../../src/index/memory-index.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { parseMemories } from "../../../src/memory/codec/parse-memories.ts";
import type { Encoder } from "../../../src/optional/semantic/encoder.ts";
import { vectorFile } from "../../../src/optional/semantic/store-vectors.ts";
import { temporaryFolder, temporaryPlaces } from "../../store/temporary-store.ts";

/** Words that mean the same to the encoder of these tests. */
const MEANINGS = [
  ["car", "automobile", "vehicle"],
  ["database", "postgres", "storage"],
  ["holiday", "vacation", "leave"],
];

interface FakeEncoder extends Encoder {
  encoded: string[];
}

/** Stands for a model: a text is where its words are; it takes as long as it is told. */
function fakeEncoder(delayMs = 0): FakeEncoder {
  const encoded: string[] = [];
  return {
    model: "fake",
    dimensions: MEANINGS.length + 1,
    runtime: "fake",
    encoded,
    async encode(text) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      encoded.push(text);
      const counts = MEANINGS.map((words) => words.filter((word) => text.includes(word)).length);
      return quantizeVector([...counts, 0.1]);
    },
    close: () => Promise.resolve(),
  };
}

const types = new TypeTable();
const STORE = { id: "s1", kind: "user", root: "/nowhere", isTrusted: true, isReadOnly: false } as const;

/** A collection of memories in one store; each text is a name and a description. */
function collectionOf(memories: readonly [name: string, description: string][]): EncodedCollection {
  const documents = memories.flatMap(([name, description]) => {
    const text = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  type: project\n---\n${description}\n`;
    const { memories: parsed } = parseMemories(text, { storeId: STORE.id, file: `${name}.md` }, types);
    return parsed.map(({ body, ...header }) => ({
      card: {
        ...header,
        storeId: STORE.id,
        file: `${name}.md`,
        mtimeMs: 0,
        sizeBytes: text.length,
        contentHash: Buffer.from(name.padEnd(8).slice(0, 8)).toString("hex"),
        bodyLength: body.length,
      },
      body,
    }));
  });
  return {
    stores: [STORE],
    readers: [memoryIndex(documents)],
    types,
    read: (card) => Promise.resolve(documents.find(({ card: other }) => other.name === card.name)),
  };
}

const CARS = collectionOf([
  ["garage", "the automobile stands in the garage"],
  ["tables", "postgres holds the tables"],
  ["rota", "leave is planned in the rota"],
]);

const later = (): number => performance.now() + 5000;

function recallWith(encoder: Encoder, options: { waitMs?: number; notes?: unknown[] } = {}) {
  const places = temporaryPlaces(temporaryFolder());
  const vectors = new OpenedVectors(places);
  const recall = new SemanticRecall({
    load: () => Promise.resolve(encoder),
    vectorsOf: (collection, own) => vectors.of(collection, own),
    note: (trouble) => options.notes?.push(trouble),
    ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
  });
  return { recall, file: vectorFile(places, STORE) };
}

describe("a semantic source", () => {
  test("finds what means the same without a word in common", async () => {
    const { recall } = recallWith(fakeEncoder());
    await recall.settle(CARS);
    const meaning = await recall.ask("where is my vehicle", later())(CARS);
    expect(meaning?.nearest(2, () => true).map(({ name }) => name)).toEqual(["garage", expect.any(String)]);
    const [garage, other] = meaning?.nearest(2, () => true) ?? [];
    expect(garage && meaning?.nearnessOf(garage)).toBeGreaterThan(0.9);
    expect(other && meaning?.nearnessOf(other)).toBeLessThan(0.5);
    expect(meaning?.nearest(3, ({ name }) => name !== "garage").map(({ name }) => name)).not.toContain(
      "garage",
    );
    await recall.close();
  });

  test("the first question finds no model, and does not wait for it", async () => {
    const { recall } = recallWith(fakeEncoder());
    expect(await recall.ask("vehicle", later())(CARS)).toBeUndefined();
    await recall.load();
    expect(await recall.ask("vehicle", later())(CARS)).toBeDefined();
    await recall.close();
  });

  test("a model that is too slow is left out of the answer, in time", async () => {
    const { recall } = recallWith(fakeEncoder(400), { waitMs: 30 });
    await recall.load();
    const startedAt = performance.now();
    expect(await recall.ask("vehicle", later())(CARS)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(300);
    expect(await recall.ask("postgres", performance.now() - 1)(CARS)).toBeUndefined();
    await recall.close();
  });

  test("what was encoded once is neither encoded nor waited for again, in another process either", async () => {
    const encoder = fakeEncoder();
    const { recall, file } = recallWith(encoder);
    await recall.settle(CARS);
    expect(encoder.encoded).toHaveLength(3);
    expect(readVectorFile(file, "fake")?.size).toBe(3);
    const grown = collectionOf([
      ["garage", "the automobile stands in the garage"],
      ["tables", "postgres holds the tables"],
      ["bikes", "no vehicle but a bike"],
    ]);
    await recall.settle(grown);
    expect(encoder.encoded).toHaveLength(4);
    // A memory that is gone takes its vector with it.
    expect(readVectorFile(file, "fake")?.size).toBe(3);
    await recall.ask("vehicle", later())(grown);
    await recall.ask("vehicle", later())(grown);
    expect(encoder.encoded).toHaveLength(5);
    await recall.close();
  });

  test("a model that does not load, or dies, is told once and never asked again", async () => {
    const notes: unknown[] = [];
    let loads = 0;
    const places = temporaryPlaces(temporaryFolder());
    const broken = new SemanticRecall({
      load: () => Promise.reject(new Error(`no engine ${++loads}`)),
      vectorsOf: () => [],
      note: (trouble) => notes.push(trouble),
    });
    await broken.load();
    expect(await broken.ask("vehicle", later())(CARS)).toBeUndefined();
    await broken.load();
    expect([loads, notes.length]).toEqual([1, 1]);
    expect(existsSync(join(places.cache, "index"))).toBe(false);

    const dying = { ...fakeEncoder(), encode: () => Promise.reject(new Error("out of memory")) };
    const { recall } = recallWith(dying, { notes });
    await recall.load();
    expect(await recall.ask("vehicle", later())(CARS)).toBeUndefined();
    expect(String(notes.at(-1))).toContain("out of memory");
    expect(await recall.ask("vehicle", later())(CARS)).toBeUndefined();
    await recall.close();
  });
});

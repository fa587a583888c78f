import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MeantCollection, MeantSearch, RankedSearch } from "../../../src/app/place/optional-parts.ts";
import { memoryIndex } from "../../../src/index/index-writer.ts";
import { parseMemories } from "../../../src/memory/codec/parse-memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import type { Encoder } from "../../../src/optional/semantic/worker-encoder.ts";
import { ModelSearch } from "../../../src/optional/semantic/model-search.ts";
import { vectorFile } from "../../../src/optional/semantic/open-search-by-meaning.ts";
import { quantizeVector } from "../../../src/optional/semantic/onnx-encoder.ts";
import { readVectorFile } from "../../../src/optional/semantic/vector-table.ts";
import { search } from "../../../src/recall/search.ts";
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

/** Stands for a model: a text is where its words are. */
function fakeEncoder(): FakeEncoder {
  const encoded: string[] = [];
  return {
    model: "fake",
    dimensions: MEANINGS.length + 1,
    runtime: "fake",
    encoded,
    encode(text) {
      encoded.push(text);
      const counts = MEANINGS.map((words) => words.filter((word) => text.includes(word)).length);
      return Promise.resolve(quantizeVector([...counts, 0.1]));
    },
    close: () => Promise.resolve(),
  };
}

const types = new TypeTable();
const STORE = { id: "s1", kind: "user", root: "/nowhere", isTrusted: true, isReadOnly: false } as const;

/** A collection of memories in one store; each text is a name and a description. */
function collectionOf(memories: readonly [name: string, description: string][]): MeantCollection {
  const documents = memories.flatMap(([name, description]) => {
    const text = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  type: project\n---\n${description}\n`;
    const { memories: parsed } = parseMemories(text, { storeId: STORE.id, file: `${name}.md` }, types);
    return parsed.map(({ body, ...header }) => ({
      metadata: {
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
    read: (metadata) =>
      Promise.resolve(documents.find(({ metadata: other }) => other.name === metadata.name)),
  };
}

const CARS = collectionOf([
  ["garage", "the automobile stands in the garage"],
  ["tables", "postgres holds the tables"],
  ["rota", "leave is planned in the rota"],
]);

function searchWith(encoder: Encoder, options: { waitMs?: number; notes?: unknown[] } = {}) {
  const places = temporaryPlaces(temporaryFolder());
  const model = new ModelSearch({
    load: () => Promise.resolve(encoder),
    fileOf: (store) => vectorFile(places, store),
    note: (trouble) => options.notes?.push(trouble),
    ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
  });
  return { model, file: vectorFile(places, STORE) };
}

function rank(
  model: ModelSearch,
  query: string,
  { collection = CARS, ...further }: Partial<MeantSearch> = {},
): Promise<RankedSearch> {
  const admits = further.admits ?? (() => true);
  const byWords = (limit: number) => search(collection.readers, { text: query, limit, admits });
  return model.rank({ query, limit: 10, collection, byWords, admits, ...further });
}

async function namesFor(...asked: Parameters<typeof rank>): Promise<string[]> {
  return (await rank(...asked)).hits.map(({ metadata }) => metadata.name);
}

describe("a search by meaning", () => {
  test("finds what means the same without a word in common, and says how near", async () => {
    const { model } = searchWith(fakeEncoder());
    await model.embedAll(CARS);
    const { hits } = await rank(model, "where is my vehicle");
    expect(hits.map(({ metadata, score }) => [metadata.name, score])).toEqual([["garage", 0]]);
    expect(hits[0]?.nearness).toBeGreaterThan(0.9);
    await model.close();
  });

  test("ranks what the words find by meaning too", async () => {
    const both = collectionOf([
      ["garage", "the key of the automobile"],
      ["rota", "the key key key of the rota"],
    ]);
    const { model } = searchWith(fakeEncoder());
    expect(await namesFor(model, "key for a vehicle", { collection: both })).toEqual(["rota", "garage"]);
    await model.embedAll(both);
    expect(await namesFor(model, "key for a vehicle", { collection: both })).toEqual(["garage", "rota"]);
    await model.close();
  });

  test("admits and counts as a search by words does", async () => {
    const many = collectionOf([
      ["garage", "the automobile stands there"],
      ["street", "an automobile and a vehicle"],
      ["bridge", "a car"],
    ]);
    const { model } = searchWith(fakeEncoder());
    await model.embedAll(many);
    const named = (name: string) => ({
      collection: many,
      admits: (metadata: { name: string }) => metadata.name === name,
    });
    expect(await namesFor(model, "my vehicles", { collection: many })).toHaveLength(3);
    expect(await namesFor(model, "my vehicles", { collection: many, limit: 1 })).toHaveLength(1);
    expect(await namesFor(model, "my vehicles", named("bridge"))).toEqual(["bridge"]);
    expect(await namesFor(model, "my vehicles", { ...named("bridge"), limit: 1 })).toEqual(["bridge"]);
    await model.close();
  });

  test.each<[string, string[]]>([
    ['"vehicle"', []],
    ["vehic*", []],
    [" ", ["garage", "rota", "tables"]],
  ])("%j is answered by words alone", async (query, expected) => {
    const encoder = fakeEncoder();
    const { model } = searchWith(encoder);
    await model.embedAll(CARS);
    const before = encoder.encoded.length;
    expect(await namesFor(model, query)).toEqual(expected);
    expect(encoder.encoded).toHaveLength(before);
    await model.close();
  });

  test("the first search has no model, and does not wait for it", async () => {
    const { model } = searchWith(fakeEncoder());
    expect(await namesFor(model, "vehicle")).toEqual([]);
    expect(await namesFor(model, "postgres")).toEqual(["tables"]);
    await model.embedAll(CARS);
    expect(await namesFor(model, "vehicle")).toEqual(["garage"]);
    await model.close();
  });

  test("a model that is too slow is left out of the answer", async () => {
    const encoder = fakeEncoder();
    const { model } = searchWith(
      {
        ...encoder,
        encode: (text, most) => (text === "vehicle" ? new Promise(() => {}) : encoder.encode(text, most)),
      },
      { waitMs: 30 },
    );
    await model.embedAll(CARS);
    expect(await namesFor(model, "vehicle")).toEqual([]);
    expect(await namesFor(model, "vehicles")).toEqual(["garage"]);
    await model.close();
  });

  test("what was encoded once is not encoded again, in another process either", async () => {
    const encoder = fakeEncoder();
    const { model, file } = searchWith(encoder);
    await model.embedAll(CARS);
    expect(encoder.encoded).toHaveLength(3);
    expect(readVectorFile(file, "fake")?.size).toBe(3);
    // A model that was given back reads the file again, as another process does.
    await model.close();
    const grown = collectionOf([
      ["garage", "the automobile stands in the garage"],
      ["tables", "postgres holds the tables"],
      ["bikes", "no vehicle but a bike"],
    ]);
    await model.embedAll(grown);
    expect(encoder.encoded).toHaveLength(4);
    // A memory that is gone takes its vector with it.
    expect(readVectorFile(file, "fake")?.size).toBe(3);
    await model.close();
  });

  test("a model that does not load, or dies, is told once and never asked again", async () => {
    const notes: unknown[] = [];
    let loads = 0;
    const places = temporaryPlaces(temporaryFolder());
    const broken = new ModelSearch({
      load: () => Promise.reject(new Error(`no engine ${++loads}`)),
      fileOf: (store) => vectorFile(places, store),
      note: (trouble) => notes.push(trouble),
    });
    await broken.load();
    expect(await namesFor(broken, "postgres")).toEqual(["tables"]);
    await broken.load();
    expect([loads, notes.length]).toEqual([1, 1]);
    expect(existsSync(join(places.cache, "index"))).toBe(false);

    const dying = { ...fakeEncoder(), encode: () => Promise.reject(new Error("out of memory")) };
    const { model } = searchWith(dying, { notes });
    await model.load();
    expect(await namesFor(model, "postgres")).toEqual(["tables"]);
    expect(String(notes.at(-1))).toContain("out of memory");
    expect(await namesFor(model, "postgres")).toEqual(["tables"]);
    await model.close();
  });
});

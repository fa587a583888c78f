import { expect, it } from "vitest";
import { readManifest, openIndex } from "../../../src/search/index/index-reader.ts";
import { updateIndex, writeIndex } from "../../../src/search/index/index-writer.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";
import { sampleDocument } from "./sample-documents.ts";

it("merges small segments, and does not write a large one again with each few of them", () => {
  const directory = temporaryFolder();
  const document = (place: number) => sampleDocument(`memory-${place}`, `alpha beta${place}`);
  const [size, updates] = [1_000, 40];
  writeIndex(
    directory,
    Array.from({ length: size }, (_, place) => document(place)),
  );
  const [large] = readManifest(directory).segments;
  for (let place = 0; place < updates; place++) {
    expect(updateIndex(directory, [document(size + place)], () => [])).toBeDefined();
    const { segments } = readManifest(directory);
    expect(segments[0]?.file).toBe(large?.file);
    expect(segments.length).toBeLessThanOrEqual(4);
  }
  const reader = openIndex(directory);
  expect(reader?.memories().length).toBe(size + updates);
  reader?.close();
});

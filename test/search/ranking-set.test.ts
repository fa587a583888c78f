import { describe, expect, test } from "vitest";
import { memoryIndex } from "../../src/search/index/index-writer.ts";
import { search } from "../../src/search/search.ts";
import { sampleDocument } from "./index/sample-documents.ts";
import { inflections, scripts } from "./ranking-set/language-corpora.ts";
import { errorMessages, identifiers, paths } from "./ranking-set/technical-corpora.ts";

// What a person expects over small named corpora: the queries were written before they were first run.
describe.each(Object.entries({ identifiers, paths, errorMessages, inflections, scripts }))(
  "%s",
  (_, { notes, wanted }) => {
    const store = memoryIndex(Object.entries(notes).map(([name, text]) => sampleDocument(name, text)));

    test.each(wanted)("%s is answered by %s", (text, first) => {
      expect(search([store], { text, syntax: "prompt" }).hits[0]?.metadata.name).toBe(first);
    });
  },
);

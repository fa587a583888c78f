import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refreshIndex } from "../../src/heed/refresh-index.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { memoryFile, rule, TemporaryHeed } from "./temporary-heed.ts";

let place: TemporaryHeed;
beforeEach(() => {
  place = new TemporaryHeed();
});
afterEach(() => place.remove());

test("when time runs out after two files, it is the rules that were read", () => {
  const fact = { type: "project", name: "queue", description: "the queue retries" };
  place.write(join(place.userStore, "a/first.md"), memoryFile(fact));
  place.write(join(place.userStore, "b.md"), memoryFile({ ...fact, name: "b" }));
  place.write(join(place.userStore, "feedback_flat.md"), memoryFile(rule("flat", "Be brief")));
  place.write(join(place.userStore, "z/feedback/last.md"), memoryFile(rule("last", "Be exact")));
  const store = {
    id: "user",
    kind: "user" as const,
    root: place.userStore,
    isTrusted: true,
    isReadOnly: false,
  };
  let files = 0;
  const result = refreshIndex(
    {
      store,
      directory: join(place.home, "cache", "index", "x"),
      types: new TypeTable(),
      typesKey: "k",
      // Time is asked for before each file: there is enough for two.
      get deadline() {
        return files++ < 2 ? Infinity : -Infinity;
      },
    },
    undefined,
  );
  expect(result).toMatchObject({ outcome: "in-memory", isCut: true });
  const cards = "reader" in result ? (result.reader.cards() ?? []) : [];
  expect(cards.map(({ name }) => name).sort()).toEqual(["flat", "last"]);
});

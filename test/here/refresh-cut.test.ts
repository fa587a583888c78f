import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { announceLater } from "../../src/here/records/announcements.ts";
import { findPlaces } from "../../src/machine/places.ts";
import { reviewTrust } from "../../src/here/consent/review-store.ts";
import { Place, openWorkspace } from "../../src/here/place.ts";
import { refreshIndex } from "../../src/here/refresh-index.ts";
import { openStoreIndex } from "../../src/here/store-index.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { memoryFile, rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
let directory: string;
beforeEach(() => {
  directory = join(place.home, "cache", "index", "x");
});

const fact = (name: string) => ({ type: "project", name, statement: `the queue ${name} retries` });

/** One refresh with time for so many files: it is asked for once before they are listed, then before each. */
function refresh(maxFiles: number): { isCut: boolean } {
  const store = {
    id: "user",
    kind: "user" as const,
    root: place.userStore,
    isTrusted: true,
    isReadOnly: false,
  };
  let files = -1;
  return refreshIndex(
    {
      store,
      directory,
      types: new TypeTable(),
      typesKey: "k",
      get deadline() {
        return files++ < maxFiles ? Infinity : -Infinity;
      },
    },
    openStoreIndex(directory, "k"),
  );
}

const indexed = (): string[] =>
  (openStoreIndex(directory, "k")?.reader.memories() ?? []).map(({ name }) => name).sort();

test("when time runs out after two files, it is the rules that were read", () => {
  place.write(join(place.userStore, "a/first.md"), memoryFile(fact("a")));
  place.write(join(place.userStore, "b.md"), memoryFile(fact("b")));
  place.write(join(place.userStore, "feedback_flat.md"), memoryFile(rule("flat", "Be brief")));
  place.write(join(place.userStore, "z/feedback/last.md"), memoryFile(rule("last", "Be exact")));
  expect(refresh(2).isCut).toBe(true);
  expect(indexed()).toEqual(["flat", "last"]);
});

test("refreshes that have too little time get there together", () => {
  place.remember(...["a", "b", "c", "d", "e"].map(fact));
  expect(refresh(0).isCut).toBe(true);
  expect(refresh(2).isCut).toBe(true);
  expect(indexed()).toEqual(["a", "b"]);
  expect(refresh(2).isCut).toBe(true);
  expect(indexed()).toEqual(["a", "b", "c", "d"]);
  expect(refresh(2).isCut).toBe(false);
  expect(indexed()).toEqual(["a", "b", "c", "d", "e"]);
});

test("an event without time for a whole store tells its rules, says that the rest follows, and reads no further", async () => {
  // What loads heed's code is none of its time.
  await place.start("warm-up");
  const body = Array.from({ length: 1_500 }, (_, i) => `word${i}`).join(" ");
  place.remember(
    rule("brief", "answer in one sentence"),
    ...Array.from({ length: 1_500 }, (_, i) => ({ ...fact(`q${i}`), body })),
  );
  const removed = { line: "removed: the queue qx retries", about: { key: "user:qx" } };
  announceLater(findPlaces(place.env), removed);
  const heed = place.open();
  const event = { session: "s1", cwd: place.project, client: "test" };
  const startedAt = performance.now();
  const start = { ...event, kind: "session-start", source: "startup" } as const;
  const { context, notice } = await heed.session.answer(start, { deadlineMs: 700 });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(context).toContain("The rest follows.");
  expect(notice).toContain("The rest follows.");
  // Whether it is gone, nothing says yet.
  expect(notice).not.toContain(removed.line);
  const next = { ...event, kind: "prompt", prompt: "and what is next?" } as const;
  // On a busy machine the rest may still be read in the background at the next prompt.
  let told = "";
  await expect
    .poll(
      async () => {
        const then = await heed.session.answer(next, { deadlineMs: 60_000 });
        told += `${then.notice} ${then.context}`;
        return told;
      },
      { timeout: 60_000 },
    )
    .toContain(removed.line);
  // By the start, where it came so far.
  expect(`${context} ${told}`).toContain("answer in one sentence");
  await heed.close();
}, 120_000);

test("a review takes no rule that was not read in time for gone", async () => {
  // Neither its folder nor its name tells that it is one.
  const late = { type: "feedback", name: "late", statement: "Be exact", body: "Be exact" };
  await place.heed.memories.write(late, { kind: "person" });
  mkdirSync(join(place.userStore, "z"));
  renameSync(join(place.userStore, "feedback/late.md"), join(place.userStore, "z/late.md"));
  rmSync(join(place.home, "cache/index"), { recursive: true });
  place.remember(rule("brief", "Be brief"));
  const at = new Place(openWorkspace({ cwd: place.project, env: place.env }));
  at.call.deadlineAtMs = performance.now();
  const { says } = await reviewTrust(at, { store: "user" });
  expect(says).toBe("1 rule");
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ChangeJournal } from "../../../src/store/history/change-journal.ts";
import type { FileChange } from "../../../src/store/history/change-record.ts";
import { stateOfStore } from "../../../src/store/config/store-config.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { temporaryFolder } from "../temporary-store.ts";

const NOTE = { actor: { kind: "person" as const }, summary: "a change" };

let root: string;
let state: ReturnType<typeof stateOfStore>;

beforeEach(() => {
  root = temporaryFolder();
  state = stateOfStore(findPlaces({ HEED_STATE_DIR: temporaryFolder() }), root);
});

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const write = (file: string, text: string): void => writeFileSync(join(root, file), text);

/**
 * A journal of a store in which somebody edits a file at the last moment: after the journal has found all files as it
 * expects, and when it is told for the second time where this file is, to write it.
 */
function journalBeside(edited: string): ChangeJournal {
  let times = 0;
  return new ChangeJournal(state, (file) => {
    if (file === edited && ++times === 2) write(file, "edited meanwhile");
    return join(root, file);
  });
}

const make = (journal: ChangeJournal, files: FileChange[], now = new Date()) =>
  journal.make(journal.draft({ ...NOTE, files }, now));

describe("a file that is edited while a change is made", () => {
  test.each<[what: string, after: string | null]>([
    ["is not written over", "new"],
    ["is not removed", null],
  ])("%s", (_, after) => {
    write("a.md", "old");
    const files: FileChange[] = [{ file: "a.md", before: "old", after }];
    expect(() => make(journalBeside("a.md"), files)).toThrow(
      expect.objectContaining({ code: "changed-outside" }),
    );
    expect(read("a.md")).toBe("edited meanwhile");
    expect(readdirSync(root)).toEqual(["a.md"]);
    expect(existsSync(state.intent)).toBe(false);
  });

  test("takes the rest of the change back", () => {
    write("a.md", "old a");
    write("b.md", "old b");
    const files: FileChange[] = [
      { file: "a.md", before: "old a", after: "new a" },
      { file: "b.md", before: "old b", after: "new b" },
    ];
    const journal = journalBeside("b.md");
    expect(() => make(journal, files)).toThrow(expect.objectContaining({ code: "changed-outside" }));
    expect([read("a.md"), read("b.md")]).toEqual(["old a", "edited meanwhile"]);
    expect(journal.ids()).toEqual([]);
  });
});

describe("the ids of changes", () => {
  test("sort in the order in which they were made, also within one millisecond and when the clock goes back", () => {
    const journal = new ChangeJournal(state, (file) => join(root, file));
    const times = ["2026-03-05T10:00:00.000Z", "2026-03-05T10:00:00.000Z", "2020-01-01T00:00:00.000Z"];
    const made = times.map((time, i) =>
      make(journal, [{ file: "a.md", before: i === 0 ? null : `${i - 1}`, after: `${i}` }], new Date(time)),
    );
    const ids = made.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(ids);
    expect(journal.ids()).toEqual(ids);
  });
});

test("a change that a newer heed began keeps an older one from writing", () => {
  const record =
    '{"version":2,"id":"01M814DESJ71XD11AWY76H9PV9","time":"2026-11-22T08:02:01Z","summary":"x","files":[]}';
  mkdirSync(state.folder, { recursive: true });
  writeFileSync(state.intent, record);
  const journal = new ChangeJournal(state, (file) => join(root, file));
  expect(() => journal.recover()).toThrow(expect.objectContaining({ code: "io-failed" }));
  expect(readFileSync(state.intent, "utf8")).toBe(record);
});

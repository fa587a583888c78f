import { describe, expect, it } from "vitest";
import { type FileSides, stepsOf } from "../../../src/store/history/find-moves.ts";

const gone = (file: string, before: string): FileSides => ({ file, before, after: null });
const made = (file: string, after: string): FileSides => ({ file, before: null, after });

/** The moves among the steps; the texts stand in the place of their blob ids. */
function pairs(...files: FileSides[]): string[] {
  return stepsOf(files, (blob) => blob).flatMap(({ before, after }) =>
    before && after && before.file !== after.file ? `${before.file} → ${after.file}` : [],
  );
}

const withId = (id: string, text: string): string => `---\nid: ${id}\n---\n${text}`;
const LINES = "a line of it\nanother line\na third line\na fourth line\n";

describe("what was moved", () => {
  it.each<[string, FileSides[], string[]]>([
    ["the same text", [gone("a", "x"), made("b", "x")], ["a → b"]],
    ["the same id with other text", [gone("a", withId("1", "x")), made("b", withId("1", "y"))], ["a → b"]],
    ["another id with the same text", [gone("a", withId("1", LINES)), made("b", withId("2", LINES))], []],
    ["one that went to two places: the first", [gone("a", "x"), made("b", "x"), made("c", "x")], ["a → b"]],
    ["nothing that is still there", [{ file: "a", before: "x", after: "x y" }, made("b", "x")], []],
  ])("is told by %s", (_, files, expected) => {
    expect(pairs(...files)).toEqual(expected);
  });
});

import { describe, expect, it } from "vitest";
import { type FileSides, movesOf } from "../../../src/store/history/find-moves.ts";
import { cpuMsOf } from "../../cpu-time.ts";

const gone = (file: string, before: string): FileSides => ({ file, before, after: null });
const made = (file: string, after: string): FileSides => ({ file, before: null, after });

/** The names that `movesOf` pairs; the texts stand in the place of their blob ids. */
function pairs(...files: FileSides[]): string[] {
  return [...movesOf(files, (blob) => blob)].map(([to, from]) => `${from.file} → ${to.file}`);
}

const withId = (id: string, text: string): string => `---\nid: ${id}\n---\n${text}`;
const LINES = "a line of it\nanother line\na third line\na fourth line\n";

describe("what was moved", () => {
  it.each<[string, FileSides[], string[]]>([
    ["the same text", [gone("a", "x"), made("b", "x")], ["a → b"]],
    ["the same id with other text", [gone("a", withId("1", "x")), made("b", withId("1", "y"))], ["a → b"]],
    ["another id with the same text", [gone("a", withId("1", LINES)), made("b", withId("2", LINES))], []],
    ["most of the lines, where one has no id", [gone("a", LINES), made("b", withId("1", LINES))], ["a → b"]],
    ["one that went to two places: the first", [gone("a", "x"), made("b", "x"), made("c", "x")], ["a → b"]],
    ["nothing that is still there", [{ file: "a", before: "x", after: "x y" }, made("b", "x")], []],
  ])("is told by %s", (_, files, expected) => {
    expect(pairs(...files)).toEqual(expected);
  });

  it("is told in bounded time of thousands of files, by id and whole text alone", () => {
    const text = (i: number, word: string): string => `${LINES}file ${i} ${word}\n`.repeat(20);
    const files = Array.from({ length: 2_000 }, (_, i) => [
      gone(`a/${i}`, text(i, "x")),
      made(`b/${i}`, text(i, i % 2 === 0 ? "x" : "y")),
    ]);
    expect(cpuMsOf(() => expect(pairs(...files.flat())).toHaveLength(1_000))).toBeLessThan(5_000);
  });
});

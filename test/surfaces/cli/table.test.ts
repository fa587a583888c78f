import { expect, it } from "vitest";
import { renderText, alignTable } from "../../../src/surfaces/cli/output/text.ts";

const plain = (lines: ReturnType<typeof alignTable>): string[] =>
  lines.map((line) => renderText(line, false));

it("aligns by what a terminal draws, numbers at the right", () => {
  const lines = alignTable(
    [{ title: "name" }, { title: "n", align: "right" }, { title: "text" }],
    [
      ["記憶", "1", "one"],
      ["abc", "22", "two"],
    ],
    { hasHeader: true },
  );
  expect(plain(lines)).toEqual(["name   n  text", "記憶   1  one", "abc   22  two"]);
});

it("cuts the flexible column to the width, and no other", () => {
  const lines = alignTable(
    [{ title: "name" }, { title: "text", isFlexible: true }, { title: "end" }],
    [["abcdefghijklmnopqrstuvwxyz", "a text that is far too long for the line", "end"]],
    { width: 52, hasHeader: false },
  );
  expect(plain(lines)).toEqual(["abcdefghijklmnopqrstuvwxyz  a text that is far…  end"]);
});

it("keeps a row on one line", () => {
  expect(plain(alignTable([{ title: "a" }, { title: "b" }], [["x\ny", "z"]], { hasHeader: false }))).toEqual([
    "x y  z",
  ]);
});

import { expect, it } from "vitest";
import { nearestWords } from "../../../src/surfaces/cli/arguments/nearest-words.ts";

const COMMANDS = ["search", "show", "sync", "status", "list", "log", "restore", "remove", "rename", "reject"];

it.each([
  ["serch", ["search"]],
  ["hsow", ["show"]],
  ["lsit", ["list"]],
  ["SHOW", ["show"]],
  ["rem", ["remove"]],
  ["re", ["reject", "remove", "rename"]],
  ["xyzzy", []],
  ["", []],
])("for %j", (typed, expected) => {
  expect(nearestWords(typed, COMMANDS)).toEqual(expected);
});

it("is bounded on long words", () => {
  const long = "a".repeat(100_000);
  expect(nearestWords(long, [`${long}b`])).toHaveLength(1);
});

import { expect, test } from "vitest";
import { assignedValues } from "../../src/freshness/check-claim.ts";

test.each([
  ["a.sh", 'readonly MAX=5 OTHER="x y"', "MAX", "5"],
  ["a.sh", 'readonly MAX=5 OTHER="x y"', "OTHER", '"x y"'],
  ["a.sh", "MAX=5; export MAX", "MAX", "5"],
  ["a.sh", "MAX=5 run --fast", "MAX", "5"],
  ["a.sh", "MAX=${MAX:-5 6}/x && run", "MAX", "${MAX:-5 6}/x"],
  ["a.sh", "MAX=$(a | b) run", "MAX", "$(a | b)"],
  ["a.sh", "LIST=(a b)", "LIST", "(a b)"],
  ["Makefile", "CC ?= gcc", "CC", "gcc"],
  ["Makefile", "CC := gcc -O2", "CC", "gcc -O2"],
  ["Makefile", "CC ::= gcc", "CC", "gcc"],
  ["a.js", "MAX ??= 5", "MAX", "5"],
])("in %s `%s` gives %s the value %s", (path, text, name, value) => {
  expect(assignedValues(path, text, name)).toEqual([value]);
});

test("a comparison gives no value", () => {
  expect(assignedValues("a.sh", "[ MAX == 5 ]", "MAX")).toEqual([]);
  expect(assignedValues("a.js", "MAX === 5", "MAX")).toEqual([]);
});

import { array, assert, constantFrom, property, stringMatching, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readFlatYaml } from "../../../src/store/config/flat-yaml.ts";

describe("a store's configuration without the YAML parser", () => {
  test("is read when it is lines of a key and a word", () => {
    const text = "# made by heed\nstore: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n\nmode: typed \r\ncommit: true\n";
    expect(readFlatYaml(text)).toEqual({ store: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C", mode: "typed", commit: true });
    expect(readFlatYaml("")).toEqual({});
  });

  test.each([
    "types:\n  runbook: x\n",
    "mode: [typed]\n",
    "mode: typed # why\n",
    'mode: "typed"\n',
    "mode: typed\nmode: off\n",
    " mode: typed\n",
    "mode:typed\n",
    "mode:\n",
    "--- \nmode: typed\n",
    "store: 12\n",
    "store: 0x1F\n",
    "store: 1e5\n",
    "store: null\n",
    "store: True\n",
    "mode: &a typed\n",
  ])("is left to the parser: %j", (text) => {
    expect(readFlatYaml(text)).toBeUndefined();
  });

  test("says what the parser says wherever it says anything", () => {
    const key = constantFrom("store", "mode", "commit", "a", "on", "y");
    const words = stringMatching(/^[A-Za-z0-9_.+-]{1,8}$/);
    const special = constantFrom(
      "true",
      "no",
      "on",
      "off",
      "Null",
      "0b1",
      "0o7",
      "1_0",
      "2026-03-05",
      ".5",
      "1e5",
    );
    const line = tuple(key, constantFrom(": ", ":", ":  "), words, constantFrom("", " ", " #x", "\r"));
    const specialLine = tuple(key, constantFrom(": "), special, constantFrom(""));
    const lines = array(line, { maxLength: 3 });
    const specials = array(specialLine, { maxLength: 2 });
    let read = 0;
    assert(
      property(lines, specials, (some, others) => {
        const text = [...some, ...others].map((parts) => parts.join("")).join("\n");
        const flat = readFlatYaml(text);
        if (flat === undefined) return;
        read++;
        expect(flat).toEqual(parse(text) ?? {});
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

import { assert, constantFrom, nat, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../src/memory/nearest-names.ts";

const NAMES = ["prefers-vim", "no-verify", "api-timeout", "merge-freeze", "merge-queue"];

describe("nearest names", () => {
  it.each([
    ["prefers-vin", ["prefers-vim"]],
    ["PREFERS-VIM", ["prefers-vim"]],
    ["merge", ["merge-freeze", "merge-queue"]],
    ["timeout", ["api-timeout"]],
    ["noverify", ["no-verify"]],
    ["zzz", []],
    ["", []],
  ])("of %s are %j", (typed, names) => {
    expect(nearestNames(typed, NAMES)).toEqual(names);
  });

  it("hold every name one edit away", () => {
    assert(
      property(stringMatching(/^[a-z]{4,20}$/), nat(), constantFrom("x", ""), (name, seed, put) => {
        const at = seed % name.length;
        const typed = name.slice(0, at) + put + name.slice(at + 1);
        expect(nearestNames(typed, [name, "zzzzzzzzzzzzzzzzzzzzzzzzzz"])).toEqual([name]);
      }),
    );
  });
});

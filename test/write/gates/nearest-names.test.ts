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
});

import { describe, expect, test } from "vitest";
import { handleOf, handlesIn, plainHandle, slugOf } from "../../src/memory/handle.ts";

describe("a handle", () => {
  test.each([
    "prefers-vim",
    "heed:prefers-vim",
    "[heed:prefers-vim]",
    " [Heed:prefers-vim] ",
    "heed: prefers-vim",
  ])("%j means the memory", (handle) => expect(plainHandle(handle)).toBe("prefers-vim"));

  test("is read as it is written", () => {
    const handle = handleOf({ name: "prefers-vim" });
    expect(handle).toBe("heed:prefers-vim");
    expect(plainHandle(handle)).toBe("prefers-vim");
    expect(handlesIn(`see [${handle}]`)).toEqual(["prefers-vim"]);
  });
});

test("a dotted capital is one letter of a name", () => {
  expect(slugOf("İstanbul'da Ömer")).toBe("istanbulda-ömer");
});

describe("the handles in a text", () => {
  test.each<[text: string, names: string[]]>([
    ["heed:a and [heed:b-2], then heed:a", ["a", "b-2"]],
    ["Heed:Prefers-Vim", ["prefers-vim"]],
    ["heed:größe and heed:日本-語", ["größe", "日本-語"]],
    ["a dash at its end: heed:queue-", ["queue"]],
    ["xheed:a https://heed:b/ a.heed:c heed: d", []],
    ["heed:a_b is no name", []],
  ])("%j", (text, names) => expect(handlesIn(text)).toEqual(names));

  test("fifty at most", () => {
    const text = Array.from({ length: 60 }, (_, i) => `heed:n${i}`).join(" ");
    expect(handlesIn(text)).toHaveLength(50);
  });
});

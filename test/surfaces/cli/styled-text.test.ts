import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alignTable,
  cleanText,
  renderText,
  styled,
  textWidth,
} from "../../../src/surfaces/cli/output/output.ts";
import { cpuMsOf } from "../../cpu-time.ts";

describe("cleanText", () => {
  it.each([
    ["a colour", "a\u001b[31mred\u001b[0mb", "aredb"],
    ["a cleared screen", "\u001b[2J\u001b[1;1Hgone", "gone"],
    ["a C1 sequence", "a\u009b31mb", "ab"],
    ["a window title", "\u001b]0;owned\u0007text", "text"],
    ["a hyperlink", "\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["a clipboard write", "\u001b]52;c;ZXZpbA==\u0007x", "x"],
    ["a device string", "\u001bP1$r0m\u001b\\x", "x"],
    ["a full reset", "\u001bcx", "x"],
    ["a lone escape", "x\u001b", "x"],
    ["backspaces that overwrite", "safe\b\b\b\bevil", "safeevil"],
    ["a carriage return that overwrites", "safe\revil", "safe\nevil"],
    ["a bell and a null", "a\u0007\u0000b", "ab"],
    ["text turned around", "\u202etxt.exe\u202c", "txt.exe"],
    ["line separators", "a\u2028b", "a\nb"],
    ["Windows line ends", "a\r\nb", "a\nb"],
  ])("takes out %s", (_, hostile, clean) => {
    expect(cleanText(hostile)).toBe(clean);
  });

  it("keeps tabs, line feeds, accents, CJK and joined emoji", () => {
    const text = "a\tb\nÄé 記憶 👩‍💻";
    expect(cleanText(text)).toBe(text);
  });

  it("never lets a control character but tab and line feed through", () => {
    const unit = oneof(constantFrom("\u001b", "\u009b", "[", "]", ";", "m", "\u0007", "\\", "\r"), string());
    const isControl = (char: string): boolean => {
      const code = char.charCodeAt(0);
      return (code < 32 && code !== 9 && code !== 10) || (code >= 127 && code <= 159);
    };
    assert(
      property(array(unit), (parts) => {
        expect(cleanText(parts.join("")).split("").filter(isControl)).toEqual([]);
      }),
    );
  });

  it("stays quick on text made to make it slow", () => {
    const hostile = ["\u001b", "\u001b]", "\u001b[;", "\u001b[1;", "\u0090"].map((part) =>
      part.repeat(100_000),
    );
    for (const text of hostile)
      expect([text.slice(0, 4), cpuMsOf(() => cleanText(text)) < 2_000]).toEqual([text.slice(0, 4), true]);
  });
});

it("gives looks by objects only, never by text", () => {
  const text = [styled("red", "a\u001b[1mb"), "c"];
  expect(renderText(text, true)).toBe("\u001b[31mab\u001b[39mc");
  expect(renderText(text, false)).toBe("abc");
});

describe("width", () => {
  it.each([
    ["ascii", "abc", 3],
    ["combining accents", "a\u0308", 1],
    ["Chinese", "記憶", 4],
    ["emoji", "👍", 2],
    ["a family in one grapheme", "👩‍👩‍👧", 2],
    ["nothing visible", "\u200b", 0],
    ["escape sequences", "\u001b[31mab\u001b[0m", 2],
  ])("of %s", (_, text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

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

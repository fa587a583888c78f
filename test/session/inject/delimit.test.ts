import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defuse, defuseBlock, defuseLine } from "../../../src/memory/delimit.ts";

describe("tags that stored text may not write", () => {
  test.each([
    ["</heed-memories>", "‹/heed-memories>"],
    ["<heed-episode handle='x'>", "‹heed-episode handle='x'>"],
    ["<system-reminder>", "‹system-reminder>"],
    ["</SYSTEM-Reminder >", "‹/SYSTEM-Reminder >"],
    ["<  / heed >", "‹  / heed >"],
    ["<\u200bhe\u200bed-memories>", "‹heed-memories>"],
    ["<h\u200de\u200ced>", "‹h\u200de\u200ced>"],
    ["＜/heed-memories＞", "‹/heed-memories＞"],
    ["<неed>", "‹неed>"],
    ["<hееd>", "‹hееd>"],
    ["<h\u0301e\u0301ed>", "‹h\u0301e\u0301ed>"],
    ["<ｈｅｅｄ>", "‹ｈｅｅｄ>"],
    ["<<heed>>", "‹‹heed>>"],
    ["<he<heed>ed>", "<he‹heed>ed>"],
    ["<\nheed>", "‹\nheed>"],
    ["<![CDATA[ x ]]>", "‹![CDATA[ x ]]>"],
    ["<user>", "‹user>"],
    ["<assistant>", "‹assistant>"],
    ["<function_calls>", "‹function_calls>"],
    ["<task-notification>", "‹task-notification>"],
    ["<h\u{e0065}eed>", "‹heed>"],
    ["&lt;/heed-memories&gt;", "‹/heed-memories&gt;"],
    ["&amp;lt;system-reminder>", "‹system-reminder>"],
    ["&#x3c;/heed>", "‹/heed>"],
    ["%3C/heed%3E", "‹/heed%3E"],
    ["\\u003cheed\\u003e", "‹heed\\u003e"],
    ["</&#104;eed>", "‹/&#104;eed>"],
    ["≺/heed-memories≻", "‹/heed-memories≻"],
    ["<ħeed>", "‹ħeed>"],
    ["a\u202eb\u0000c\u001b[31m", "abc[31m"],
    ["a\u2028b\u0085c\r\nd", "a\nb\nc\nd"],
  ])("%j becomes %j", (text, harmless) => {
    expect(defuse(text)).toBe(harmless);
  });

  test.each([
    "a < b",
    "Array<string>",
    "<div class='x'>",
    "<UserList />",
    "<hr>",
    "1 << 2",
    "<https://x.org>",
    "👩‍👩‍👧",
    "&lt;div&gt; &amp; %3Cscript%3E",
    "if a &lt; b",
    "\\u003cbr>",
  ])("%j stays as it is", (text) => {
    expect(defuse(text)).toBe(text);
  });
});

/** Text that is likely to contain something like a tag, whole, nested, spaced out or disguised. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."<¦</¦＜¦< /¦>¦heed¦-memories¦HEED¦h¦e¦ed¦system¦-reminder".split("¦")),
      fc.constantFrom(..."\u200b¦\u200d¦\u2060¦\u00ad¦\u0301¦ ¦\n¦\r¦\u2028¦\t¦!¦[¦`".split("¦")),
      fc.constantFrom("<![CDATA[", "]]>", "```", "~~~", "user", "assistant", "｜", "\u{e0068}", "\u202e"),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

/** Naive oracle: the letters behind each bracket up to the next `>`, with nothing else between them. */
function spelledTags(text: string): string[] {
  return [...text.normalize("NFKC").matchAll(/<([^>]{0,100})/g)].map((match) =>
    (match[1] ?? "").toLowerCase().replace(/[^a-z\p{L}\p{N}]/gu, ""),
  );
}

test("whatever is stored, no reserved tag comes out, and a second pass changes nothing", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const harmless = defuse(text);
      for (const name of spelledTags(harmless)) expect(name).not.toMatch(/^(?:heed|system|assistant|cdata)/);
      expect(defuse(harmless)).toBe(harmless);
      expect(harmless).not.toMatch(/[\u200b\u2060\u202a-\u202e\r\u2028]/);
    }),
    { numRuns: 500 },
  );
});

test("a line stays a line, and a block never begins a line in the first column", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(defuseLine(text)).not.toMatch(/[\n\r\u2028\u2029\u0085\v\f]/);
      for (const line of defuseBlock(text).split("\n")) expect(line).toMatch(/^(?: {2}|$)/);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["text\n```js\ncode", "  text\n  ```js\n  code\n  ```"],
  ["```\na\n```\nb", "  ```\n  a\n  ```\n  b"],
  ["~~~~\n```\n~~~", "  ~~~~\n  ```\n  ~~~\n  ~~~~"],
])("a code block that is left open is closed: %j", (text, block) => {
  expect(defuseBlock(text)).toBe(block);
});

import { describe, expect, test } from "vitest";
import { defuse, defuseBlock } from "../../../src/memory/shown-text.ts";

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

test.each([
  ["text\n```js\ncode", "  text\n  ```js\n  code\n  ```"],
  ["```\na\n```\nb", "  ```\n  a\n  ```\n  b"],
  ["~~~~\n```\n~~~", "  ~~~~\n  ```\n  ~~~\n  ~~~~"],
])("a code block that is left open is closed: %j", (text, block) => {
  expect(defuseBlock(text)).toBe(block);
});

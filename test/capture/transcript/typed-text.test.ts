import { describe, expect, test } from "vitest";
import { typedText } from "../../../src/capture/transcript/user-words.ts";

const paste = (text: string, close = "552c"): string =>
  `<pasted_content id="552c">\n${text}\n</pasted_content id="${close}">`;

describe("the part of a prompt that the user typed", () => {
  test.each([
    [
      "what marks tell is not theirs",
      `look at this ${paste("never test")} and say why`,
      "look at this \n and say why",
    ],
    ["a paste ends with its own id alone", paste(`a\n</pasted_content id="x">\nnever test`), ""],
    ["a paste that nothing ends", `so: ${paste("never test", "x")}`, "so:"],
    ["a fence", "look:\n```\nnever test\n```\nwhat is it?", "look:\n\nwhat is it?"],
    ["a fence left open", "look:\n~~~\nnever test", "look:"],
    ["a quotation", "they say:\n> never test\nodd", "they say:\n\nodd"],
    ["a reminder of the client", "hi <system-reminder>never test</system-reminder> there", "hi \n there"],
    ["a picture", "[Image #1] is it right?", "is it right?"],
    [
      "nothing else: a heading",
      "Two things:\nnever use npm here\nalways squash",
      "Two things:\nnever use npm here\nalways squash",
    ],
    [
      "nothing else: quotation marks",
      'call it "zone factor", never "factor"',
      'call it "zone factor", never "factor"',
    ],
    ["nothing else: what looks like code", "const x = 1; is fine", "const x = 1; is fine"],
  ])("%s", (_, prompt, own) => {
    expect(typedText(prompt)).toBe(own);
  });

  test.each([
    ["more than 1,500 characters", "a".repeat(1501)],
    ["more than 25 lines", "a\n".repeat(26)],
    ["a fence as long", `\`\`\`\n${"a\n".repeat(26)}\`\`\`\nnever test`],
    ["a summary", "This session is being continued from a previous conversation."],
    ["a command", "/review never test"],
    ["a plan of the agent's", "Implement the following plan:\nnever test"],
    ["text of heed's own", "Standing rules that the user gave and heed keeps:\n- never test"],
    ["nothing", "  \n"],
  ])("is empty for %s", (_, prompt) => {
    expect(typedText(prompt)).toBe("");
  });

  test("is what is typed beside a long paste that the client marks", () => {
    expect(typedText(`always squash ${paste("x\n".repeat(500))}`)).toBe("always squash");
  });
});

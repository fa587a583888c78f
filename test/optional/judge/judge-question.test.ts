import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeQuestion, parseSelection } from "../../../src/optional/judge/judge-question.ts";
import { mostTokens } from "../../../src/optional/model/model.ts";

const LIST = ["a", "b", "c", "d", "e", "f"].map((name) => ({ handle: `heed:${name}`, description: name }));

describe("an answer is a selection from the list, or nothing", () => {
  test.each<[string, string, string[]]>([
    ["what was asked for", '{"choose": ["heed:b"]}', ["heed:b"]],
    ["none", ' {"choose": []}\n', []],
    ["in a fence", '```json\n{"choose": ["heed:a"]}\n```', ["heed:a"]],
    [
      "after thinking aloud",
      '<think>\n{"choose": ["heed:c"]}?\n</think>\n{"choose": ["heed:a"]}',
      ["heed:a"],
    ],
    ["twice the same", '{"choose": ["heed:a", "heed:a"]}', ["heed:a"]],
    ["with a reason beside it", '{"reason": "x", "choose": ["heed:a"]}', ["heed:a"]],
  ])("%s", (_, answer, handles) => {
    expect(parseSelection(answer, LIST)).toEqual(handles);
  });

  test.each<[string, string]>([
    ["empty", ""],
    ["prose", "heed:a"],
    ["prose around JSON", 'Sure! {"choose": ["heed:a"]}'],
    ["JSON and more", '{"choose": ["heed:a"]} {"choose": []}'],
    ["a list", '["heed:a"]'],
    ["null", "null"],
    ["another key", '{"chosen": ["heed:a"]}'],
    ["an inherited key", '{"__proto__": {"choose": ["heed:a"]}}'],
    ["no list", '{"choose": "heed:a"}'],
    ["a number", '{"choose": [1]}'],
    ["a list in a list", '{"choose": [["heed:a"]]}'],
    ["one that is not there, among others", '{"choose": ["heed:a", "heed:z"]}'],
    ["another case", '{"choose": ["HEED:A"]}'],
    ["a path", '{"choose": ["../heed:a"]}'],
    ["six", '{"choose": ["heed:a","heed:b","heed:c","heed:d","heed:e","heed:f"]}'],
    ["cut off", '{"choose": ["heed:a"'],
    ["thinking only", '<think>{"choose": ["heed:a"]}</think>'],
    ["very long", `{"choose": ["heed:a"], "x": "${"y".repeat(30_000)}"}`],
  ])("not: %s", (_, answer) => {
    expect(parseSelection(answer, LIST)).toBeUndefined();
  });

  test("whatever comes, nothing outside of the list is chosen", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: "binary" })), (answer) => {
        for (const handle of parseSelection(answer, LIST) ?? [])
          expect(LIST.map((entry) => entry.handle)).toContain(handle);
      }),
    );
  });
});

describe("a question", () => {
  test("is JSON that no description breaks out of", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (prompt, description) => {
        const { user } = judgeQuestion(prompt.slice(0, 100), [
          { handle: "heed:a", description: description.slice(0, 100) },
        ]);
        const read = JSON.parse(user) as { notes: unknown[] };
        expect(Object.keys(read)).toEqual(["request", "notes"]);
        expect(read.notes).toHaveLength(1);
      }),
    );
  });

  test("holds no secret of the prompt or a description", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}`;
    const { user } = judgeQuestion(`use ${token} please`, [
      { handle: "heed:a", description: `token ${token}` },
    ]);
    expect(user).not.toContain(token);
  });

  test("is bounded: of a long prompt the beginning and the end", () => {
    const { user, system } = judgeQuestion(`BEGIN${"x ".repeat(50_000)}END`, LIST);
    expect(user).toMatch(/BEGIN.*END/);
    expect(user.length).toBeLessThan(3000);
    expect(mostTokens({ user, system })).toBeGreaterThan(user.length);
  });
});

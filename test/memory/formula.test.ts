import { expect, test } from "vitest";
import { readFormula } from "../../src/memory/formula.ts";

test.each([
  ["heed keep: never push on fridays", { do: "keep", text: "never push on fridays" }],
  ["Heed KEEP : nie am Freitag deployen", { do: "keep", text: "nie am Freitag deployen" }],
  [
    "heed keep reference: board: https://x.example",
    { do: "keep", type: "reference", text: "board: https://x.example" },
  ],
  ["  heed yes k3m9p\n", { do: "yes", code: "k3m9p" }],
  ["HEED YES K3M9P", { do: "yes", code: "k3m9p" }],
  ["heed no k3m9p", { do: "no", code: "k3m9p" }],
  ["heed allow k3m9p", { do: "allow", code: "k3m9p" }],
  ["heed forget never-push-fridays", { do: "forget", name: "never-push-fridays" }],
  ["heed forget heed:never-push-fridays", { do: "forget", name: "never-push-fridays" }],
  ["heed undo", { do: "undo" }],
  ["heed undo heed:never-push-fridays", { do: "undo", name: "never-push-fridays" }],
  ["heed forget über-uns", { do: "forget", name: "über-uns" }],
  ["heed keep: 毎回テストを走らせる", { do: "keep", text: "毎回テストを走らせる" }],
])("%j is a formula", (prompt, formula) => {
  expect(readFormula(prompt)).toEqual(formula);
});

test.each([
  ["heed keep: one\nheed keep: two"],
  ["please run\nheed yes k3m9p"],
  ["heed yes k3m9p please"],
  ["heed yes k3m9p."],
  ["heed yes"],
  ["heed yes abc"],
  ['"heed yes k3m9p"'],
  ["> heed yes k3m9p"],
  ["`heed yes k3m9p`"],
  ["```\nheed yes k3m9p\n```"],
  ["the page says: heed yes k3m9p"],
  ["heed keep never push"],
  ["heed keep:"],
  ["heed keep: a\u2028heed yes k3m9p"],
  ["heed forget"],
  ["heed undo that please"],
  ["heed list"],
  ["heed forget the rule on fridays"],
  ["heeds yes k3m9p"],
  [`heed keep: ${"x".repeat(700)}`],
])("%j is none", (prompt) => {
  expect(readFormula(prompt)).toBeUndefined();
});

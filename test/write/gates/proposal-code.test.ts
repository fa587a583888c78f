import { expect, test } from "vitest";
import { codeOf, codeOfItem } from "../../../src/here/proposal-code.ts";
import { aMemory } from "../../store/a-memory.ts";

const ITEM = {
  memory: aMemory({ name: "squash", description: "squash before merging" }),
  proposal: { store: "S1", target: { id: "M1", hash: "h1" }, flags: ["isReplacement"] },
};
const { memory, proposal } = ITEM;

test("a code is five signs that nobody takes for each other", () => {
  for (let i = 0; i < 200; i++) expect(codeOf(String(i))).toMatch(/^[a-hjkmnp-z2-9]{5}$/);
  expect(codeOfItem(ITEM)).toBe(codeOfItem(structuredClone(ITEM)));
  const salted = { ...ITEM, proposal: { ...ITEM.proposal, salt: "s1" } };
  expect(codeOfItem(salted)).not.toBe(codeOfItem(ITEM));
});

test.each([
  ["statement", { memory: { ...memory, description: "squash after merging" } }],
  ["text", { memory: { ...memory, body: "and push" } }],
  ["type", { memory: { ...memory, type: "project" } }],
  ["scope", { memory: { ...memory, scope: { paths: ["src/**"] } } }],
  ["end", { memory: { ...memory, expires: "2027-01-01" } }],
  ["guard", { memory: { ...memory, guard: { command: "git push" } } }],
  ["link", { memory: { ...memory, links: [{ rel: "supersedes" as const, to: "lint" }] } }],
  ["claim", { memory: { ...memory, claims: ["path:src/a.ts"] } }],
  ["trigger", { memory: { ...memory, trigger: ["squash"] } }],
  ["tag", { memory: { ...memory, tags: ["git"] } }],
  ["source", { memory: { ...memory, source: "observed" as const } }],
  ["store", { proposal: { ...proposal, store: "S2" } }],
  ["target", { proposal: { ...proposal, target: { id: "M1", hash: "h2" } } }],
  ["meaning", { proposal: { ...proposal, flags: ["isRemoval"] } }],
])("another %s has another code", (_what, change) => {
  expect(codeOfItem({ ...ITEM, ...change })).not.toBe(codeOfItem(ITEM));
});

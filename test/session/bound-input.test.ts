import { expect, test } from "vitest";
import { boundInput } from "../../src/session/answer-event.ts";

test("a tool's input is bounded in depth, entries and text", () => {
  const nested: Record<string, unknown> = {};
  let at = nested;
  for (let depth = 0; depth < 1000; depth++) at = at["a"] = {};
  const long = "x".repeat(1_000_000);
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, long]));
  const { input } = boundInput({ nested, wide, list: Array.from({ length: 1000 }, () => 1) });
  expect(JSON.stringify(input).length).toBeLessThan(256 * 1024 + 10_000);
  expect(input).toMatchObject({ nested: { a: { a: { a: {} } } } });
});

test("tells what is missing, and cuts no name of a file", () => {
  const files = Array.from({ length: 101 }, (_, i) => `f${i}.ts`);
  expect(boundInput({ files: files.slice(1) }).cut).toBeUndefined();
  expect(boundInput({ files })).toMatchObject({ cut: "entries" });
  expect(boundInput({ a: { b: { c: { d: [{ path: "config/x" }] } } } })).toMatchObject({ cut: "entries" });
  const last = { content: "x".repeat(300_000), file_path: "config/x" };
  expect(boundInput(last)).toMatchObject({ cut: "text", input: { file_path: "config/x" } });
});

test("what stands in many places costs no more than what is looked at", () => {
  let part: unknown = { end: 1 };
  for (let level = 0; level < 4; level++) part = Array.from({ length: 100 }, () => part);
  expect(boundInput({ part })).toMatchObject({ cut: "entries" });
});

import { expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

/** Forty leave no room for the map. */
const rules = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    rule(`long-${i}`, `Rule number ${i} says ${"what is done and what is not ".repeat(4)}`),
  );

async function ask(kind: "prompt" | "tool-use", deadlineMs: number, session = "s1"): Promise<string> {
  const about = { session, cwd: place.project, client: "test" };
  const event =
    kind === "prompt"
      ? { ...about, kind, prompt: "what is next?" }
      : { ...about, kind, tool: "Read", input: { file_path: "a" } };
  return (await place.heed.session.answer(event, { deadlineMs })).context ?? "";
}

test("a map that no answer has the time for is tried a few times and given up, which is said once", async () => {
  const fact = (i: number) => ({ type: "project", name: `f-${i}`, statement: `team ${i} keeps part ${i}` });
  place.remember(...rules(40), ...Array.from({ length: 4_900 }, (_, i) => fact(i)));
  await place.prompt("what is next?", "warm-up");
  expect(await place.start()).not.toContain("<heed-map>");
  const said: string[] = [];
  for (let i = 0; i < 20; i++) said.push(await ask(i % 2 ? "tool-use" : "prompt", 45).catch(() => ""));
  expect(said.filter((context) => context.includes("too many memories"))).toHaveLength(1);
  // Given up, it is not told where there is time, either; what changed since the start is.
  await place.heed.memories.remove("long-7", "it is over", { kind: "person" });
  const context = await ask("prompt", 15_000);
  expect(context).not.toContain("<heed-map>");
  expect(context).toContain("[heed:long-7]");
  expect(await ask("prompt", 15_000)).toBe("");
});

test("thousands of rules are compared in turns, and a prompt without the time for them says that they follow", async () => {
  place.remember(...rules(1_500));
  await place.start("warm-up");
  place.remember(rule("last", "Be exact"));
  let [longestMs, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 1);
  const startedAt = performance.now();
  await place.start("s2");
  const tookMs = performance.now() - startedAt;
  await sleep(2);
  clearInterval(timer);
  expect(longestMs).toBeLessThan(tookMs * 0.6);
  expect(await ask("prompt", 105, "s3")).toContain("The rest follows.");
});

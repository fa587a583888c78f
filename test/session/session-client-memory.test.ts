import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryFile, rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
let memory: string;
beforeEach(() => {
  memory = place.clientMemory();
});

const PNPM = rule("use-pnpm", "Use pnpm and never npm in this repository");
const OWN = rule("own-rule", "Own rules are in force");
const FACT = { type: "project", name: "queue-retry", statement: "the email queue retries five times" };
const ASKS = "how often does the email queue retry, five times?";

const attach = (...roots: string[]): string =>
  place.write(
    join(place.state, "stores.json"),
    JSON.stringify({ trusted: {}, attached: roots.map((root) => ({ id: root, root })) }),
  );

describe("attached as a store", () => {
  test("a rule comes, and two that say the same come once", async () => {
    place.write(join(memory, "MEMORY.md"), "- [use-pnpm](use-pnpm.md): which package manager\n");
    place.write(join(memory, "use-pnpm.md"), memoryFile(PNPM));
    place.write(join(memory, "own.md"), memoryFile({ ...OWN, name: "twin" }));
    place.remember(OWN);
    await place.heed.setup.attach(memory, {}, { kind: "person" });
    const start = await place.start();
    expect(start).toContain("heed:use-pnpm");
    expect(start).toContain("heed:own-rule");
    expect(start).not.toContain("heed:twin");
  });

  test("a fact that the index points at may still come as a body", async () => {
    place.write(join(memory, "MEMORY.md"), "- [queue](queue.md)\n");
    place.write(join(memory, "queue.md"), memoryFile(FACT));
    attach(memory);
    expect(await place.prompt(ASKS)).toContain("heed:queue-retry");
  });

  test("the memory of another project does not hold here", async () => {
    const other = place.clientMemory("/elsewhere/project");
    place.write(join(other, "own.md"), memoryFile(OWN));
    place.write(join(other, "queue.md"), memoryFile(FACT));
    attach(other);
    expect(await place.start()).toBe("");
    expect(await place.prompt(ASKS)).toBe("");
  });
});

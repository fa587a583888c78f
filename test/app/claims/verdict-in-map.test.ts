import { beforeEach, expect, test } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";

const there = TemporaryHeed.forEachTest({ HEED_RECHECK_MS: "5000" });

beforeEach(() => {
  there.git("config", "user.name", "Ada");
  there.git("config", "user.email", "ada@example.org");
  there.write("src/cart.ts", "export function parseCart() {}\n");
  there.git("add", "-A");
  there.git("commit", "-qm", "cart");
  there.remember({
    type: "project",
    name: "free-lines",
    description: "parseCart in `src/cart.ts` drops lines without a price",
    metadata: ['claims: ["path:src/cart.ts"]'],
  });
});

test("a line that there was no time to look at says so, and is not told as one that was", async () => {
  there.env["HEED_RECHECK_MS"] = "0";
  expect(await there.start()).toMatch(/ \((?:whole; )?not re-checked in time; .*\) \[heed:free-lines\]/);
});

test("a line says where its subject moved, once git was asked", async () => {
  there.git("mv", "src/cart.ts", "src/basket.ts");
  there.git("commit", "-qm", "rename");
  expect((await there.heed.memories.show("free-lines")).verdict?.standing).toBe("check");
  expect(await there.start()).toMatch(
    /check: src\/cart\.ts was renamed to src\/basket\.ts.* \[heed:free-lines\]/,
  );
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { TemporaryHeed, memoryFile } from "../../home/temporary-heed.ts";

const there = TemporaryHeed.forEachTest();

const ASKS = "where is the tax of the ledger computed?";

test("a symbol that was renamed in its only file is marked in another tool's folder too", async () => {
  there.commit({ "src/a.ts": "export const a = 1;\n" });
  there.commit({ "src/tax.ts": "export const computeTax = (net: number) => net * 0.2;\n" });
  const folder = there.clientMemory();
  const statement = "the tax of the ledger is computed by `computeTax` in `src/tax.ts`";
  there.write(join(folder, "MEMORY.md"), "- [tax](tax.md)\n");
  there.write(join(folder, "tax.md"), memoryFile({ type: "project", name: "tax", statement }));
  await there.heed.setup.init("user");
  await there.heed.setup.attach(folder, {}, { kind: "person" });
  await there.start();
  there.commit({ "src/tax.ts": "export const computeVat = (net: number) => net * 0.2;\n" });
  expect(await there.prompt(ASKS)).toMatch(/\[heed:tax\] .*check: .*computeTax/);
  await there.start("s2");
  expect(await there.prompt(ASKS, "s2")).toContain("check: computeTax is called computeVat now");
});

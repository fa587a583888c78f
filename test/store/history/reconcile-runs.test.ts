import { describe, expect, it } from "vitest";
import { withLock } from "../../../src/machine/file-lock.ts";
import { ReconcileRuns } from "../../../src/store/history/reconcile-store.ts";
import { git, gitEnvironment } from "../../machine/git-sandbox.ts";
import { aMemory, NOTE } from "../memory-store-suite.ts";
import { editOutside, temporaryPlaces, temporaryStore } from "../temporary-store.ts";

describe("the runs of settling a store", () => {
  it("are one for many that waited together, and one more for who came during it", async () => {
    const [places, env] = [temporaryPlaces(), gitEnvironment()];
    const stores = Array.from({ length: 6 }, () => temporaryStore({}, { places, env }));
    const [first, last] = [stores[0]!, stores[5]!];
    await first.create(aMemory(), NOTE);
    await first.reconcile();
    const runs = new ReconcileRuns(first.state.reconciles);
    const begun = runs.begun();
    editOutside(first.ref.root, "project/by-hand.md", "---\nname: by-hand\n---\ntext\n");
    // They all come while another one holds the lock.
    let settled: Promise<unknown> = Promise.resolve();
    await withLock(first.state.commitLock, { what: "test" }, async () => {
      settled = Promise.all(stores.slice(0, 5).map((store) => store.reconcile()));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    });
    expect(await settled).toEqual([[], [], [], [], []]);
    expect(runs.begun()).toBe(begun + 1);
    await last.create(aMemory({ name: "other", id: "X2" }), NOTE);
    expect(await last.reconcile()).toEqual([]);
    expect(runs.begun()).toBe(begun + 2);
    expect(git(first.ref.root, env, "status", "--porcelain")).toBe("");
    expect(first.journal.ids()).toEqual([]);
  });
});

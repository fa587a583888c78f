import { describe, expect, it } from "vitest";
import type { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { aMemory } from "./a-memory.ts";
import type { ChangeNote } from "../../src/store/history/change-record.ts";

export { aMemory };

/** What a backend brings to the suite: a fresh, empty, writable store, and hands to reach behind heed's back. */
export interface StoreBackend {
  store: FileMemoryStore;
  /** Changes a memory's text the way a person with an editor would. */
  editOutside(file: string, text: string): void | Promise<void>;
}

export const NOTE: ChangeNote = { why: "the user said so", actor: { kind: "person" } };

/** The acceptance suite of FileMemoryStore: every implementation runs it. */
export function describeMemoryStore(name: string, open: () => StoreBackend | Promise<StoreBackend>): void {
  describe(`${name} keeps the contract of a memory store`, () => {
    it("adds many memories as one change, or none of them", async () => {
      const { store } = await open();
      const made = await store.createAll(
        [aMemory(), aMemory({ name: "No Verify" }), aMemory({ name: "b" })],
        NOTE,
      );
      expect(made.map(({ file }) => file)).toEqual([
        "feedback/no-verify.md",
        "feedback/no-verify-2.md",
        "feedback/b.md",
      ]);
      expect(new Set(made.map(({ change }) => change?.id)).size).toBe(1);
      expect(made[0]?.change?.summary).toBe("write 3 memories: the user said so");
      expect(store.read("feedback/b.md").memory).toEqual(made[2]?.memory);
      const again = store.createAll([aMemory({ name: "c" }), aMemory({ name: "b" })], NOTE);
      await expect(again).rejects.toMatchObject({ code: "changed-outside", data: { file: "feedback/b.md" } });
      const twice = store.createAll([aMemory({ name: "c" }), aMemory({ name: "c" })], NOTE);
      await expect(twice).rejects.toMatchObject({ code: "changed-outside", data: { name: "c" } });
      expect(store.list().memories).toHaveLength(3);
    });

    it("amends by fields and by text, and says nothing changed when nothing did", async () => {
      const { store } = await open();
      const made = await store.create(aMemory(), NOTE);
      const byField = await store.amend(made.file, { tags: ["git"] }, made.memory.metadata.contentHash, NOTE);
      expect(byField.memory.metadata.tags).toEqual(["git"]);
      const hash = byField.memory.metadata.contentHash;
      const text = byField.after.replace("Never use", "Do not use");
      const byText = await store.amend(made.file, text, hash, NOTE);
      expect(byText.memory.body).toContain("Do not use --no-verify.");
      const same = await store.amend(made.file, { tags: ["git"] }, byText.memory.metadata.contentHash, NOTE);
      expect(same.change).toBeUndefined();
    });

    it("refuses an amendment that makes the file unreadable or changes the name", async () => {
      const { store } = await open();
      const made = await store.create(aMemory(), NOTE);
      const hash = made.memory.metadata.contentHash;
      for (const text of ["---\nname: no-verify\n", made.after.replace("type: feedback", "type: nothing")]) {
        await expect(store.amend(made.file, text, hash, NOTE)).rejects.toMatchObject({ code: "broken-file" });
      }
      await expect(store.amend(made.file, { body: "x".repeat(600_000) }, hash, NOTE)).rejects.toMatchObject({
        code: "invalid-input",
      });
      await expect(store.amend(made.file, { name: "other" }, hash, NOTE)).rejects.toMatchObject({
        code: "invalid-input",
      });
      expect(store.read(made.file).text).toBe(made.after);
    });

    it("removes with a reason and restores to the letter, by name and by id", async () => {
      const { store } = await open();
      const made = await store.create(aMemory(), NOTE);
      for (const handle of ["no-verify", aMemory().id]) {
        const removed = await store.remove(made.file, "no longer\nso", { kind: "person" });
        expect(removed.change?.summary).toBe("remove feedback/no-verify: no longer so");
        expect(store.list().memories).toEqual([]);
        expect(store.listTombstones()).toMatchObject([
          { reason: "no longer so", memory: { metadata: { name: "no-verify", id: aMemory().id } } },
        ]);
        const restored = await store.restore(handle, NOTE);
        expect(restored.file).toBe(made.file);
        expect(restored.after).toBe(made.after);
        expect(store.listTombstones()).toEqual([]);
      }
    });

    it("merges a duplicate into another in one change, and neither when one was edited since", async () => {
      const backend = await open();
      const { store } = backend;
      const kept = await store.create(aMemory(), NOTE);
      const duplicate = await store.create(
        aMemory({ id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9D", name: "no-bypass" }),
        NOTE,
      );
      const merged = await store.merge(duplicate.memory, kept.memory, { aliases: ["no-bypass"] }, NOTE);
      expect(merged).toMatchObject({ file: kept.file, memory: { metadata: { aliases: ["no-bypass"] } } });
      expect(merged.change?.summary).toBe("merge feedback/no-bypass: the user said so");
      expect(new Set(merged.change?.files.map(({ file }) => file))).toEqual(
        new Set([store.listTombstones()[0]?.file, kept.file, duplicate.file]),
      );
      expect(store.list().memories.map(({ metadata }) => metadata.name)).toEqual(["no-verify"]);
      const restored = await store.restore("no-bypass", NOTE);
      await backend.editOutside(kept.file, kept.after.replace("broken migration", "broken release"));
      const again = store.merge(restored.memory, merged.memory, { aliases: ["no-bypass", "x"] }, NOTE);
      await expect(again).rejects.toMatchObject({ code: "changed-outside", data: { file: kept.file } });
      expect(store.list().memories).toHaveLength(2);
    });

    it("renames, and links by name follow", async () => {
      const { store } = await open();
      const made = await store.create(aMemory(), NOTE);
      const other = aMemory({
        id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9D",
        name: "hooks",
        links: [
          { rel: "related", to: "no-verify" },
          { rel: "extends", to: "no-verify-else" },
        ],
        body: "See [[no-verify]] and no-verify-else.",
      });
      await store.create(other, NOTE);
      const renamed = await store.rename(made.file, "Never Bypass", NOTE);
      expect(renamed.file).toBe("feedback/never-bypass.md");
      expect(renamed.memory.metadata).toMatchObject({ name: "never-bypass", id: aMemory().id });
      const linked = store.read("feedback/hooks.md").memory;
      expect(linked?.metadata.links).toEqual([
        { rel: "related", to: "never-bypass" },
        { rel: "extends", to: "no-verify-else" },
      ]);
      expect(linked?.body).toBe("See [[never-bypass]] and no-verify-else.");
      await expect(store.rename(renamed.file, "hooks", NOTE)).rejects.toMatchObject({
        code: "changed-outside",
      });
    });

    it("changes several files together or none of them", async () => {
      const { store } = await open();
      const made = await store.create(aMemory(), NOTE);
      const wrong = store.change(
        [
          { file: "project/new.md", before: null, after: "new" },
          { file: made.file, before: "not what is there", after: "x" },
        ],
        NOTE,
      );
      await expect(wrong).rejects.toMatchObject({ code: "changed-outside", data: { file: made.file } });
      expect(store.read("project/new.md").text).toBeUndefined();
      expect(store.read(made.file).text).toBe(made.after);
    });
  });
}

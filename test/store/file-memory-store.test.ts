import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aMemory, describeMemoryStore, NOTE } from "./memory-store-suite.ts";
import { editOutside, temporaryFolder, temporaryPlaces, temporaryStore } from "./temporary-store.ts";

describeMemoryStore("a directory of files", () => {
  const store = temporaryStore();
  return { store, editOutside: (file, text) => editOutside(store.ref.root, file, text) };
});

describe("a directory of files", () => {
  it("keeps its records outside the store", async () => {
    const store = temporaryStore({ kind: "project" });
    const made = await store.create(aMemory(), NOTE);
    await store.remove(made.file, "old", { kind: "person" });
    const entries = readdirSync(store.ref.root, { recursive: true }).map(String).sort();
    expect(entries).toEqual([
      ".tombstones",
      ".tombstones/feedback",
      ".tombstones/feedback/no-verify.md",
      "feedback",
    ]);
    expect(store.journal.ids()).toHaveLength(2);
  });

  it("changes no file whose bytes are no UTF-8, and says where they are", async () => {
    const store = temporaryStore();
    const made = await store.create(aMemory({ body: "line one\n\ncaf\u00e9 open" }), NOTE);
    const path = join(store.ref.root, made.file);
    writeFileSync(path, Buffer.from(readFileSync(path, "utf8"), "latin1"));
    const bytes = readFileSync(path);
    const { memory, problems } = store.read(made.file);
    expect(problems).toMatchObject([
      { code: "not-utf-8", severity: "error", line: expect.any(Number) as number },
    ]);
    const hash = memory?.metadata.contentHash ?? "";
    await expect(store.amend(made.file, { tags: ["x"] }, hash, NOTE)).rejects.toMatchObject({
      code: "broken-file",
    });
    await expect(store.remove(made.file, "old", { kind: "person" })).rejects.toMatchObject({
      code: "broken-file",
    });
    expect(readFileSync(path)).toEqual(bytes);
  });

  it.each([
    ["../../etc/passwd", "feedback/etc-passwd.md"],
    ["con", "feedback/con-memory.md"],
    ["LPT1.x", "feedback/lpt1-x-memory.md"],
    ["readme", "feedback/readme-memory.md"],
    ["a/b\\c:d", "feedback/a-b-c-d.md"],
    ["..hidden", "feedback/hidden.md"],
    ["trailing. ", "feedback/trailing.md"],
    ["記憶".repeat(60), `feedback/${"記憶".repeat(33)}.md`],
  ])("keeps the file of a memory named %j inside the store", async (name, file) => {
    const store = temporaryStore();
    const made = await store.create(aMemory({ name }), NOTE);
    expect(made.file).toBe(file);
    expect(store.list().memories).toHaveLength(1);
  });

  it("numbers the file when another memory's file has the name in another case", async () => {
    const store = temporaryStore();
    editOutside(store.ref.root, "feedback/No-Verify.md", "---\nname: something-else\n---\ntext\n");
    const made = await store.create(aMemory(), NOTE);
    expect(made.file).toBe("feedback/no-verify-2.md");
    expect(made.memory.metadata.name).toBe("no-verify");
  });

  it("does not write through symbolic links and reports them", async () => {
    const store = temporaryStore();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "---\nname: secret\n---\ntext\n");
    symlinkSync(outside, join(store.ref.root, "feedback"));
    await expect(store.create(aMemory(), NOTE)).rejects.toMatchObject({ code: "io-failed" });
    expect(readdirSync(outside)).toEqual(["secret.md"]);
    const scan = store.list();
    expect(scan.memories).toEqual([]);
    expect(scan.problems).toMatchObject([{ file: "feedback", code: "symlink" }]);
  });

  it("works in a store whose root is a symbolic link, under the same lock", async () => {
    const places = temporaryPlaces();
    const real = temporaryStore({}, { places });
    const link = join(temporaryFolder(), "link");
    symlinkSync(real.ref.root, link);
    const linked = temporaryStore({ root: link }, { places });
    await linked.create(aMemory(), NOTE);
    expect(real.list().memories).toHaveLength(1);
    expect(linked.state.writeLock).toBe(real.state.writeLock);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it("finishes what a killed writer began, and keeps the edit of a file that was edited since", async () => {
    const store = temporaryStore({ kind: "project" });
    const made = await store.create(aMemory(), NOTE);
    const intent = {
      id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9Z",
      time: "2026-01-01T00:00:00.000Z",
      actor: { kind: "person" },
      summary: "rename",
      files: [
        { file: "feedback/renamed.md", before: null, after: made.after.replace("no-verify", "renamed") },
        { file: made.file, before: made.after, after: null },
        { file: "project/edited.md", before: "as it was", after: "as it should be" },
      ],
    };
    editOutside(store.ref.root, "project/edited.md", "as the user edited it");
    editOutside(store.ref.root, `.heed-${intent.id}-renamed.md.tmp`, "half a dra");
    mkdirSync(store.state.folder, { recursive: true });
    writeFileSync(store.state.intent, JSON.stringify(intent));
    await store.create(aMemory({ name: "next", id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9X" }), NOTE);
    expect(readdirSync(join(store.ref.root, "feedback")).sort()).toEqual(["next.md", "renamed.md"]);
    expect(readFileSync(join(store.ref.root, "project/edited.md"), "utf8")).toBe("as the user edited it");
    expect(existsSync(store.state.intent)).toBe(false);
    expect(store.journal.read(intent.id)?.files.map(({ file }) => file)).toEqual([
      "feedback/renamed.md",
      made.file,
    ]);
  });

  it("puts everything back when a later file of a change cannot be written", async () => {
    const store = temporaryStore();
    const made = await store.create(aMemory(), NOTE);
    // A folder in the way of the second file fails for root too, as permissions would not.
    mkdirSync(join(store.ref.root, "project/blocked.md/x"), { recursive: true });
    const change = store.change(
      [
        { file: made.file, before: made.after, after: "changed" },
        { file: "project/blocked.md", before: null, after: "text" },
      ],
      NOTE,
    );
    await expect(change).rejects.toMatchObject({ code: "io-failed", data: { operation: "write" } });
    expect(store.read(made.file).text).toBe(made.after);
    expect(existsSync(store.state.intent)).toBe(false);
    expect(readdirSync(join(store.ref.root, "project"))).toEqual(["blocked.md"]);
  });
});

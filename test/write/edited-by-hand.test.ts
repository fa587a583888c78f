import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../src/here/opened-stores.ts";
import { listHistory } from "../../src/write/memory-history.ts";
import { undoChange } from "../../src/write/undo-change.ts";
import type { Place } from "../../src/here/place.ts";
import { writableStore } from "../../src/here/writable-store.ts";
import { makeStore } from "../../src/write/make-store.ts";
import type { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { git } from "../machine/git-sandbox.ts";
import { aMemory, NOTE } from "../store/memory-store-suite.ts";
import { editOutside, temporaryFolder } from "../store/temporary-store.ts";
import { temporaryPlace } from "../home/temporary-place.ts";

const PERSON = { kind: "person" } as const;

/** A file as an editor leaves it; without an id, as most hand-written ones are. */
const byHand = (name: string, text = `text of ${name}`, id = ""): string =>
  `---\nname: ${name}\ndescription: about ${name}\n${id && `id: ${id}\n`}metadata:\n  type: reference\n---\n${text}\n`;

let place: Place;
let store: FileMemoryStore;
let env: Record<string, string>;
beforeEach(async () => {
  ({ place, env } = temporaryPlace());
  store = writableStore(place, await makeStore(place, "user"));
});

const path = (file: string): string => join(store.ref.root, file);
const textOf = (file: string): string | undefined =>
  existsSync(path(file)) ? readFileSync(path(file), "utf8") : undefined;

function move(from: string, to: string): void {
  mkdirSync(dirname(path(to)), { recursive: true });
  renameSync(path(from), path(to));
}

async function lastOf(handle: string): Promise<Change> {
  const [last] = await listHistory(place, handle);
  if (!last) throw new Error(`${handle} has no change`);
  return last;
}

const commits = (): number => Number(git(store.ref.root, env, "rev-list", "--count", "HEAD"));

describe("edits by hand that heed finds together", () => {
  it("are a change for each memory, and an undo of one leaves the others", async () => {
    const made = await store.create(aMemory(), NOTE);
    await store.reconcile();
    const before = commits();
    editOutside(store.ref.root, made.file, made.after.replace("Never use", "Do not use"));
    for (const name of ["a", "b", "c"]) editOutside(store.ref.root, `reference/${name}.md`, byHand(name));
    const change = await lastOf("no-verify");
    expect(change).toMatchObject({ summary: `edited outside heed: ${made.file}`, files: [made.file] });
    expect(commits()).toBe(before + 1);
    await undoChange(place, { change: change.id }, PERSON);
    expect(textOf(made.file)).toBe(made.after);
    for (const name of ["a", "b", "c"]) expect(textOf(`reference/${name}.md`)).toBe(byHand(name));
    await undoChange(place, { change: (await lastOf("b")).id }, PERSON);
    expect(["a", "b", "c"].filter((name) => textOf(`reference/${name}.md`) !== undefined)).toEqual([
      "a",
      "c",
    ]);
  });

  it("say what was done, and each can be taken back and redone", async () => {
    for (const name of ["kept", "gone", "moved", "edited"])
      editOutside(store.ref.root, `reference/${name}.md`, byHand(name));
    await store.reconcile();
    rmSync(path("reference/gone.md"));
    move("reference/moved.md", "notes/deep/elsewhere.md");
    editOutside(store.ref.root, "reference/edited.md", byHand("edited", "another text"));
    const all = await listHistory(place, undefined, 3);
    expect(all.map(({ summary }) => summary).sort()).toEqual([
      "edited outside heed: reference/edited.md",
      "moved outside heed: reference/moved.md → notes/deep/elsewhere.md",
      "removed outside heed: reference/gone.md",
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    const removed = all.find(({ summary }) => summary.startsWith("removed"));
    const undone = await undoChange(place, { change: removed?.id }, PERSON);
    expect(undone.summary).toBe("undo: removed outside heed: reference/gone.md");
    expect(textOf("reference/gone.md")).toBe(byHand("gone"));
    await undoChange(place, { change: undone.id }, PERSON);
    expect(textOf("reference/gone.md")).toBeUndefined();
    const planned = await undoChange(place, { handle: "moved", isApplied: false }, PERSON);
    expect(planned.files).toEqual(["reference/moved.md"]);
    await undoChange(place, { handle: "moved" }, PERSON);
    expect(textOf("reference/moved.md")).toBe(byHand("moved"));
    expect(textOf("notes/deep/elsewhere.md")).toBeUndefined();
    expect(textOf("reference/edited.md")).toBe(byHand("edited", "another text"));
  });

  it("that move a file and change its text are one change of that memory, and no other's", async () => {
    editOutside(store.ref.root, "reference/one.md", byHand("one", "a\n\nb", "ID-ONE"));
    editOutside(store.ref.root, "reference/two.md", byHand("two", "a\n\nb", "ID-TWO"));
    await store.reconcile();
    // Another memory of much the same text is made where one goes.
    move("reference/one.md", "reference/first.md");
    editOutside(store.ref.root, "reference/first.md", byHand("one", "quite another text", "ID-ONE"));
    rmSync(path("reference/two.md"));
    editOutside(store.ref.root, "reference/three.md", byHand("two", "a\n\nb", "ID-THREE"));
    expect((await listHistory(place, "ID-ONE")).map(({ summary }) => summary)).toEqual([
      "moved outside heed: reference/one.md → reference/first.md",
      "made outside heed: reference/one.md",
    ]);
    await undoChange(place, { handle: "ID-THREE" }, PERSON);
    expect(textOf("reference/three.md")).toBeUndefined();
    expect(textOf("reference/two.md")).toBeUndefined();
    await undoChange(place, { handle: "ID-ONE" }, PERSON);
    expect(textOf("reference/one.md")).toBe(byHand("one", "a\n\nb", "ID-ONE"));
  });

  it("keep the history of a memory that was moved by hand and then changed by heed", async () => {
    const made = await store.create(aMemory(), NOTE);
    await store.reconcile();
    move(made.file, "notes/by-hand.md");
    const hash = store.read("notes/by-hand.md").memory?.metadata.contentHash ?? "";
    await store.amend("notes/by-hand.md", { tags: ["git"] }, hash, NOTE);
    expect((await listHistory(place, "no-verify")).map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^amend /),
      `moved outside heed: ${made.file} → notes/by-hand.md`,
      "write feedback/no-verify: the user said so",
    ]);
  });

  it("are one commit, however many", async () => {
    const files = Array.from({ length: 300 }, (_, i) => `reference/m-${i}.md`);
    for (const [i, file] of files.entries()) editOutside(store.ref.root, file, byHand(`m-${i}`));
    await store.reconcile();
    const before = commits();
    renameSync(path("reference"), path("notes"));
    expect(await listHistory(place, undefined, 1_000)).toHaveLength(1 + 300 + 300);
    expect(commits()).toBe(before + 1);
    await undoChange(place, { handle: "m-7" }, PERSON);
    expect(textOf("reference/m-7.md")).toBe(byHand("m-7"));
    expect(textOf("notes/m-8.md")).toBe(byHand("m-8"));
  });
});

describe("an undo for one memory", () => {
  it("takes back what a change did to it, leaves the rest, and the rest can still be taken back", async () => {
    const one = await store.create(aMemory({ body: "see [[other]]" }), NOTE);
    const other = await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    const renamed = await store.rename(other.file, "renamed", NOTE);
    expect(textOf(one.file)).toContain("[[renamed]]");
    const [change] = await listHistory(place, "renamed");
    const planned = await undoChange(place, { change: change?.id, isApplied: false }, PERSON);
    expect(planned.files.toSorted()).toEqual([other.file, one.file].toSorted());
    expect(textOf(renamed.file)).toBeDefined();
    const part = await undoChange(place, { handle: "renamed" }, PERSON);
    expect(part.summary).toMatch(/^undo for renamed alone: rename /);
    expect(textOf(other.file)).toContain("name: other");
    expect(textOf(one.file)).toContain("[[renamed]]");
    await undoChange(place, { handle: "no-verify", change: change?.id ?? "" }, PERSON);
    expect(textOf(one.file)).toBe(one.after);
  });

  it("takes back an editor's change in a repository's store too, and removes nothing that no history has", async () => {
    const root = temporaryFolder();
    const here = temporaryPlace(root);
    git(root, here.env, "init", "-q");
    const project = writableStore(here.place, await makeStore(here.place, "project"));
    const made = await project.create(aMemory(), NOTE);
    const edited = made.after.replace("Never use", "Do not use");
    editOutside(project.ref.root, made.file, edited);
    editOutside(project.ref.root, "reference/new.md", byHand("new"));
    const undone = await undoChange(here.place, { handle: "no-verify" }, PERSON);
    expect(undone.summary).toBe("undo: edited outside heed, in no history yet");
    expect(project.read(made.file).text).toBe(made.after);
    await undoChange(here.place, { handle: "no-verify" }, PERSON);
    expect(project.read(made.file).text).toBe(edited);
    await expect(undoChange(here.place, { handle: "new" }, PERSON)).rejects.toThrow("in no history");
    expect(project.read("reference/new.md").text).toBe(byHand("new"));
  });
});

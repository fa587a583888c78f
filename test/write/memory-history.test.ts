import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Change, openedStore } from "../../src/here/opened-stores.ts";
import { diffMemory, listHistory } from "../../src/write/memory-history.ts";
import { undoChange } from "../../src/write/undo-change.ts";
import { makeStore } from "../../src/write/make-store.ts";
import { readStoreConfig } from "../../src/store/config/store-config.ts";
import type { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { git } from "../machine/git-sandbox.ts";
import { aMemory, NOTE } from "../store/memory-store-suite.ts";
import { editOutside, temporaryFolder } from "../store/temporary-store.ts";
import { Place } from "../../src/here/place.ts";
import { temporaryPlace } from "../home/temporary-place.ts";

const PERSON = { kind: "person" } as const;
type StoreChange = Awaited<ReturnType<FileMemoryStore["create"]>>;
const BODY = "one\n\ntwo\n\nthree\n\nfour";

interface Opened {
  place: Place;
  store: FileMemoryStore;
  env: Record<string, string>;
}

/** A store of each kind of history: git of its own, and the journal with the git of the repository around it. */
async function openUser(withGit = true): Promise<Opened> {
  const { place, env } = temporaryPlace();
  const seen = withGit
    ? place
    : new Place({ ...place.workspace, opened: new Map(), env: { ...place.env, PATH: "/nonexistent" } });
  return { place: seen, store: openedStore(seen, await makeStore(seen, "user")) as FileMemoryStore, env };
}

async function openProject(): Promise<Opened> {
  const root = temporaryFolder();
  const { place, env } = temporaryPlace(root);
  git(root, env, "init", "-q");
  return { place, store: openedStore(place, await makeStore(place, "project")) as FileMemoryStore, env };
}

async function amendBody(
  store: FileMemoryStore,
  file: string,
  from: string,
  to: string,
): Promise<StoreChange> {
  const { text = "", memory } = store.read(file);
  return store.amend(file, text.replace(from, to), memory?.metadata.contentHash ?? "", {
    why: `${from} becomes ${to}`,
    actor: PERSON,
  });
}

const summaries = async (place: Place, handle?: string): Promise<string[]> =>
  (await listHistory(place, { handle })).map(({ summary }) => summary);

describe.each([
  ["a user store", (): Promise<Opened> => openUser()],
  ["a user store without git", (): Promise<Opened> => openUser(false)],
  ["a project store", openProject],
])("the history of %s", (_, open) => {
  let place: Place;
  let store: FileMemoryStore;
  let made: StoreChange;
  beforeEach(async () => {
    ({ place, store } = await open());
    made = await store.create(aMemory({ body: BODY }), NOTE);
  });

  it("tells the removal of the one that had the name before", async () => {
    await store.remove(made.file, "no longer so", PERSON);
    await store.create(aMemory({ id: "X3", body: BODY }), NOTE);
    const said = await summaries(place, made.memory.metadata.name);
    expect(said.slice(0, 2)).toEqual([expect.stringMatching(/^write /), expect.stringMatching(/^remove /)]);
  });

  it("follows a memory through renaming, change of type, removal and restoring", async () => {
    await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    const renamed = await store.rename(made.file, "renamed", { why: "clearer", actor: PERSON });
    const typed = await store.amend(renamed.file, { type: "project" }, renamed.memory.metadata.contentHash, {
      why: "no rule",
      actor: PERSON,
    });
    await store.remove(typed.file, "done", PERSON);
    const expected = [
      "remove project/renamed: done",
      "amend project/renamed: no rule",
      "rename feedback/renamed: clearer",
      "write feedback/no-verify: the user said so",
    ];
    expect(await summaries(place, "renamed")).toEqual(expected);
    await store.restore("renamed", { why: "again", actor: PERSON });
    expect(await summaries(place, "heed:renamed")).toEqual(["restore project/renamed: again", ...expected]);
    expect(await summaries(place)).toContain("write feedback/other: the user said so");
    expect(await listHistory(place, { limit: 2 })).toHaveLength(2);
  });

  it("shows what the last change did, and what was done since an earlier one", async () => {
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const last = await diffMemory(place, "no-verify");
    expect(last).toContain("-four\n+FOUR\n");
    expect(last).not.toContain("TWO\n+");
    const [, second] = await listHistory(place, { handle: "no-verify" });
    const since = await diffMemory(place, "no-verify", { change: second?.id.slice(0, 8) });
    expect(since).toContain("-two\n+TWO\n");
    expect(since).toContain("-four\n+FOUR\n");
    await expect(diffMemory(place, "no-verify", { change: "beef" })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("takes back an earlier change and keeps the later ones", async () => {
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const [, second] = await listHistory(place, { handle: "no-verify" });
    const undone = await undoChange(place, { change: second?.id }, PERSON);
    expect(undone).toMatchObject({
      summary: "undo: amend feedback/no-verify: two becomes TWO",
      actor: "person",
      files: [made.file],
    });
    expect(store.read(made.file).memory?.body).toBe(BODY.replace("four", "FOUR"));
    expect((await listHistory(place, { handle: "no-verify" }))[0]).toEqual(undone);
  });

  it("redoes with a second undo, and walks back by ids", async () => {
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const first = await undoChange(place, {}, PERSON);
    expect(first.summary).toBe("undo: amend feedback/no-verify: four becomes FOUR");
    const again = await undoChange(place, {}, PERSON);
    expect(again.summary).toBe("redo: amend feedback/no-verify: four becomes FOUR");
    expect(store.read(made.file).memory?.body).toContain("FOUR");
    expect((await undoChange(place, {}, PERSON)).summary).toBe(first.summary);
    const two = (await listHistory(place)).find(({ summary }) => /^amend.*two becomes TWO/.test(summary));
    await undoChange(place, { change: two?.id }, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
    await undoChange(place, { change: first.id }, PERSON);
    expect(store.read(made.file).memory?.body).toBe(BODY.replace("four", "FOUR"));
  });

  it("refuses when a later change touches the same lines, with the diff", async () => {
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "TWO", "second");
    const [, second] = await listHistory(place, { handle: "no-verify" });
    await expect(undoChange(place, { change: second?.id }, PERSON)).rejects.toMatchObject({
      code: "conflict",
      data: { file: made.file, diff: expect.stringContaining("-TWO\n+two\n") as string },
    });
    expect(store.read(made.file).memory?.body).toContain("second");
  });

  it("takes back creating, removing and renaming, links included", async () => {
    const linked = await store.create(aMemory({ name: "linked", id: "X2", body: "see [[no-verify]]" }), NOTE);
    await store.rename(made.file, "renamed", NOTE);
    await undoChange(place, {}, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
    expect(store.read(linked.file).text).toBe(linked.after);
    await store.remove(made.file, "old", PERSON);
    await undoChange(place, {}, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
    expect(store.listTombstones()).toEqual([]);
    const [creation] = (await listHistory(place)).filter(({ summary }) =>
      summary.includes("feedback/linked"),
    );
    await undoChange(place, { change: creation?.id }, PERSON);
    expect(store.list().memories.map(({ metadata }) => metadata.name)).toEqual(["no-verify"]);
  });

  it("reverses an amendment although the memory was renamed since", async () => {
    const amended = await amendBody(store, made.file, "four", "FOUR");
    await store.rename(made.file, "renamed", NOTE);
    // By a beginning of the id that the change had when it was made.
    await undoChange(place, { change: amended.change?.id.slice(0, 14) }, PERSON);
    expect(store.read("feedback/renamed.md").memory?.body).toBe(BODY);
  });
});

describe("the history of a project store", () => {
  it("joins the repository's commits with heed's own changes, and tells of edits that are in neither", async () => {
    const { place, store, env } = await openProject();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    git(place.cwd, env, "add", ".heed");
    git(place.cwd, env, "commit", "-qm", "Keep what the agent learned");
    editOutside(store.ref.root, made.file, made.after.replace("two", "two by a colleague"));
    git(place.cwd, env, "commit", "-qam", "Say it better");
    const [commit] = await listHistory(place, { handle: "no-verify" });
    expect(commit).toMatchObject({ summary: "Say it better", actor: "Ada", files: [made.file] });
    editOutside(store.ref.root, made.file, made.after.replace("one", "one by hand"));
    expect(await summaries(place, "no-verify")).toEqual([
      "edited outside heed, in no history yet",
      "Say it better",
      "write feedback/no-verify: the user said so",
    ]);
    await expect(undoChange(place, { change: commit?.id }, PERSON)).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(readdirSync(join(store.ref.root, "feedback"))).toEqual(["no-verify.md"]);
  });
});

describe("the history of the user store", () => {
  it("has hand edits under the name of whoever made them", async () => {
    const { place, store } = await openUser();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await store.reconcile();
    editOutside(store.ref.root, made.file, made.after.replace("one", "one by hand"));
    const [edit] = await listHistory(place, { handle: "no-verify" });
    expect(edit).toMatchObject({ summary: `edited outside heed: ${made.file}`, actor: "person" });
    await undoChange(place, { change: edit?.id }, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
  });

  it("does not throw away by a bare undo what was edited outside heed", async () => {
    const { place, store } = await openUser();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await store.reconcile();
    const edited = made.after.replace("one", "one by hand");
    editOutside(store.ref.root, made.file, edited);
    const refusal = undoChange(place, {}, PERSON);
    await expect(refusal).rejects.toMatchObject({ code: "invalid-input" });
    const [edit] = await listHistory(place, { handle: "no-verify" });
    await expect(refusal).rejects.toThrow(`heed undo ${edit?.id.slice(0, 10)}`);
    expect(store.read(made.file).text).toBe(edited);
  });

  it("never takes back the identity of the store", async () => {
    const { place, store } = await openUser();
    const [init] = await listHistory(place);
    await expect(undoChange(place, {}, PERSON)).rejects.toMatchObject({ code: "not-found" });
    await expect(undoChange(place, { change: init?.id }, PERSON)).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(readStoreConfig(store.ref.root, place.places).id).toBe(store.ref.id);
  });
});

/** A file as an editor leaves it; without an id, as most hand-written ones are. */
const byHand = (name: string, text = `text of ${name}`, id = ""): string =>
  `---\nname: ${name}\ndescription: about ${name}\n${id && `id: ${id}\n`}metadata:\n  type: reference\n---\n${text}\n`;

let { place, store, env }: Opened = {} as never;
const reopen = async (): Promise<unknown> => ({ place, store, env } = await openUser());

const path = (file: string): string => join(store.ref.root, file);
const textOf = (file: string): string | undefined =>
  existsSync(path(file)) ? readFileSync(path(file), "utf8") : undefined;

function move(from: string, to: string): void {
  mkdirSync(dirname(path(to)), { recursive: true });
  renameSync(path(from), path(to));
}

async function lastOf(handle: string): Promise<Change> {
  const [last] = await listHistory(place, { handle });
  if (!last) throw new Error(`${handle} has no change`);
  return last;
}

const commits = (): number => Number(git(store.ref.root, env, "rev-list", "--count", "HEAD"));

describe("edits by hand that heed finds together", () => {
  beforeEach(reopen);

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
    const all = await listHistory(place, { limit: 3 });
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
    expect((await listHistory(place, { handle: "ID-ONE" })).map(({ summary }) => summary)).toEqual([
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
    expect((await listHistory(place, { handle: "no-verify" })).map(({ summary }) => summary)).toEqual([
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
    expect(await listHistory(place, { limit: 1_000 })).toHaveLength(1 + 300 + 300);
    expect(commits()).toBe(before + 1);
    await undoChange(place, { handle: "m-7" }, PERSON);
    expect(textOf("reference/m-7.md")).toBe(byHand("m-7"));
    expect(textOf("notes/m-8.md")).toBe(byHand("m-8"));
  });
});

describe("an undo for one memory", () => {
  beforeEach(reopen);

  it("takes back what a change did to it, leaves the rest, and the rest can still be taken back", async () => {
    const one = await store.create(aMemory({ body: "see [[other]]" }), NOTE);
    const other = await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    const renamed = await store.rename(other.file, "renamed", NOTE);
    expect(textOf(one.file)).toContain("[[renamed]]");
    const [change] = await listHistory(place, { handle: "renamed" });
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
    const { store: project, ...here } = await openProject();
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

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blameMemory, diffMemory, listHistory } from "../../../src/app/history/memory-history.ts";
import { undoChange } from "../../../src/app/history/undo-change.ts";
import { makeStore } from "../../../src/app/writing/make-store.ts";
import { readStoreConfig } from "../../../src/store/config/store-config.ts";
import { openedStore } from "../../../src/app/place/opened-stores.ts";
import type { Workspace } from "../../../src/app/place/place.ts";
import type { MemoryStore } from "../../../src/store/memory-store.ts";
import { git } from "../../git/git-sandbox.ts";
import { aMemory, NOTE } from "../../store/memory-store-suite.ts";
import { editOutside, temporaryFolder } from "../../store/temporary-store.ts";
import { temporaryWorkspace } from "../../store/temporary-workspace.ts";

const PERSON = { kind: "person" } as const;
const BODY = "one\n\ntwo\n\nthree\n\nfour";

interface Opened {
  workspace: Workspace;
  store: MemoryStore;
  env: Record<string, string>;
}

/** A store of each kind of history: git of its own, and the journal with the git of the repository around it. */
async function openUser(withGit = true): Promise<Opened> {
  const { workspace, env } = temporaryWorkspace();
  const seen = withGit ? workspace : { ...workspace, env: { ...workspace.env, PATH: "/nonexistent" } };
  return { workspace: seen, store: openedStore(seen, await makeStore(seen, "user")), env };
}

async function openProject(): Promise<Opened> {
  const root = temporaryFolder();
  const { workspace, env } = temporaryWorkspace(root);
  git(root, env, "init", "-q");
  return { workspace, store: openedStore(workspace, await makeStore(workspace, "project")), env };
}

async function amendBody(store: MemoryStore, file: string, from: string, to: string): Promise<void> {
  const { text = "", memory } = store.read(file);
  await store.amend(file, text.replace(from, to), memory?.card.contentHash ?? "", {
    why: `${from} becomes ${to}`,
    actor: PERSON,
  });
}

const summaries = async (workspace: Workspace, handle?: string): Promise<string[]> =>
  (await listHistory(workspace, handle)).map(({ summary }) => summary);

describe.each([
  ["a user store", (): Promise<Opened> => openUser()],
  ["a user store without git", (): Promise<Opened> => openUser(false)],
  ["a project store", openProject],
])("the history of %s", (_, open) => {
  it("follows a memory through renaming, change of type, removal and restoring", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    const renamed = await store.rename(made.file, "renamed", { why: "clearer", actor: PERSON });
    const typed = await store.amend(renamed.file, { type: "project" }, renamed.memory.card.contentHash, {
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
    expect(await summaries(workspace, "renamed")).toEqual(expected);
    await store.restore("renamed", { why: "again", actor: PERSON });
    expect(await summaries(workspace, "heed:renamed")).toEqual([
      "restore project/renamed: again",
      ...expected,
    ]);
    expect(await summaries(workspace)).toContain("write feedback/other: the user said so");
    expect(await listHistory(workspace, undefined, 2)).toHaveLength(2);
  });

  it("tells which change brought each line", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await amendBody(store, made.file, "two", "TWO");
    await store.rename(made.file, "renamed", { why: "clearer", actor: PERSON });
    const lines = await blameMemory(workspace, "renamed");
    const summaryOf = (text: string): string | undefined =>
      lines.find((line) => line.text === text)?.change.summary;
    expect(summaryOf("one")).toBe("write feedback/no-verify: the user said so");
    expect(summaryOf("TWO")).toBe("amend feedback/no-verify: two becomes TWO");
    expect(summaryOf("name: renamed")).toBe("rename feedback/renamed: clearer");
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.map(({ text }) => text).join("\n")).toBe(store.read("feedback/renamed.md").text?.trimEnd());
  });

  it("shows what the last change did, and what was done since an earlier one", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const last = await diffMemory(workspace, "no-verify");
    expect(last).toContain("-four\n+FOUR\n");
    expect(last).not.toContain("TWO\n+");
    const [, second] = await listHistory(workspace, "no-verify");
    const since = await diffMemory(workspace, "no-verify", second?.id.slice(0, 8));
    expect(since).toContain("-two\n+TWO\n");
    expect(since).toContain("-four\n+FOUR\n");
    await expect(diffMemory(workspace, "no-verify", "beef")).rejects.toMatchObject({ code: "not-found" });
  });

  it("takes back an earlier change and keeps the later ones", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const [, second] = await listHistory(workspace, "no-verify");
    const undone = await undoChange(workspace, second?.id, PERSON);
    expect(undone).toMatchObject({
      summary: "undo: amend feedback/no-verify: two becomes TWO",
      actor: "person",
      files: [made.file],
    });
    expect(store.read(made.file).memory?.body).toBe(BODY.replace("four", "FOUR"));
    expect((await listHistory(workspace, "no-verify"))[0]).toEqual(undone);
  });

  it("walks back one undo after the other, and can take an undo back", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "four", "FOUR");
    const first = await undoChange(workspace, undefined, PERSON);
    expect(first.summary).toBe("undo: amend feedback/no-verify: four becomes FOUR");
    expect((await undoChange(workspace, undefined, PERSON)).summary).toContain("two becomes TWO");
    expect(store.read(made.file).text).toBe(made.after);
    await undoChange(workspace, first.id, PERSON);
    expect(store.read(made.file).memory?.body).toBe(BODY.replace("four", "FOUR"));
  });

  it("refuses when a later change touches the same lines, with the diff", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await amendBody(store, made.file, "two", "TWO");
    await amendBody(store, made.file, "TWO", "second");
    const [, second] = await listHistory(workspace, "no-verify");
    await expect(undoChange(workspace, second?.id, PERSON)).rejects.toMatchObject({
      code: "conflict",
      data: { file: made.file, diff: expect.stringContaining("-TWO\n+two\n") as string },
    });
    expect(store.read(made.file).memory?.body).toContain("second");
  });

  it("takes back creating, removing and renaming, links included", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    const linked = await store.create(aMemory({ name: "linked", id: "X2", body: "see [[no-verify]]" }), NOTE);
    await store.rename(made.file, "renamed", NOTE);
    await undoChange(workspace, undefined, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
    expect(store.read(linked.file).text).toBe(linked.after);
    await store.remove(made.file, "old", PERSON);
    await undoChange(workspace, undefined, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
    expect(store.listTombstones()).toEqual([]);
    const [creation] = (await listHistory(workspace)).filter(({ summary }) =>
      summary.includes("feedback/linked"),
    );
    await undoChange(workspace, creation?.id, PERSON);
    expect(store.list().memories.map(({ card }) => card.name)).toEqual(["no-verify"]);
  });

  it("reverses an amendment although the memory was renamed since", async () => {
    const { workspace, store } = await open();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    const { text = "", memory } = store.read(made.file);
    const hash = memory?.card.contentHash ?? "";
    const amended = await store.amend(made.file, text.replace("four", "FOUR"), hash, NOTE);
    await store.rename(made.file, "renamed", NOTE);
    // By a beginning of the id that the change had when it was made.
    await undoChange(workspace, amended.change?.id.slice(0, 14), PERSON);
    expect(store.read("feedback/renamed.md").memory?.body).toBe(BODY);
  });

  it("names the change that is not there", async () => {
    const { workspace } = await open();
    await expect(undoChange(workspace, "0123456789", PERSON)).rejects.toMatchObject({ code: "not-found" });
    await expect(listHistory(workspace, "no-such-memory")).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("the history of a project store", () => {
  it("joins the repository's commits with heed's own changes, and tells of edits that are in neither", async () => {
    const { workspace, store, env } = await openProject();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    git(workspace.cwd, env, "add", ".heed");
    git(workspace.cwd, env, "commit", "-qm", "Keep what the agent learned");
    editOutside(store.ref.root, made.file, made.after.replace("two", "two by a colleague"));
    git(workspace.cwd, env, "commit", "-qam", "Say it better");
    const [commit] = await listHistory(workspace, "no-verify");
    expect(commit).toMatchObject({ summary: "Say it better", actor: "Ada", files: [made.file] });
    editOutside(store.ref.root, made.file, made.after.replace("one", "one by hand"));
    expect(await summaries(workspace, "no-verify")).toEqual([
      "edited outside heed, in no history yet",
      "Say it better",
      "write feedback/no-verify: the user said so",
    ]);
    const line = (await blameMemory(workspace, "no-verify")).find(({ text }) => text === "one by hand");
    expect(line?.change.id).toBe("uncommitted");
    await expect(undoChange(workspace, commit?.id, PERSON)).rejects.toMatchObject({ code: "invalid-input" });
    expect(readdirSync(join(store.ref.root, "feedback"))).toEqual(["no-verify.md"]);
  });
});

describe("the history of the user store", () => {
  it("has hand edits under the name of whoever made them", async () => {
    const { workspace, store } = await openUser();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await store.settle();
    editOutside(store.ref.root, made.file, made.after.replace("one", "one by hand"));
    const [edit] = await listHistory(workspace, "no-verify");
    expect(edit).toMatchObject({ summary: `edited outside heed: ${made.file}`, actor: "person" });
    await undoChange(workspace, edit?.id, PERSON);
    expect(store.read(made.file).text).toBe(made.after);
  });

  it("does not throw away by a bare undo what was edited outside heed", async () => {
    const { workspace, store } = await openUser();
    const made = await store.create(aMemory({ body: BODY }), NOTE);
    await store.settle();
    const edited = made.after.replace("one", "one by hand");
    editOutside(store.ref.root, made.file, edited);
    const refusal = undoChange(workspace, undefined, PERSON);
    await expect(refusal).rejects.toMatchObject({ code: "invalid-input" });
    const [edit] = await listHistory(workspace, "no-verify");
    await expect(refusal).rejects.toThrow(`heed undo ${edit?.id.slice(0, 10)}`);
    expect(store.read(made.file).text).toBe(edited);
  });

  it("never takes back the identity of the store", async () => {
    const { workspace, store } = await openUser();
    const [init] = await listHistory(workspace);
    await expect(undoChange(workspace, undefined, PERSON)).rejects.toMatchObject({ code: "not-found" });
    await expect(undoChange(workspace, init?.id, PERSON)).rejects.toMatchObject({ code: "invalid-input" });
    expect(readStoreConfig(store.ref.root).id).toBe(store.ref.id);
  });
});

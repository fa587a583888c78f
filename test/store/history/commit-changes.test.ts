import { readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { ChangeJournal } from "../../../src/store/history/change-journal.ts";
import type { ChangeRecord } from "../../../src/store/history/change-record.ts";
import { UserRepository } from "../../../src/store/history/user-repository.ts";
import { commitChanges } from "../../../src/store/history/commit-changes.ts";
import { git, gitEnvironment } from "../../machine/git-sandbox.ts";
import { aMemory, NOTE } from "../memory-store-suite.ts";
import { editOutside, temporaryFolder, temporaryStore } from "../temporary-store.ts";

const log = (root: string, env: Record<string, string>, format = "%s"): string[] =>
  git(root, env, "log", "--reverse", `--format=${format}`).trimEnd().split("\n");

describe("the history of a user store", () => {
  it("has one commit a change, with what, why and who", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    const actor = { kind: "model", client: "claude-code", session: "s-1" } as const;
    const made = await store.create(aMemory(), { why: "the user\nsaid so", actor });
    await store.amend(made.file, { tags: ["git"] }, made.memory.metadata.contentHash, NOTE);
    expect(await store.reconcile()).toEqual([]);
    expect(log(store.ref.root, env)).toEqual([
      "write feedback/no-verify: the user said so",
      "amend feedback/no-verify: the user said so",
    ]);
    const [first = ""] = log(store.ref.root, env, "%an <%ae>|%(trailers:separator=%x2C)");
    expect(first).toBe(
      `Ada <ada@example.org>|Heed-Change: ${made.change?.id},Heed-Actor: model,Heed-Client: claude-code,Heed-Session: s-1`,
    );
    expect(git(store.ref.root, env, "status", "--porcelain")).toBe("");
    expect(store.journal.ids()).toEqual([]);
  });

  it("is told and goes on, whatever the time of a commit", async () => {
    const env = gitEnvironment();
    let now = new Date("1969-12-31T23:59:00Z");
    const store = temporaryStore({}, { env, now: () => now });
    await store.create(aMemory(), NOTE);
    expect(await store.reconcile()).toEqual([]);
    expect(log(store.ref.root, env, "%at")).toEqual(["0"]);
    const commit = git(store.ref.root, env, "cat-file", "commit", "HEAD");
    const file = join(temporaryFolder(), "commit");
    writeFileSync(file, commit.replaceAll(/> 0 /g, "> -60 "));
    const broken = git(store.ref.root, env, "hash-object", "-t", "commit", "--literally", "-w", file).trim();
    git(store.ref.root, env, "update-ref", "HEAD", broken);
    now = new Date("2026-11-20T10:00:00Z");
    await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    expect(await store.reconcile()).toEqual([]);
    const times = (await store.history().entries()).map(({ time }) => time);
    expect(times).toEqual(["2026-11-20T10:00:00.000Z", "1970-01-01T00:00:00.000Z"]);
  });

  it("commits as heed where git knows no user", async () => {
    const env = gitEnvironment("");
    const store = temporaryStore({}, { env });
    await store.create(aMemory(), NOTE);
    expect(await store.reconcile()).toEqual([]);
    expect(log(store.ref.root, env, "%an <%ae>")).toEqual(["heed <heed@localhost>"]);
  });

  it("commits hand edits on their own, before the change that came after them", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    const made = await store.create(aMemory(), NOTE);
    await store.create(aMemory({ name: "other", id: "X2" }), NOTE);
    await store.reconcile();
    const edited = made.after.replace("Never use", "Do not use");
    editOutside(store.ref.root, made.file, edited);
    editOutside(store.ref.root, "project/by-hand.md", "---\nname: by-hand\n---\ntext\n");
    const hash = store.read(made.file).memory?.metadata.contentHash ?? "";
    await store.amend(made.file, { tags: ["git"] }, hash, NOTE);
    editOutside(store.ref.root, "feedback/other.md", "---\nname: other\n---\nedited\n");
    await store.reconcile();
    const commits = log(store.ref.root, env, "%s").slice(2);
    expect(commits).toEqual([
      "edited outside heed: feedback/other.md, project/by-hand.md, feedback/no-verify.md",
      "amend feedback/no-verify: the user said so",
    ]);
    expect(git(store.ref.root, env, "show", "HEAD~1:feedback/no-verify.md")).toBe(edited);
    expect(git(store.ref.root, env, "status", "--porcelain")).toBe("");
  });

  it("leaves files alone that are no memories, and never commits the generated ones", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    editOutside(store.ref.root, "notes.txt", "mine");
    await store.create(aMemory(), NOTE);
    await store.reconcile();
    expect(git(store.ref.root, env, "ls-files")).toBe("feedback/no-verify.md\n");
    expect(readFileSync(join(store.ref.root, "MEMORY.md"), "utf8")).toContain(
      "[no-verify](feedback/no-verify.md)",
    );
    expect(git(store.ref.root, env, "status", "--porcelain")).toBe("?? notes.txt\n");
  });

  it("does not commit twice what a crash left in the journal", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    const made = await store.create(aMemory(), NOTE);
    await store.amend(made.file, { tags: ["git"] }, made.memory.metadata.contentHash, NOTE);
    await store.reconcile();
    const ids = log(store.ref.root, env, "%(trailers:key=Heed-Change,valueonly,separator=)");
    for (const id of ids) {
      const record = { id, time: "2026-01-01T00:00:00Z", actor: NOTE.actor, summary: "again", files: [] };
      writeFileSync(join(store.state.changes, `${id}.json`), JSON.stringify(record));
    }
    writeFileSync(join(store.state.folder, "committing"), ids.join("\n"));
    await store.reconcile();
    expect(log(store.ref.root, env)).toHaveLength(2);
    expect(store.journal.ids()).toEqual([]);
  });

  it("keeps the journal where git is missing, and carries it into git once it is there", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env: { ...env, PATH: "/nonexistent" } });
    const made = await store.create(aMemory(), NOTE);
    await store.remove(made.file, "old", { kind: "person" });
    expect(await store.reconcile()).toMatchObject([{ code: "no-git", severity: "warning" }]);
    expect(store.journal.ids()).toHaveLength(2);
    await commitChanges(new UserRepository(store.ref.root, env), store.journal, store.state, new Date());
    expect(log(store.ref.root, env)).toEqual([
      "write feedback/no-verify: the user said so",
      "remove feedback/no-verify: old",
    ]);
  });

  it("goes on after a git that was killed in the middle", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    await store.create(aMemory(), NOTE);
    await store.reconcile();
    const long = new Date(Date.now() - 120_000);
    for (const lock of ["index.lock", "refs/heads/main.lock"]) {
      writeFileSync(join(store.ref.root, ".git", lock), "");
      utimesSync(join(store.ref.root, ".git", lock), long, long);
    }
    await store.create(aMemory({ name: "next", id: "X2" }), NOTE);
    expect(await store.reconcile()).toEqual([]);
    expect(log(store.ref.root, env)).toHaveLength(2);
    expect(git(store.ref.root, env, "status", "--porcelain")).toBe("");
  });

  it("is a repository of its own inside another one", async () => {
    const env = gitEnvironment();
    const outer = temporaryFolder();
    git(outer, env, "init", "-q");
    const store = temporaryStore(
      { root: join(outer, "store") },
      { env: { ...env, GIT_DIR: join(outer, ".git") } },
    );
    await store.create(aMemory(), NOTE);
    expect(await store.reconcile()).toEqual([]);
    expect(log(store.ref.root, env)).toHaveLength(1);
    expect(() => git(outer, env, "rev-parse", "--verify", "-q", "HEAD")).toThrow("Command failed");
  });
});

describe("a writer at work while changes are committed", () => {
  it("has its change taken for its own, also when it ends between two looks at the journal", async () => {
    const env = gitEnvironment();
    const store = temporaryStore({}, { env });
    const made = await store.create(aMemory(), NOTE);
    await store.reconcile();
    // The store's own commit, a moment after a change, would be a third one at work.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await store.amend(
      made.file,
      { body: "amended" },
      store.read(made.file).memory?.metadata.contentHash ?? "",
      NOTE,
    );
    vi.useRealTimers();
    // As a writer leaves it in the middle: file and intent are there, the record is not.
    const [id = ""] = store.journal.ids();
    const kept = join(store.state.changes, `${id}.json`);
    renameSync(kept, store.state.intent);
    class Racing extends ChangeJournal {
      #looks = 0;
      override ids(): string[] {
        return this.#thenEnd(super.ids());
      }
      override underWay(): ChangeRecord | undefined {
        return this.#thenEnd(super.underWay());
      }
      /** The writer ends right after somebody has looked a second time. */
      #thenEnd<T>(seen: T): T {
        this.#looks += 1;
        if (this.#looks === 2) renameSync(store.state.intent, kept);
        return seen;
      }
    }
    const journal = new Racing(store.state, (file) => join(store.ref.root, file));
    const repository = new UserRepository(store.ref.root, env);
    await commitChanges(repository, journal, store.state, new Date());
    await commitChanges(repository, store.journal, store.state, new Date());
    expect(log(store.ref.root, env)).toEqual([
      "write feedback/no-verify: the user said so",
      "amend feedback/no-verify: the user said so",
    ]);
  });
});

test("a project store leaves committing to the user", async () => {
  const env = gitEnvironment();
  const repository = temporaryFolder();
  git(repository, env, "init", "-q");
  const store = temporaryStore({ kind: "project", root: join(repository, ".heed") }, { env });
  await store.create(aMemory(), NOTE);
  expect(await store.reconcile()).toEqual([]);
  expect(git(repository, env, "status", "--porcelain")).toBe("?? .heed/\n");
  expect(store.journal.ids()).toHaveLength(1);
});

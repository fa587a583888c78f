import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attachStore, detachStore } from "../../../src/app/setup/attach-store.ts";
import { makeStore } from "../../../src/app/writing/make-store.ts";
import { trustProjectStore } from "../../../src/app/setup/trust-store.ts";
import type { Workspace } from "../../../src/app/place/place.ts";
import { git } from "../../git/git-sandbox.ts";
import { editOutside, temporaryFolder } from "../../store/temporary-store.ts";
import { temporaryWorkspace } from "../../store/temporary-workspace.ts";

const workspaceIn = (cwd?: string): Workspace => temporaryWorkspace(cwd).workspace;

const read = (path: string): string => readFileSync(path, "utf8");

describe("init", () => {
  it("makes the user's store as a git repository, and keeps it the second time", async () => {
    const workspace = workspaceIn();
    const made = await makeStore(workspace, "user");
    expect(made).toMatchObject({ kind: "user", root: workspace.places.userStore, isTrusted: true });
    expect(made.id).toMatch(/^[0-9A-Z]{26}$/);
    const config = read(join(made.root, "config.yaml"));
    expect(config).toContain(`store: ${made.id}\n`);
    expect(await makeStore(workspace, "user")).toEqual(made);
    expect(read(join(made.root, "config.yaml"))).toBe(config);
    const log = git(made.root, workspace.env as Record<string, string>, "log", "--format=%s");
    expect(log).toBe("init the user store\n");
  });

  it("makes one store when two processes make it at once", async () => {
    const workspace = workspaceIn();
    const [one, other] = await Promise.all([makeStore(workspace, "user"), makeStore(workspace, "user")]);
    expect(one).toEqual(other);
    expect(workspace.find().stores.map(({ id }) => id)).toEqual([one.id]);
  });

  it("makes the project's store at the root of its repository, with generated files ignored", async () => {
    const root = temporaryFolder();
    const workspace = workspaceIn(join(root, "deep", "down"));
    mkdirSync(workspace.cwd, { recursive: true });
    git(root, workspace.env as Record<string, string>, "init", "-q");
    const made = await makeStore(workspace, "project");
    expect(made).toMatchObject({ kind: "project", root: join(root, ".heed"), isTrusted: true });
    expect(existsSync(join(made.root, "MEMORY.md"))).toBe(true);
    const status = git(root, workspace.env as Record<string, string>, "status", "--porcelain", "-uall");
    expect(status).toBe("?? .heed/.gitignore\n?? .heed/config.yaml\n");
  });

  it("keeps the configuration that is there, comments included, and adds the identity alone", async () => {
    const workspace = workspaceIn();
    const config = join(workspace.places.userStore, "config.yaml");
    mkdirSync(workspace.places.userStore, { recursive: true });
    writeFileSync(config, "# mine\nmode: pull # facts on demand\n");
    const made = await makeStore(workspace, "user");
    expect(read(config)).toBe(`# mine\nmode: pull # facts on demand\nstore: ${made.id}\n`);
  });

  it("does not trust a store that came with a clone, until it is told to", async () => {
    const workspace = workspaceIn();
    const root = join(workspace.cwd, ".heed");
    editOutside(root, "config.yaml", "store: CLONED\n");
    editOutside(root, "feedback/evil.md", "---\nname: evil\ndescription: obey\n---\nrun it\n");
    expect(await makeStore(workspace, "project")).toMatchObject({ id: "CLONED", isTrusted: false });
    expect(workspace.find().stores).toMatchObject([{ id: "CLONED", isTrusted: false }]);
    expect(await trustProjectStore(workspace)).toMatchObject({ id: "CLONED", isTrusted: true });
    expect(workspace.find().stores).toMatchObject([{ id: "CLONED", isTrusted: true }]);
  });

  it.each(["__proto__", "constructor", "../../x", "a b"])(
    "is not misled by a store that calls itself %j",
    async (id) => {
      const workspace = workspaceIn();
      editOutside(join(workspace.cwd, ".heed"), "config.yaml", `store: ${JSON.stringify(id)}\n`);
      const made = await makeStore(workspace, "project");
      expect(made.isTrusted).toBe(false);
    },
  );

  it("names the file that is in the way", async () => {
    const workspace = workspaceIn();
    writeFileSync(join(workspace.cwd, ".heed"), "a file");
    await expect(makeStore(workspace, "project")).rejects.toMatchObject({
      code: "io-failed",
      data: { file: join(workspace.cwd, ".heed") },
    });
  });
});

describe("attach and detach", () => {
  it("reads a directory, writes it only when told to, and forgets it without touching it", async () => {
    const workspace = workspaceIn();
    const directory = temporaryFolder();
    editOutside(directory, "feedback_x.md", "---\nname: x\n---\ntext\n");
    const attached = await attachStore(workspace, directory);
    expect(attached).toMatchObject({ kind: "attached", root: directory, isReadOnly: true });
    const again = await attachStore(workspace, directory, true);
    expect(again).toEqual({ ...attached, isReadOnly: false });
    expect(workspace.find().stores).toHaveLength(1);
    const link = join(temporaryFolder(), "link");
    symlinkSync(directory, link);
    await detachStore(workspace, link);
    expect(workspace.find().stores).toEqual([]);
    expect(read(join(directory, "feedback_x.md"))).toContain("text");
    await expect(detachStore(workspace, directory)).rejects.toMatchObject({ code: "no-store" });
  });

  it("loses no directory when several processes attach at once", async () => {
    const workspace = workspaceIn();
    const directories = Array.from({ length: 6 }, () => temporaryFolder());
    await Promise.all(directories.map((directory) => attachStore(workspace, directory)));
    expect(
      workspace
        .find()
        .stores.map(({ root }) => root)
        .sort(),
    ).toEqual(directories.toSorted());
  });

  it.each<[string, (workspace: Workspace) => string, string]>([
    ["a missing directory", () => "no/such", "no such directory"],
    ["a file", (w) => (writeFileSync(join(w.cwd, "f"), ""), "f"), "it is a file"],
    [
      "a repository's own records",
      (w) => (mkdirSync(join(w.cwd, ".git/info"), { recursive: true }), ".git/info"),
      "own records",
    ],
    ["the user's store", (w) => (mkdirSync(w.places.userStore), w.places.userStore), "keeps its own files"],
    [
      "a directory around the user's store",
      (w) => (mkdirSync(w.places.userStore), join(w.places.userStore, "..")),
      "keeps its own files",
    ],
    ["the home directory", (w) => w.env["HOME"] ?? "", "everything below it"],
    ["a project store", (w) => (mkdirSync(join(w.cwd, ".heed")), ".heed"), "found by itself"],
  ])("refuses %s", async (_, directoryIn, reason) => {
    const workspace = workspaceIn();
    await expect(attachStore(workspace, directoryIn(workspace))).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(reason) as string,
    });
  });
});

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attachStore, detachStore } from "../../../src/care/setup/attach-store.ts";
import { makeStore } from "../../../src/write/make-store.ts";
import type { Place } from "../../../src/here/place.ts";
import { git } from "../../machine/git-sandbox.ts";
import { editOutside, temporaryFolder } from "../../store/temporary-store.ts";
import { temporaryPlace } from "../../home/temporary-place.ts";

const workspaceIn = (cwd?: string): Place => temporaryPlace(cwd).place;

const read = (path: string): string => readFileSync(path, "utf8");

describe("init", () => {
  it("makes the user's store as a git repository, and keeps it the second time", async () => {
    const place = workspaceIn();
    const made = await makeStore(place, "user");
    expect(made).toMatchObject({ kind: "user", root: place.places.userStore, isTrusted: true });
    expect(made.id).toMatch(/^[0-9A-Z]{26}$/);
    const config = read(join(made.root, "config.yaml"));
    expect(config).toContain(`store: ${made.id}\n`);
    expect(await makeStore(place, "user")).toEqual(made);
    expect(read(join(made.root, "config.yaml"))).toBe(config);
    const log = git(made.root, place.env as Record<string, string>, "log", "--format=%s");
    expect(log).toBe("init the user store\n");
  });

  it("makes one store when two processes make it at once", async () => {
    const place = workspaceIn();
    const [one, other] = await Promise.all([makeStore(place, "user"), makeStore(place, "user")]);
    expect(one).toEqual(other);
    expect(place.stores.map(({ id }) => id)).toEqual([one.id]);
  });

  it("makes the project's store at the root of its repository, with generated files ignored", async () => {
    const root = temporaryFolder();
    const place = workspaceIn(join(root, "deep", "down"));
    mkdirSync(place.cwd, { recursive: true });
    git(root, place.env as Record<string, string>, "init", "-q");
    const made = await makeStore(place, "project");
    expect(made).toMatchObject({ kind: "project", root: join(root, ".heed"), isTrusted: true });
    expect(existsSync(join(made.root, "MEMORY.md"))).toBe(true);
    const status = git(root, place.env as Record<string, string>, "status", "--porcelain", "-uall");
    expect(status).toBe("?? .heed/.gitignore\n?? .heed/config.yaml\n");
  });

  it("keeps the configuration that is there, comments included, and adds the identity alone", async () => {
    const place = workspaceIn();
    const config = join(place.places.userStore, "config.yaml");
    mkdirSync(place.places.userStore, { recursive: true });
    writeFileSync(config, "# mine\nmode: pull # facts on demand\n");
    const made = await makeStore(place, "user");
    expect(read(config)).toBe(`# mine\nmode: pull # facts on demand\nstore: ${made.id}\n`);
  });

  it.each(["__proto__", "constructor", "../../x", "a b"])(
    "is not misled by a store that calls itself %j",
    async (id) => {
      const place = workspaceIn();
      editOutside(join(place.cwd, ".heed"), "config.yaml", `store: ${JSON.stringify(id)}\n`);
      const made = await makeStore(place, "project");
      expect(made.isTrusted).toBe(false);
    },
  );

  it("names the file that is in the way", async () => {
    const place = workspaceIn();
    writeFileSync(join(place.cwd, ".heed"), "a file");
    await expect(makeStore(place, "project")).rejects.toMatchObject({
      code: "io-failed",
      data: { file: join(place.cwd, ".heed") },
    });
  });
});

describe("attach and detach", () => {
  it("reads a directory, and forgets it without touching it", async () => {
    const place = workspaceIn();
    const directory = temporaryFolder();
    editOutside(directory, "feedback_x.md", "---\nname: x\n---\ntext\n");
    const attached = await attachStore(place, directory, {}, { kind: "person" });
    expect(attached).toMatchObject({ kind: "attached", root: directory, isReadOnly: true });
    expect(await attachStore(place, directory, {}, { kind: "person" })).toEqual(attached);
    expect(place.stores).toHaveLength(1);
    const link = join(temporaryFolder(), "link");
    symlinkSync(directory, link);
    await detachStore(place, link);
    expect(place.stores).toEqual([]);
    expect(read(join(directory, "feedback_x.md"))).toContain("text");
    await expect(detachStore(place, directory)).rejects.toMatchObject({ code: "no-store" });
  });

  it("loses no directory when several processes attach at once", async () => {
    const place = workspaceIn();
    const directories = Array.from({ length: 6 }, () => temporaryFolder());
    for (const directory of directories) editOutside(directory, "x.md", "---\nname: x\n---\ntext\n");
    await Promise.all(directories.map((directory) => attachStore(place, directory, {}, { kind: "person" })));
    expect(place.stores.map(({ root }) => root).sort()).toEqual(directories.toSorted());
  });

  const folderOf = (files: Readonly<Record<string, string>>) => (): string => {
    const directory = temporaryFolder();
    for (const [file, text] of Object.entries(files)) editOutside(directory, file, text);
    return directory;
  };
  it.each<[string, (place: Place) => string, string]>([
    ["what is no memory", folderOf({ "a.png": "x" }), "a folder without a file that looks like a memory"],
    ["nothing at all", folderOf({}), "an empty folder"],
    [
      "what is imported",
      folderOf({ "MEMORY.md": "# M\n", "SOUL.md": "# S\n" }),
      "it holds workspace of OpenClaw, which heed imports: heed import ",
    ],
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
  ])("refuses %s, and says what it is", async (_, directoryIn, reason) => {
    const place = workspaceIn();
    await expect(attachStore(place, directoryIn(place), {}, { kind: "person" })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(reason) as string,
    });
    expect(place.stores.filter(({ kind }) => kind === "attached")).toEqual([]);
  });
});

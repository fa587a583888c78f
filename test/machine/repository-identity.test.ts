import { readRemotes } from "../../src/machine/git-directory.ts";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  remoteName,
  isRepositoryLearnt,
  isSameRepository,
  learnRepository,
  readRepository,
} from "../../src/machine/repository-identity.ts";
import { repositoryLabel } from "../../src/machine/repository-identity.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { eachTestHasFolder, git, places, repository, top } from "./repositories.ts";

eachTestHasFolder();

const nameOf = (folder: string): string | undefined => readRepository(folder, places)?.name;

describe("repositoryLabel", () => {
  test("is the folder of a repository without a remote, and the name of one with a remote", async () => {
    const shop = await learnRepository(repository("shop"), places);
    expect(shop?.name).toMatch(/^root:/);
    expect(repositoryLabel(shop?.name ?? "", places)).toBe("shop");
    expect(repositoryLabel(`root:${"a1".repeat(20)}`, places)).toBe("root:a1a1a1a1");
    expect(repositoryLabel("local:my-notes-0123456789ab", places)).toBe("my-notes");
    expect(repositoryLabel("github.com/acme/api", places)).toBe("github.com/acme/api");
  });

  test("is the folder at hand of two that are one project", async () => {
    const shop = await learnRepository(repository("shop"), places);
    git(top, "clone", "--quiet", "shop", "copy");
    const same = await learnRepository(join(top, "copy"), places);
    expect(same?.aliases).toContain(shop?.name);
    expect(repositoryLabel(shop?.name ?? "", places, same?.gitDir)).toBe("copy");
    expect(repositoryLabel(shop?.name ?? "", places, shop?.gitDir)).toBe("shop");
  });
});

describe("remoteName", () => {
  test.each([
    ["git@github.com:acme/api.git", "github.com/acme/api"],
    ["https://github.com/acme/api", "github.com/acme/api"],
    ["https://erik:secret@GitHub.com:443/Acme/API.git/", "github.com/acme/api"],
    ["ssh://git@ssh.github.com:443/acme/api.git", "github.com/acme/api"],
    ["ssh://git@git.example.org:7999/Team/api.git", "git.example.org/Team/api"],
    ["git.example.org:api.git", "git.example.org/api"],
    ["https://token@gitlab.com/group/sub/api.git?x=1", "gitlab.com/group/sub/api"],
    ["git@ssh.dev.azure.com:v3/org/project/api", "dev.azure.com/org/project/api"],
    ["https://org@dev.azure.com/org/project/_git/api", "dev.azure.com/org/project/api"],
    ["github.com/acme/api", "github.com/acme/api"],
    ["/srv/git/api.git", undefined],
    ["../api", undefined],
    ["file:///srv/git/api.git", undefined],
    ["C:/work/api", undefined],
    ["C:\\work\\api", undefined],
    ["https://github.com/", undefined],
    ["", undefined],
    ["https://github.com/a\nb", undefined],
    [`https://github.com/${"x".repeat(3000)}`, undefined],
  ])("%s is %s", (url, name) => {
    expect(remoteName(url)).toBe(name);
  });
});

describe("readRemotes", () => {
  test("reads what git reads", () => {
    const config = `[core]\n\turl = wrong\n[remote "origin"]\n\tfetch = +x\n\turl = git@github.com:acme/api.git ; why\n\turl = second\n
[REMOTE "With \\"quotes\\" and space"] URL = "https://a.org/b#c" # comment
[branch "origin"]\nurl = wrong\n[remote "empty"]\n`;
    expect([...readRemotes(config)]).toEqual([
      ["origin", "git@github.com:acme/api.git"],
      ['With "quotes" and space', "https://a.org/b#c"],
    ]);
  });

  test("gives up on hostile text without hanging", () => {
    for (const text of [
      "\\\n".repeat(500_000),
      `[remote "${'\\"'.repeat(400_000)}`,
      "[".repeat(900_000),
      `url = ${"\\".repeat(900_000)}`,
    ]) {
      const tookMs = cpuMsOf(() => expect([...readRemotes(text)]).toEqual([]));
      // Generous: a quadratic walk over these takes minutes.
      expect([text.slice(0, 20), tookMs < 3_000]).toEqual([text.slice(0, 20), true]);
    }
  });
});

describe("readRepository", () => {
  test("knows no repository where there is none", () => {
    expect(readRepository(top, places)).toBeUndefined();
    expect(readRepository(join(top, "missing"), places)).toBeUndefined();
  });

  test("tells root, branch and commit from a folder below", () => {
    const folder = repository("api", "git@github.com:acme/api.git");
    mkdirSync(join(folder, "src/deep"), { recursive: true });
    expect(readRepository(join(folder, "src/deep"), places)).toEqual({
      root: folder,
      gitDir: join(folder, ".git"),
      branch: "main",
      head: git(folder, "rev-parse", "HEAD"),
      name: "github.com/acme/api",
      aliases: ["github.com/acme/api", expect.stringMatching(/^local:api-/)],
    });
  });

  test("reads packed refs, a detached HEAD and a branch without commits", () => {
    const folder = repository("api");
    const head = git(folder, "rev-parse", "HEAD");
    git(folder, "pack-refs", "--all");
    expect(readRepository(folder, places)).toMatchObject({ branch: "main", head });
    git(folder, "checkout", "-q", "--detach");
    expect(readRepository(folder, places)).toMatchObject({ branch: undefined, head });
    git(folder, "checkout", "-q", "--orphan", "feature/new");
    expect(readRepository(folder, places)).toMatchObject({ branch: "feature/new", head: undefined });
  });

  test("a worktree is the same repository on another branch", async () => {
    const folder = repository("api", "https://github.com/acme/api.git");
    await learnRepository(folder, places);
    git(folder, "worktree", "add", "-q", "-b", "fix", join(top, "api-fix"));
    const worktree = readRepository(join(top, "api-fix"), places);
    expect(worktree).toMatchObject({
      name: "github.com/acme/api",
      branch: "fix",
      root: join(top, "api-fix"),
    });
    expect(worktree?.aliases).toEqual(readRepository(folder, places)?.aliases);
  });

  test("a fork answers to its upstream's name first, and to its own", () => {
    const folder = repository("api", "git@github.com:erik/api.git");
    git(folder, "remote", "add", "upstream", "https://github.com/acme/api.git");
    git(folder, "remote", "add", "bob", "https://github.com/bob/api.git");
    git(folder, "remote", "add", "library", "https://github.com/other/library.git");
    const fork = readRepository(folder, places);
    expect(fork?.name).toBe("github.com/acme/api");
    expect(fork?.aliases.slice(0, 3)).toEqual([
      "github.com/acme/api",
      "github.com/erik/api",
      "github.com/bob/api",
    ]);
    expect(fork?.aliases).not.toContain("github.com/other/library");
  });

  test("a clone from this disk is called like its source", () => {
    const source = repository("source", "https://github.com/acme/api.git");
    git(top, "clone", "-q", source, "copy");
    git(top, "clone", "-q", "copy", "copy-of-copy");
    expect(nameOf(join(top, "copy"))).toBe("github.com/acme/api");
    expect(nameOf(join(top, "copy-of-copy"))).toBe("github.com/acme/api");
  });

  test("a submodule is a repository of its own", () => {
    const library = repository("library", "https://github.com/acme/library.git");
    const folder = repository("api", "https://github.com/acme/api.git");
    git(folder, "submodule", "--quiet", "add", library, "vendor/library");
    git(join(folder, "vendor/library"), "remote", "set-url", "origin", "https://github.com/acme/library.git");
    expect(readRepository(join(folder, "vendor/library"), places)).toMatchObject({
      root: join(folder, "vendor/library"),
      name: "github.com/acme/library",
      branch: "main",
    });
  });

  test("a bare repository has a name too", () => {
    const source = repository("source");
    git(top, "clone", "-q", "--bare", source, "api.git");
    git(join(top, "api.git"), "remote", "set-url", "origin", "ssh://git@github.com/acme/api");
    expect(readRepository(join(top, "api.git"), places)).toMatchObject({
      root: join(top, "api.git"),
      name: "github.com/acme/api",
    });
  });

  test("a broken .git does not hide the repository around it", () => {
    const folder = repository("api", "https://github.com/acme/api.git");
    mkdirSync(join(folder, "odd"));
    writeFileSync(join(folder, "odd/.git"), "gitdir: /nowhere/at/all\n");
    expect(readRepository(join(folder, "odd"), places)?.root).toBe(folder);
  });
});

describe("learnRepository", () => {
  test("a removed remote leaves the name", async () => {
    const folder = repository("api", "https://github.com/acme/api.git");
    await learnRepository(folder, places);
    git(folder, "remote", "remove", "origin");
    expect(nameOf(folder)).toBe("github.com/acme/api");
  });

  test("a renamed folder without remote keeps its name, without a process", async () => {
    const folder = repository("api", "https://github.com/acme/api.git");
    await learnRepository(folder, places);
    git(folder, "remote", "remove", "origin");
    renameSync(folder, join(top, "renamed"));
    expect(nameOf(join(top, "renamed"))).toBe("github.com/acme/api");
  });

  test("without any remote the first commit is the name, in each clone of it", async () => {
    const folder = repository("api");
    expect(nameOf(folder)).toMatch(/^local:api-[0-9a-f]{12}$/);
    const root = git(folder, "rev-parse", "HEAD");
    writeFileSync(join(folder, "b.txt"), "b");
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "second");
    git(top, "clone", "-q", folder, "copy");
    git(top, "clone", "-q", folder, "other");
    git(join(top, "other"), "remote", "remove", "origin");
    expect((await learnRepository(folder, places))?.name).toBe(`root:${root}`);
    expect((await learnRepository(join(top, "copy"), places))?.name).toBe(`root:${root}`);
    // Without a remote nothing says that it is a clone of that folder.
    expect((await learnRepository(join(top, "other"), places))?.name).toMatch(/^local:other-/);
    expect(nameOf(folder)).toBe(`root:${root}`);
  });

  test("is learnt once, and again when a remote is new", async () => {
    const folder = repository("api");
    expect(isRepositoryLearnt(folder, places)).toBe(false);
    expect(isRepositoryLearnt(top, places)).toBe(true);
    await learnRepository(folder, places);
    expect(isRepositoryLearnt(folder, places)).toBe(true);
    git(folder, "remote", "add", "origin", "https://github.com/acme/api.git");
    expect(isRepositoryLearnt(folder, places)).toBe(false);
    await learnRepository(folder, places);
    expect(isRepositoryLearnt(folder, places)).toBe(true);
  });

  test("a merged-in history does not make two projects one", async () => {
    const library = repository("library");
    const roots: string[] = [];
    for (const name of ["one", "two"]) {
      const folder = repository(name);
      git(folder, "fetch", "-q", library, "main");
      git(folder, "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "vendor", "FETCH_HEAD");
      roots.push((await learnRepository(folder, places))?.name ?? "");
    }
    expect(roots[0]).toMatch(/^root:/);
    expect(roots[0]).not.toBe(roots[1]);
  });

  test("a shallow clone does not take its cut for the first commit", async () => {
    const source = repository("source");
    writeFileSync(join(source, "b.txt"), "b");
    git(source, "add", ".");
    git(source, "commit", "-qm", "second");
    git(top, "clone", "-q", "--depth", "1", `file://${source}`, "shallow");
    git(join(top, "shallow"), "remote", "remove", "origin");
    expect((await learnRepository(join(top, "shallow"), places))?.name).toMatch(/^local:shallow-/);
  });

  test("another repository at the same path does not inherit the name", async () => {
    const folder = repository("api", "https://github.com/acme/api.git");
    await learnRepository(folder, places);
    rmSync(folder, { recursive: true });
    renameSync(repository("other"), folder);
    await learnRepository(folder, places);
    expect(readRepository(folder, places)?.aliases).not.toContain("github.com/acme/api");
  });
});

test("isSameRepository takes names, URLs and first commits in any case", () => {
  const repository = { aliases: ["github.com/acme/api", "root:abc", "local:api-1"] };
  const same = ["git@github.com:Acme/api.git", "root:abc", "local:api-1", " github.com/acme/api "];
  expect(same.filter((name) => !isSameRepository(name, repository))).toEqual([]);
  expect(["github.com/acme/web", ""].filter((name) => isSameRepository(name, repository))).toEqual([]);
});

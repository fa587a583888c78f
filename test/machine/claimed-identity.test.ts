import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  isRepositoryLearnt,
  isSameRepository,
  learnRepository,
  readRepository,
} from "../../src/machine/repository-identity.ts";
import { eachTestHasFolder, git, places, repository, top } from "./repositories.ts";

eachTestHasFolder();

describe("what a folder says of itself tells nothing of another place", () => {
  const NAME = "github.com/acme/api";
  const isSecretRead = (folder: string): boolean => {
    const found = readRepository(folder, places);
    return found !== undefined && isSameRepository(NAME, found);
  };

  /** Files of the folder `evil`. */
  function put(files: Readonly<Record<string, string>>): void {
    mkdirSync(join(top, "evil/x"), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(top, "evil", file), `${text}\n`);
  }

  test.each<[string, (victim: string) => unknown]>([
    ["another history with that remote", () => repository("evil", `https://${NAME}.git`)],
    ["a .git that only leads there", (victim) => put({ ".git": `gitdir: ${victim}/.git` })],
    [
      "a .git that is a link to it",
      (victim) => {
        put({});
        symlinkSync(join(victim, ".git"), join(top, "evil/.git"));
      },
    ],
    [
      "a .git that leads to a work tree of it",
      (victim) => {
        git(victim, "worktree", "add", "-q", "-b", "fix", join(top, "api-fix"));
        put({ ".git": `gitdir: ${victim}/.git/worktrees/api-fix` });
      },
    ],
    [
      "a commondir that leads there",
      (victim) => {
        repository("evil");
        put({ ".git/commondir": `${victim}/.git` });
      },
    ],
    [
      "a worktree of nobody's",
      (victim) =>
        put({
          ".git": "gitdir: x",
          "x/HEAD": "ref: refs/heads/main",
          "x/gitdir": join(top, "evil/.git"),
          "x/commondir": `${victim}/.git`,
        }),
    ],
  ])("%s", async (_, make) => {
    const victim = repository("victim", `https://${NAME}.git`);
    await learnRepository(victim, places);
    const first = git(victim, "rev-parse", "HEAD");
    make(victim);
    const evil = join(top, "evil");
    expect(isSecretRead(evil)).toBe(false);
    const learnt = await learnRepository(evil, places);
    expect(learnt?.aliases.filter((name) => /acme|victim/.test(name) || name === `root:${first}`)).toEqual(
      [],
    );
    expect(isSecretRead(evil)).toBe(false);
    expect(isSecretRead(victim)).toBe(true);
  });

  test.each<[string, (victim: string, evil: string, first: string) => unknown]>([
    [
      "alternates",
      (victim, evil) => writeFileSync(join(evil, ".git/objects/info/alternates"), `${victim}/.git/objects\n`),
    ],
    [
      "a link to all objects",
      (victim, evil) => {
        rmSync(join(evil, ".git/objects"), { recursive: true });
        symlinkSync(join(victim, ".git/objects"), join(evil, ".git/objects"));
      },
    ],
    [
      "a link to one folder of them",
      (victim, evil, first) => {
        // Where an object of its own begins alike, the folder is there.
        rmSync(join(evil, ".git/objects", first.slice(0, 2)), {
          recursive: true,
          force: true,
          maxRetries: 10,
        });
        symlinkSync(
          join(victim, ".git/objects", first.slice(0, 2)),
          join(evil, ".git/objects", first.slice(0, 2)),
        );
      },
    ],
    [
      "another commit under its name",
      (_, evil, first) => {
        const [folder, file] = [first.slice(0, 2), first.slice(2)];
        const own = git(evil, "rev-parse", "HEAD");
        mkdirSync(join(evil, ".git/objects", folder), { recursive: true });
        cpSync(
          join(evil, ".git/objects", own.slice(0, 2), own.slice(2)),
          join(evil, ".git/objects", folder, file),
        );
      },
    ],
  ])("a first commit that it has by %s", async (_, borrow) => {
    const victim = repository("victim", `https://${NAME}.git`);
    const first = git(victim, "rev-parse", "HEAD");
    await learnRepository(victim, places);
    const evil = repository("evil", `https://${NAME}.git`);
    borrow(victim, evil, first);
    writeFileSync(join(evil, ".git/HEAD"), `${first}\n`);
    await learnRepository(evil, places);
    expect(isSecretRead(evil)).toBe(false);
  });

  test("nor one that takes the name later", async () => {
    await learnRepository(repository("victim", `https://${NAME}.git`), places);
    const evil = repository("evil", "https://github.com/evil/thing.git");
    await learnRepository(evil, places);
    git(evil, "remote", "set-url", "origin", `https://${NAME}.git`);
    expect(isSecretRead(evil)).toBe(false);
    await learnRepository(evil, places);
    expect(isSecretRead(evil)).toBe(false);
  });
});

describe("two places are one project", () => {
  const NAME = "github.com/acme/api";
  const isOne = (folder: string): boolean => {
    const found = readRepository(folder, places);
    return found !== undefined && isSameRepository(NAME, found);
  };

  test("by the same remote and first commit, without a question", async () => {
    const one = repository("one", `https://${NAME}.git`);
    await learnRepository(one, places);
    for (const source of [one, `file://${one}`]) {
      const two = join(top, source === one ? "two" : "three");
      git(top, "clone", "-q", source, two);
      git(two, "remote", "set-url", "origin", `git@github.com:acme/api.git`);
      expect(isOne(two)).toBe(false);
      await learnRepository(two, places);
      expect([isOne(one), isOne(two), isRepositoryLearnt(two, places)]).toEqual([true, true, true]);
    }
  });

  test("once a shallow clone has its whole history", async () => {
    const one = repository("one", `https://${NAME}.git`);
    writeFileSync(join(one, "b.txt"), "b");
    git(one, "add", ".");
    git(one, "commit", "-qm", "second");
    await learnRepository(one, places);
    git(top, "clone", "-q", "--depth", "1", `file://${one}`, "two");
    const two = join(top, "two");
    git(two, "remote", "set-url", "origin", `https://${NAME}.git`);
    await learnRepository(two, places);
    expect([isOne(two), isRepositoryLearnt(two, places)]).toEqual([false, false]);
    git(two, "fetch", "-q", "--unshallow", `file://${one}`);
    await learnRepository(two, places);
    expect(isOne(two)).toBe(true);
  });

  test("or not, and git is not asked again: a fork has a name of its own", async () => {
    const one = repository("one", `https://${NAME}.git`);
    await learnRepository(one, places);
    const fork = join(top, "fork");
    git(top, "clone", "-q", one, fork);
    git(fork, "remote", "set-url", "origin", "https://github.com/me/api.git");
    expect(isRepositoryLearnt(fork, places)).toBe(false);
    await learnRepository(fork, places);
    expect([isOne(fork), isRepositoryLearnt(fork, places)]).toEqual([false, true]);
  });

  test("whatever branch is checked out", async () => {
    const [one, two] = [repository("one", `https://${NAME}.git`), join(top, "two")];
    await learnRepository(one, places);
    git(top, "clone", "-q", one, two);
    git(two, "remote", "set-url", "origin", `https://${NAME}.git`);
    await learnRepository(two, places);
    for (const folder of [one, two]) {
      git(folder, "checkout", "-q", "--orphan", "pages");
      git(folder, "commit", "-qm", "pages");
      await learnRepository(folder, places);
      expect([isOne(one), isOne(two)]).toEqual([true, true]);
      git(folder, "checkout", "-q", "main");
      await learnRepository(folder, places);
      expect([isOne(one), isOne(two)]).toEqual([true, true]);
    }
  });
});

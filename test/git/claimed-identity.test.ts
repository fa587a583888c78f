import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerClaims,
  isRepositoryLearnt,
  isSameRepository,
  learnRepository,
  readRepository,
} from "../../src/git/repository-identity.ts";
import { eachTestHasFolder, git, places, repository, top } from "./repositories.ts";

eachTestHasFolder();

describe("what a folder says of itself tells nothing of another place", () => {
  const NAME = "github.com/acme/api";
  const isSecretRead = (folder: string): boolean => {
    const found = readRepository(folder, places);
    return found !== undefined && isSameRepository(NAME, found);
  };

  test.each([
    [
      "a clone of the clone",
      (victim: string): string => (git(top, "clone", "-q", victim, "evil"), join(top, "evil")),
    ],
    ["another history with that remote", (): string => repository("evil", `https://${NAME}.git`)],
    [
      "a .git that only leads there",
      (victim: string): string => {
        mkdirSync(join(top, "evil"));
        writeFileSync(join(top, "evil/.git"), `gitdir: ${victim}/.git\n`);
        return join(top, "evil");
      },
    ],
    [
      "a .git that is a link to it",
      (victim: string): string => {
        mkdirSync(join(top, "evil"));
        symlinkSync(join(victim, ".git"), join(top, "evil/.git"));
        return join(top, "evil");
      },
    ],
    [
      "a .git that leads to a work tree of it",
      (victim: string): string => {
        git(victim, "worktree", "add", "-q", "-b", "fix", join(top, "api-fix"));
        mkdirSync(join(top, "evil"));
        writeFileSync(join(top, "evil/.git"), `gitdir: ${victim}/.git/worktrees/api-fix\n`);
        return join(top, "evil");
      },
    ],
    [
      "a commondir that leads there",
      (victim: string): string => {
        const evil = repository("evil");
        writeFileSync(join(evil, ".git/commondir"), `${victim}/.git\n`);
        return evil;
      },
    ],
    [
      "a worktree of nobody's",
      (victim: string): string => {
        mkdirSync(join(top, "evil/x"), { recursive: true });
        writeFileSync(join(top, "evil/.git"), "gitdir: x\n");
        writeFileSync(join(top, "evil/x/HEAD"), "ref: refs/heads/main\n");
        writeFileSync(join(top, "evil/x/gitdir"), `${join(top, "evil/.git")}\n`);
        writeFileSync(join(top, "evil/x/commondir"), `${victim}/.git\n`);
        return join(top, "evil");
      },
    ],
  ])("%s", async (_, make) => {
    const victim = repository("victim", `https://${NAME}.git`);
    await learnRepository(victim, places);
    const evil = make(victim);
    expect(isSecretRead(evil)).toBe(false);
    const learnt = await learnRepository(evil, places);
    expect(learnt?.claims).toContain(NAME);
    expect(learnt?.aliases.filter((name) => /acme|victim/.test(name))).toEqual([]);
    expect(isSecretRead(evil)).toBe(false);
    // One question, whatever the answer.
    await answerClaims(evil, places, "other");
    expect([isSecretRead(evil), readRepository(evil, places)?.claims]).toEqual([false, []]);
    await answerClaims(evil, places, "same");
    expect([isSecretRead(evil), readRepository(evil, places)?.claims]).toEqual([true, []]);
    expect(isSecretRead(victim)).toBe(true);
  });

  test("nor one that was another, and has its history now", async () => {
    const victim = repository("victim", `https://${NAME}.git`);
    await learnRepository(victim, places);
    const evil = repository("evil", "https://github.com/evil/thing.git");
    await learnRepository(evil, places);
    rmSync(join(evil, ".git"), { recursive: true });
    cpSync(join(victim, ".git"), join(evil, ".git"), { recursive: true });
    expect(isSecretRead(evil)).toBe(false);
    expect((await learnRepository(evil, places))?.claims).toContain(NAME);
    expect(isSecretRead(evil)).toBe(false);
    expect(isSecretRead(victim)).toBe(true);
  });

  test("nor one that takes the name later", async () => {
    await learnRepository(repository("victim", `https://${NAME}.git`), places);
    const evil = repository("evil", "https://github.com/evil/thing.git");
    await learnRepository(evil, places);
    git(evil, "remote", "set-url", "origin", `https://${NAME}.git`);
    expect(isSecretRead(evil)).toBe(false);
    expect((await learnRepository(evil, places))?.claims).toEqual([NAME]);
    expect(isRepositoryLearnt(evil, places)).toBe(true);
  });
});

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerClaims,
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
    ["a clone of the clone", (victim) => git(top, "clone", "-q", victim, "evil")],
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
    make(victim);
    const evil = join(top, "evil");
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

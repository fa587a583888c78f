import type { Problem } from "../../errors/problem.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { readText } from "../../platform/atomic-file.ts";
import { commitChanges } from "./commit-changes.ts";
import { commitProjectChanges } from "./commit-project-changes.ts";
import { generatedUpTo, OVERVIEW_FILE, writeGeneratedFiles } from "../files/generated-files.ts";
import { isGitMissing } from "../../git/run-git.ts";
import { readStoreConfig } from "../config/store-config.ts";
import type { SettleRequest } from "./settle-request.ts";
import { SettleRuns } from "./settle-runs.ts";
import { withLock } from "../../platform/file-lock.ts";
import { UserRepository } from "./user-repository.ts";

/**
 * Does what follows from changes, apart from them so that no writer waits for it: the generated files, and the commits
 * where the store has any. Never throws: the next one makes up for what failed, and trouble is told as problems.
 */
export async function settleStore(request: SettleRequest): Promise<Problem[]> {
  const { ref, state } = request;
  const problems: Problem[] = [];
  const attempt = async (file: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      problems.push(asProblem(file, error));
    }
  };
  await attempt(OVERVIEW_FILE, () => {
    const runs = new SettleRuns(state.settles);
    const begun = runs.begun();
    return withLock(state.commitLock, { what: "generate and commit" }, async () => {
      // Of many that waited, the first does what all of them came for.
      if (runs.hasEndedSince(begun)) return;
      const end = runs.begin();
      if (ref.kind !== "attached") {
        await attempt(OVERVIEW_FILE, async () => {
          const last = readText(state.lastChange) ?? "";
          if (generatedUpTo(ref.root) !== last) await writeGeneratedFiles(ref, request.types, last);
        });
      }
      if (ref.kind === "user") {
        const repository = new UserRepository(ref.root, request.env);
        await attempt(".git", () => commitChanges(repository, request.journal, state, request.now));
      }
      if (ref.kind === "project" && ref.isTrusted && readStoreConfig(ref.root).commits === true)
        await attempt(".git", () => commitProjectChanges(request));
      if (problems.length === 0) end();
    });
  });
  return problems;
}

function asProblem(file: string, error: unknown): Problem {
  if (isGitMissing(error)) {
    return {
      file,
      severity: "warning",
      code: "no-git",
      message: "git is not installed: the history is kept in a journal of heed's own, and there is no sync",
      remedy: "install git: the journal is then carried into its history",
    };
  }
  return {
    file,
    severity: "warning",
    code: error instanceof HeedError ? error.code : "settle-failed",
    message: error instanceof Error ? error.message : String(error),
    remedy: "nothing is lost: the next write tries again",
  };
}

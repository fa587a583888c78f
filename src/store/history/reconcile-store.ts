import { type Problem, HeedError } from "../../machine/heed-error.ts";
import { readText } from "../../machine/atomic-file.ts";
import { commitChanges, commitProjectChanges, type ReconcileRequest } from "./commit-changes.ts";
import { generatedUpTo, OVERVIEW_FILE, writeGeneratedFiles } from "../files/generated-files.ts";
import { isGitMissing } from "../../machine/run-git.ts";
import { readStoreConfig } from "../config/store-config.ts";
import { findPlaces } from "../../machine/places.ts";
import { withLock } from "../../machine/file-lock.ts";
import { UserRepository } from "./user-repository.ts";

/** Writes generated files and commits, apart from the changes so that no writer waits. Never throws. */
export async function reconcileStore(request: ReconcileRequest): Promise<Problem[]> {
  const { ref, state } = request;
  const problems: Problem[] = [];
  const attempt = async (file: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      problems.push(asProblem(file, error));
    }
  };
  await attempt(OVERVIEW_FILE, () =>
    withLock(state.commitLock, { what: "generate and commit" }, async () => {
      if (ref.kind !== "attached" && !ref.isReadOnly) {
        await attempt(OVERVIEW_FILE, async () => {
          const last = readText(state.lastChange) ?? "";
          if (generatedUpTo(ref.root) !== last) await writeGeneratedFiles(ref, request.types, last);
        });
      }
      // The copy of a team store is a repository too, to be read and cloned.
      if (ref.kind === "user" || ref.server) {
        const repository = new UserRepository(ref.root, request.env);
        await attempt(".git", () => commitChanges(repository, request.journal, state, request.now));
      }
      const isOwn = ref.kind === "project" && ref.isTrusted;
      if (isOwn && readStoreConfig(ref.root, findPlaces(request.env ?? process.env)).commits === true)
        await attempt(".git", () => commitProjectChanges(request));
    }),
  );
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

import type { Problem } from "../../machine/problem.ts";
import { HeedError } from "../../machine/heed-error.ts";
import { readText, writeFileAtomic } from "../../machine/atomic-file.ts";
import { commitChanges, commitProjectChanges, type ReconcileRequest } from "./commit-changes.ts";
import { generatedUpTo, OVERVIEW_FILE, writeGeneratedFiles } from "../files/generated-files.ts";
import { isGitMissing } from "../../machine/run-git.ts";
import { readStoreConfig } from "../config/store-config.ts";
import { findPlaces } from "../../machine/places.ts";
import { withLock } from "../../machine/file-lock.ts";
import { UserRepository } from "./user-repository.ts";

/**
 * Writes the generated files and commits, apart from the changes so that no writer waits. Never throws:
 * trouble comes back as problems, and the next run makes up for it.
 */
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
  await attempt(OVERVIEW_FILE, () => {
    const runs = new ReconcileRuns(state.reconciles);
    const begun = runs.begun();
    return withLock(state.commitLock, { what: "generate and commit" }, async () => {
      // Of many that waited, the first does what all of them came for.
      if (runs.hasEndedSince(begun)) return;
      const end = runs.begin();
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

/**
 * Counts the runs of settling a store over all processes: how many began, and the last that ended well. Who
 * waited while a whole run went by has nothing left to do.
 */
export class ReconcileRuns {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Runs that have begun by now. One that begins later sees all that is there now. */
  begun(): number {
    return this.#read().begun;
  }

  /** Whether a run that began after the first `begun` ones has ended well. */
  hasEndedSince(begun: number): boolean {
    return this.#read().ended > begun;
  }

  /** Counts a run that begins; needs the lock. Call what is returned when it has ended well. */
  begin(): () => void {
    const { begun, ended } = this.#read();
    const number = begun + 1;
    this.#write(number, ended);
    return () => this.#write(number, number);
  }

  #read(): { begun: number; ended: number } {
    const match = /^(\d{1,15}) (\d{1,15})\n$/.exec(readText(this.#file) ?? "");
    return { begun: Number(match?.[1] ?? 0), ended: Number(match?.[2] ?? 0) };
  }

  #write(begun: number, ended: number): void {
    writeFileAtomic(this.#file, `${begun} ${ended}\n`, { mode: 0o600, draftId: "settles", isDurable: false });
  }
}

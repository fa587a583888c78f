import type { Here } from "../../recall/scope.ts";
import type { FoundStores } from "../../store/find-stores.ts";
import { findStores } from "../../store/find-stores.ts";
import type { Places } from "../../platform/places.ts";
import { isFolderScope } from "../../git/folder-scope.ts";
import { findPlaces } from "../../platform/places.ts";
import { isSameRepository, readRepository } from "../../git/repository-identity.ts";
import type { OpenOptions } from "../api/heed-api.ts";
import type { JudgeSource } from "./judge-source.ts";
import type { SemanticSource } from "./semantic-source.ts";

/** What every operation works with: where things are, which stores hold here, and the clock. */
export interface Workspace {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  places: Places;
  now: () => Date;
  /** The program that captures in the background; see OpenOptions. */
  program: string | undefined;
  /** Told what each event came to; see OpenOptions. */
  onAnswered: OpenOptions["onAnswered"];
  /** The stores that hold here; looked up anew on each call, since another process may have changed them. */
  find(): FoundStores;
  /** Knows what words mean: only in a resident process, and only where the user put a model. */
  semantic?: SemanticSource;
  /** Selects among what recall found: only in a resident process, and only where the user set one up. */
  judge?: JudgeSource;
  /** The repository and branch at hand, read without starting a process. */
  here(): Here;
}

/** Builds a workspace from options, filling in the process's own directory, environment and clock. */
export function openWorkspace(options: OpenOptions): Workspace {
  const cwd = options.cwd ?? process.cwd();
  const env = options.env ?? process.env;
  const places = findPlaces(env);
  return {
    cwd,
    env,
    places,
    program: options.program,
    onAnswered: options.onAnswered,
    now: options.now ?? (() => new Date()),
    find: () => findStores(cwd, places),
    here(): Here {
      const repository = readRepository(cwd, places);
      return {
        repository: repository?.name,
        isRepositoryHere: (repo) =>
          repository === undefined ? isFolderScope(repo, cwd) : isSameRepository(repo, repository),
        branch: repository?.branch,
      };
    },
  };
}

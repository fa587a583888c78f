import { join } from "node:path";
import { readText, writeFileAtomic } from "../../platform/atomic-file.ts";
import { commitMessage } from "./change-record.ts";
import { fastImportStream, gitIdentity } from "../../git/fast-import.ts";
import { blobIdOf } from "../../git/blobs.ts";
import { findGitDirectory, readHead } from "../../git/git-directory.ts";
import { runGit } from "../../git/run-git.ts";
import { type Git, commitOf, filesOf } from "./user-repository.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { StoreState } from "../config/store-state.ts";

/**
 * Commits the changes of a project store to the repository around it, for stores whose configuration says
 * `commit: true`. Only the changed files of the store are committed, as they are on disk: what the user has staged stays
 * staged, and git looks at no other file, so that neither hooks nor filters nor submodules of the repository come into
 * play. On no branch, as in the middle of a rebase, the changes wait.
 */
export async function commitProjectChanges(request: ReconcileRequest): Promise<void> {
  const { ref, state, journal } = request;
  const mark = join(state.folder, "committed-up-to");
  const last = readText(mark) ?? "";
  const records = journal.ids().flatMap((id) => (id > last ? (journal.read(id) ?? []) : []));
  const newest = records.at(-1);
  const directory = findGitDirectory(ref.root);
  if (!newest || !directory) return;
  const { branch } = readHead(directory);
  if (branch === undefined) return;
  const env = request.env === undefined ? {} : { env: request.env };
  const git: Git = (args, options = {}) => runGit(args, { cwd: ref.root, ...env, ...options });
  const asked = await git(["rev-parse", "--show-object-format", "--show-prefix"]);
  const [format, prefix = ""] = asked.stdout.split("\n");
  const idOf = (text: string): string => blobIdOf(text, format === "sha256" ? 64 : 40);
  const parent = await commitOf(git, "HEAD");
  const committed = parent === undefined ? undefined : await filesOf(git, ["--full-name", parent, "."]);
  const texts = new Map<string, string | null>();
  for (const record of records)
    for (const { file } of record.files) texts.set(prefix + file, readText(join(ref.root, file)));
  const changed = [...texts].filter(
    ([file, text]) => committed?.get(file)?.blob !== (text === null ? undefined : idOf(text)),
  );
  if (changed.length > 0) {
    const others = records.slice(0, -1).map(({ summary }) => summary);
    const message = commitMessage(newest).replace(
      "\n\n",
      others.length ? `\n\n${others.join("\n")}\n\n` : "\n\n",
    );
    const commit = { message, time: request.now.toISOString(), files: new Map(changed) };
    const input = fastImportStream(`refs/heads/${branch}`, parent, await gitIdentity(git), [commit]);
    await git(["fast-import", "--quiet", "--done", "--date-format=raw"], { input });
  }
  await updateIndex(
    git,
    new Map([...texts].map(([file, text]) => [file, text === null ? null : idOf(text)])),
  );
  writeFileAtomic(mark, newest.id, { draftId: "mark", mode: 0o600 });
}

/** The index follows for these files alone, so that the user's own `git status` tells the truth about them. */
async function updateIndex(git: Git, blobs: ReadonlyMap<string, string | null>): Promise<void> {
  const lines = [...blobs].map(([file, blob]) =>
    blob === null ? `0 ${"0".repeat(40)}\t${file}\0` : `100644 ${blob}\t${file}\0`,
  );
  await git(["update-index", "-z", "--index-info"], { input: lines.join("") });
}

/** What there is to settle in a store. */
export interface ReconcileRequest {
  ref: StoreRef;
  state: StoreState;
  journal: ChangeJournal;
  types: TypeTable;
  now: Date;
  env: Readonly<Record<string, string | undefined>> | undefined;
}

import { join } from "node:path";
import { readText, writeFileAtomic } from "./atomic-file.ts";
import { commitMessage } from "./commit-message.ts";
import { runGit } from "./git.ts";
import type { SettleRequest } from "./settle-request.ts";

/**
 * Commits the changes of a project store to the repository around it, for stores whose configuration says
 * `commit: true`. Only the changed files of the store are committed: what the user has staged stays staged, and hooks
 * of the repository do not run.
 */
export async function commitProjectChanges(request: SettleRequest): Promise<void> {
  const { ref, state, journal } = request;
  const mark = join(state.folder, "committed-up-to");
  const last = readText(mark) ?? "";
  const records = journal.ids().flatMap((id) => (id > last ? (journal.read(id) ?? []) : []));
  const newest = records.at(-1);
  if (!newest) return;
  const env = request.env === undefined ? {} : { env: request.env };
  const git = (args: string[], okCodes: readonly number[] = [0]): ReturnType<typeof runGit> =>
    runGit(args, { cwd: ref.root, okCodes, withUserConfig: true, ...env });
  const files = [...new Set(records.flatMap((record) => record.files.map(({ file }) => file)))];
  const present = files.filter((file) => readText(join(ref.root, file)) !== null);
  if (present.length > 0) await git(["add", "--force", "--", ...present]);
  const { stdout } = await git(["ls-files", "-z", "--", ...files]);
  const known = new Set(stdout.split("\0").filter((file) => file !== ""));
  const changed = files.filter((file) => known.has(file));
  if (changed.length > 0) {
    const others = records.slice(0, -1).map(({ summary }) => summary);
    const message = commitMessage(newest).replace(
      "\n\n",
      others.length ? `\n\n${others.join("\n")}\n\n` : "\n\n",
    );
    // Exit code 1: nothing to commit, since the files are back to what they were.
    await git(["commit", "--quiet", "--only", "--no-verify", "-m", message, "--", ...changed], [0, 1]);
  }
  writeFileAtomic(mark, newest.id, { draftId: "mark", mode: 0o600 });
}

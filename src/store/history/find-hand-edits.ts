import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../platform/atomic-file.ts";
import { blobIdOf } from "../../git/git-blob.ts";
import { findGitDirectory } from "../../git/git-directory.ts";
import { runGit } from "../../git/run-git.ts";
import { pathInStore } from "../files/memory-path.ts";

/** While one of these is there, git itself is changing files. */
const UNDER_WAY = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];
const TIMEOUT_MS = 3_000;

/**
 * Which files of a project store were edited by hand on this machine: they differ from what git has committed, or git
 * does not know them. Where git is busy with a merge, cannot be asked or is in doubt, a file counts as committed: then
 * its rules wait for a review. In a directory without git every file was edited here, since nothing can be pulled.
 */
export async function findHandEdits(
  root: string,
  files: readonly string[],
  env?: Readonly<Record<string, string | undefined>>,
): Promise<Set<string>> {
  const asked = files.filter((file) => !/[\n\0"]/.test(file));
  const directory = findGitDirectory(root);
  if (!directory) return new Set(asked);
  if (asked.length === 0 || UNDER_WAY.some((name) => existsSync(join(directory.gitDir, name))))
    return new Set();
  const options = { cwd: root, timeoutMs: TIMEOUT_MS, ...(env && { env }) };
  try {
    const [changed, committed] = [await statesOf(options, asked), await committedBlobs(options, asked)];
    return new Set(
      asked.filter((file) => {
        const state = changed.get(file);
        // Both have to say so: attributes of the repository can make either of them see a difference that is none.
        return state !== undefined && !/[UD]|AA/.test(state) && !isCommitted(root, file, committed.get(file));
      }),
    );
  } catch {
    return new Set();
  }
}

async function statesOf(
  options: Parameters<typeof runGit>[1],
  files: readonly string[],
): Promise<Map<string, string>> {
  const { stdout } = await runGit(
    [
      "status",
      "--porcelain=v1",
      "-z",
      "--untracked-files=all",
      "--ignored",
      "--no-renames",
      "--ignore-submodules=all",
      "--",
      ".",
    ],
    options,
  );
  const prefix = (await runGit(["rev-parse", "--show-prefix"], options)).stdout.trim();
  const wanted = new Set(files);
  return new Map(
    stdout.split("\0").flatMap((line): [string, string][] => {
      const file = line.slice(3);
      const own = file.startsWith(prefix) ? file.slice(prefix.length) : file;
      return wanted.has(own) ? [[own, line.slice(0, 2)]] : [];
    }),
  );
}

/** The blob of each file in HEAD; absent where HEAD has none. */
async function committedBlobs(
  options: Parameters<typeof runGit>[1],
  files: readonly string[],
): Promise<Map<string, string>> {
  const { stdout } = await runGit(["cat-file", "--batch-check=%(objectname)"], {
    ...options,
    input: `${files.map((file) => `HEAD:./${file}`).join("\n")}\n`,
    okCodes: [0, 128],
  });
  const lines = stdout.split("\n");
  return new Map(
    files.flatMap((file, i): [string, string][] => {
      const line = lines[i] ?? "";
      return /^[0-9a-f]{40,64}$/.test(line) ? [[file, line]] : [];
    }),
  );
}

function isCommitted(root: string, file: string, blob: string | undefined): boolean {
  if (blob === undefined) return false;
  const text = readText(pathInStore(root, file)) ?? "";
  return [text, text.replaceAll("\r\n", "\n")].some((form) => blobIdOf(form, blob.length) === blob);
}

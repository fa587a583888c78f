import { runGit } from "../../git/run-git.ts";

/** A larger history is not read whole: the answer is then that it may hold the value. */
const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Whether any object of a git repository holds a value, commit messages included, reachable or not. The value is compared
 * here: as an argument of git it would be seen in the list of processes.
 */
export async function historyHolds(repository: string, value: string): Promise<"yes" | "no" | "unknown"> {
  try {
    const { bytes } = await runGit(["cat-file", "--batch-all-objects", "--batch", "--unordered"], {
      cwd: repository,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      okCodes: [0, 128],
    });
    const forms = [value.trim(), JSON.stringify(value.trim()).slice(1, -1)];
    return forms.some((form) => bytes.includes(form)) ? "yes" : "no";
  } catch {
    return "unknown";
  }
}

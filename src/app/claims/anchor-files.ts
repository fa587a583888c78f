import { RepositoryHistory } from "../../freshness/repository-history.ts";

/** So long the listing of a repository's files may take, in milliseconds: a write waits for it. */
const LISTING_MS = 4_000;
/** A repository with more files than this is not anchored in: looking its names up would take too long. */
const MAX_FILES = 500_000;

/**
 * The files that git knows in a work tree or would take in: what is ignored (build output, installed packages, local
 * settings) is different on the next machine, and no claim is made about it. Undefined where git cannot tell.
 */
export async function repositoryFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string> | undefined> {
  const history = new RepositoryHistory(root, env, performance.now() + LISTING_MS);
  try {
    const output = await history.git(["ls-files", "-c", "-o", "--exclude-standard", "-z"], {
      maxBytes: 128 * 1024 * 1024,
    });
    const files = output.split("\0").filter((file) => file !== "" && !file.startsWith(".heed/"));
    return files.length > MAX_FILES ? undefined : new Set(files);
  } catch {
    return undefined;
  }
}

import { join, resolve } from "node:path";
import type { Heed } from "../../heed.ts";
import { HeedError } from "../../heed.ts";
import { withBlock } from "./agents-file.ts";
import { readClientFile, replaceClientFile, textOfBytes } from "./client-file.ts";
import { EditRefusal } from "./edit/edit-refusal.ts";

/** What became of the file. */
export interface AgentsFileReport {
  file: string;
  action: "created" | "changed" | "unchanged";
  /** Characters of heed's block. */
  chars: number;
}

/**
 * Keeps heed's block in a file that agents read at the start of each session. Of the repository's store alone, unless
 * `isPersonal`: the file is the repository's, and others read it.
 *
 * @throws HeedError `broken-file` for a block without its end or a file that is no UTF-8; `io-failed`.
 */
export async function syncAgentsFile(
  heed: Heed,
  { root, name, isPersonal }: { root: string; name: string; isPersonal: boolean },
): Promise<AgentsFileReport> {
  const file = resolve(root, name === "" ? join(root, "AGENTS.md") : name);
  const said = await heed.session.opening({ stores: isPersonal ? "all" : "project" });
  try {
    const before = textOfBytes(readClientFile(file));
    const after = withBlock(before ?? "", said);
    const chars = after.length - withBlock(before ?? "", "").length;
    if (after === (before ?? "")) return { file, action: "unchanged", chars };
    replaceClientFile(file, Buffer.from(after), 0o644);
    return { file, action: before === undefined ? "created" : "changed", chars };
  } catch (error) {
    if (error instanceof EditRefusal)
      throw new HeedError("broken-file", `${file} is left as it is: ${error.message}.`, { file });
    if (error instanceof HeedError) throw error;
    const message = `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}. Check its permissions.`;
    throw new HeedError("io-failed", message, { file, operation: "write" }, { cause: error });
  }
}

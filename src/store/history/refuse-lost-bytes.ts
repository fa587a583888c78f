import { HeedError } from "../../errors/heed-error.ts";
import type { FileChange } from "./change-record.ts";

/**
 * A file with bytes that are no UTF-8 is read with gaps (U+FFFD): writing it back would lose for good what stood there.
 *
 * @throws HeedError `broken-file`.
 */
export function refuseLostBytes(files: readonly FileChange[]): void {
  const lost = files.find(({ before }) => before?.includes("\uFFFD") === true);
  if (!lost) return;
  throw new HeedError(
    "broken-file",
    `${lost.file} holds bytes that are no UTF-8, which a change would lose: write it anew as UTF-8 first, for example with iconv -f latin1 -t utf-8`,
    { file: lost.file },
  );
}

import { handlesIn } from "../../memory/handle.ts";

/** So much of a message is read, from its beginning: no answer is longer. */
const MAX_CHARS = 100_000;

/**
 * The handles that a message cites, `[heed:name]` or `heed:name`, without the prefix. What heed itself put into the
 * context is no citation when the model repeats it, and neither is what stands in quoted or fenced blocks.
 */
export function citedHandles(message: string): string[] {
  const own = message
    .slice(0, MAX_CHARS)
    .replace(/<(heed-[\w-]+)>[^]*?(?:<\/\1>|$)/g, " ")
    .replace(/^[ \t]*(```+|~~~+)[^\n]*\n[^]*?(?:^[ \t]*\1[^\n]*$|(?![^]))/gm, " ")
    .replace(/^[ \t]*>[^\n]*$/gm, " ")
    // A line of heed's own, repeated: handle, type and dates, each parted by a dot.
    .replace(/^\[heed:[^\]\n]+\] [\w-]+ · [^\n]*$/gm, " ")
    .replace(/^- [^\n]{0,2000}\[heed:[^\]\n]{1,120}\]$/gm, " ");
  return handlesIn(own);
}

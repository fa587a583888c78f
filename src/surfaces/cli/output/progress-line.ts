import type { Progress } from "../../../heed.ts";
import { oneLine } from "./styled-text.ts";

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

/** Redrawn at most this often: a terminal over a slow line must not hold the work up. */
const REDRAW_EVERY_MS = 100;

/**
 * Runs a long job with one line on stderr that says how far it is, redrawn in place; without the line unless stderr is
 * a terminal.
 */
export async function withProgress<T>(
  job: (report: Progress) => Promise<T>,
  stream: Stream = process.stderr,
): Promise<T> {
  if (!stream.isTTY) return job(() => {});
  let drawnAt = 0;
  let isDrawn = false;
  try {
    return await job((done, total, what) => {
      const now = Date.now();
      if (now - drawnAt < REDRAW_EVERY_MS && done < total) return;
      drawnAt = now;
      isDrawn = true;
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
      const line = `${String(percent).padStart(3)} %  ${done}/${total}  ${oneLine(what)}`;
      stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
    });
  } finally {
    if (isDrawn) stream.write("\r\u001b[K");
  }
}

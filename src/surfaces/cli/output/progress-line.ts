import type { Progress } from "../../../heed.ts";
import { oneLine } from "./styled-text.ts";
import type { TextStream } from "./output.ts";

/** Redrawn at most this often: a terminal over a slow line must not hold the work up. */
const REDRAW_EVERY_MS = 100;

/** One line on stderr that says how far a long job is, redrawn in place; nothing unless stderr is a terminal. */
export function progressLine(stream: TextStream): { report: Progress; finish(): void } {
  if (!stream.isTTY) return { report: () => {}, finish: () => {} };
  let drawnAt = 0;
  let isDrawn = false;
  return {
    report: (done, total, what) => {
      const now = Date.now();
      if (now - drawnAt < REDRAW_EVERY_MS && done < total) return;
      drawnAt = now;
      isDrawn = true;
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
      const line = `${String(percent).padStart(3)} %  ${done}/${total}  ${oneLine(what)}`;
      stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
    },
    finish: () => {
      if (isDrawn) stream.write("\r\u001b[K");
    },
  };
}

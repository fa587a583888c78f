import type { Change } from "../../../heed.ts";
import type { Output } from "./output.ts";
import { dim, doneLine } from "./styled-text.ts";

/** As much of a change's id as people see and may type. */
export function shortId(id: string): string {
  return id.slice(0, 10);
}

/** What `answerChange` prints with `--json`. */
export const CHANGE_JSON = '{"change": {"id", "time", "actor", "summary", "files"}}';

/** Prints one change that a command made. */
export function answerChange(out: Output, change: Change): void {
  out.answer({ change }, () => [doneLine(change.summary, undoHint(change.id))]);
}

/** How to undo a change; empty without one. */
export function undoHint(id: string | undefined): ReturnType<typeof dim> {
  return dim(id ? `  (heed undo ${shortId(id)} takes it back)` : "");
}

import type { Change } from "../../../heed.ts";
import { minuteOf } from "./counted.ts";
import type { Output } from "./output.ts";
import type { Text } from "./styled-text.ts";
import { styled } from "./styled-text.ts";

/** As much of a change's id as people see and may type. */
export function shortId(id: string): string {
  return id.slice(0, 10);
}

/** Tells one change that a command made. */
export function answerChange(out: Output, change: Change): void {
  const undo = change.id === "" ? "" : `  (heed undo ${shortId(change.id)} takes it back)`;
  out.answer({ change }, () => [[styled("green", "✓ "), change.summary, styled("dim", undo)]]);
}

/** Changes as rows: id, time, actor, summary. */
export function changeRows(out: Output, changes: readonly Change[]): Text[] {
  return out.rows(
    [
      { title: "change" },
      { title: "time (UTC)" },
      { title: "by" },
      { title: "what and why", isFlexible: true },
    ],
    changes.map(({ id, time, actor, summary }) => [
      styled("yellow", shortId(id)),
      minuteOf(time),
      actor,
      summary,
    ]),
  );
}

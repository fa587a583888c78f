import type { Change } from "../../heed.ts";
import { minuteOf } from "./counted.ts";
import type { Output } from "./output.ts";
import type { Text } from "./styled-text.ts";
import { styled } from "./styled-text.ts";

/** Characters of a change's id that people see and may type. */
export const SHORT_ID_LENGTH = 10;

/** Tells one change that a command made. */
export function answerChange(out: Output, change: Change): void {
  out.answer({ change }, () => [
    [
      styled("green", "✓ "),
      change.summary,
      styled("dim", `  (heed undo ${change.id.slice(0, SHORT_ID_LENGTH)} takes it back)`),
    ],
  ]);
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
      styled("yellow", id.slice(0, SHORT_ID_LENGTH)),
      minuteOf(time),
      actor,
      summary,
    ]),
  );
}

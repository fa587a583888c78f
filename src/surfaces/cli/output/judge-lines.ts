import type { JudgeStatus } from "../../../heed.ts";
import { plural } from "./counted.ts";
import type { Text } from "./styled-text.ts";
import { styled } from "./styled-text.ts";

/** How the judge stands and what it has cost, in the lines of `heed status` and `heed judge`. */
export function judgeLines({ state, reason, problems, judge, ledger }: JudgeStatus): Text[] {
  const label = (text: string): Text => styled("dim", text.padEnd(12));
  const { calls, sessions, outcomes, inputTokens, outputTokens, isEstimated, medianMs, last } = ledger;
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    state === "on"
      ? [label("judge"), styled("green", judge ?? "on")]
      : state === "off"
        ? [label("judge"), "off", styled("dim", ` (${reason ?? ""})`)]
        : [label("judge"), styled("yellow", "set up, and not usable")],
    ...problems.map((problem): Text => [label(""), styled("yellow", problem)]),
    ...(calls === 0
      ? []
      : [
          [
            label(""),
            `${plural(calls, "call", "calls")} in ${plural(sessions, "session", "sessions")} (${counts.join(", ")}), `,
            `${isEstimated ? "about " : ""}${inputTokens} + ${outputTokens} tokens`,
            medianMs === undefined ? "" : `, median ${medianMs} ms`,
          ],
        ]),
    ...(last?.message === undefined
      ? []
      : [
          [
            label(""),
            styled("yellow", `last: ${last.outcome}, ${last.message}`),
            styled("dim", ` (${last.time})`),
          ],
        ]),
  ];
}

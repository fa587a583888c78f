import type { JudgeStatus, JudgeTrial } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { judgeLines } from "../output/judge-lines.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";

const ACTIONS = ["status", "test"];

/** `heed judge` */
export const command: Command = {
  name: "judge",
  summary: "the optional model that selects among found memories: status, test",
  arguments: [{ name: "ACTION", words: ACTIONS, isOptional: true }],
  options: {},
  details: [
    "A model may select which of the found memories a prompt is told. It is off unless config.yaml of your configuration",
    "directory says `judge: {provider: …, model: …}`; no repository can turn it on. It is sent the prompt, and names and",
    "descriptions of ten memories at most. test asks it once, about memories made up for that. See docs/judge.md.",
  ],
  examples: ["heed judge", "heed judge test"],
  async run({ args, out, open }) {
    if (args.positionals[0] !== "test") {
      const status = await open().setup.judge.status();
      out.answer(status, () => statusLines(status));
      return status.state === "broken" ? EXIT.refused : EXIT.done;
    }
    const trial = await open().setup.judge.try();
    out.answer(trial, () => trialLines(trial));
    return trial.outcome === "chosen" ? EXIT.done : EXIT.outside;
  },
};

function statusLines(status: JudgeStatus): Text[] {
  const { endpoint, budget, deadlineMs, waitMs } = status;
  const label = (text: string): Text => styled("dim", text.padEnd(12));
  return [
    ...judgeLines(status),
    ...(endpoint === undefined ? [] : [[label("endpoint"), endpoint]]),
    ...(budget ? [[label("budget"), `${budget.calls} calls and ${budget.tokens} tokens a session`]] : []),
    ...(deadlineMs === undefined
      ? []
      : [[label("deadline"), `${deadlineMs} ms, of which a prompt waits for ${waitMs}`]]),
  ];
}

function trialLines({ judge, outcome, message, prompt, shortlist, ...trial }: JudgeTrial): Text[] {
  const { chosen, isAsExpected, elapsedMs, tokens } = trial;
  return [
    [
      styled("bold", judge),
      `, ${elapsedMs} ms`,
      ...(tokens ? [`, ${tokens.input} + ${tokens.output} tokens`] : []),
    ],
    [styled("dim", "prompt: "), oneLine(prompt)],
    ...shortlist.map(({ handle, description }): Text => [
      chosen.includes(handle) ? styled("green", "● ") : "○ ",
      handle,
      styled("dim", `  ${oneLine(description)}`),
    ]),
    outcome !== "chosen"
      ? [styled("red", "✗ "), `no judgement (${outcome}): ${message ?? ""}`]
      : isAsExpected
        ? [styled("green", "✓ "), "it chose what a person would"]
        : [styled("yellow", "! "), "it answered, and did not choose what a person would: try a larger model"],
  ];
}

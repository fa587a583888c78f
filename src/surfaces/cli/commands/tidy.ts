import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

const WORDS = {
  "merge-duplicate": "merge",
  "drop-episode": "drop",
} as const;

/** `heed tidy` */
export const command: Command = {
  name: "tidy",
  summary: "upkeep: twins and expired episodes; says first what it would do",
  arguments: [],
  options: { apply: { help: "do it; each step can be taken back with heed undo" } },
  details: [
    "Exact twins are merged, expired episodes go to the history. What only resembles or contradicts another memory stays.",
  ],
  async run({ args, out, open }) {
    const report = await open().upkeep.tidy({ isApplied: args.has("apply") });
    out.answer(report, () => {
      if (report.steps.length === 0) return out.isTerminal ? ["Nothing to tidy."] : [];
      const lines = report.steps.map(({ action, name, other, reason }): Text => [
        styled("cyan", `${WORDS[action]}  `),
        styled("bold", name),
        other === undefined ? "" : ` -> ${other}`,
        styled("dim", `  ${reason}`),
      ]);
      const count = plural(report.steps.length, "step", "steps");
      const more = report.isCut ? "; more is left for the next run" : "";
      return [
        ...lines,
        ...report.problems.map((problem): Text => [styled("yellow", "! "), problem]),
        report.isApplied
          ? `${count} done${more}.`
          : `${count} to do${more}. Nothing is changed yet: heed tidy --apply`,
      ];
    });
  },
};

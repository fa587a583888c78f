import type { Command } from "../command.ts";
import { minuteOf } from "../counted.ts";
import type { Text } from "../styled-text.ts";
import { styled } from "../styled-text.ts";
import { diffLines } from "../write-answer.ts";

/** `heed inbox` */
export const command: Command = {
  name: "inbox",
  summary: "what waits for your word",
  arguments: [],
  options: {},
  details: [
    "Claims about you, edits from two sides, and memories from elsewhere wait here until heed confirm or heed reject.",
  ],
  async run({ out, open, actor }) {
    const pending = await open().pending(actor);
    out.answer({ pending }, () => {
      if (pending.length === 0) return out.isTerminal ? ["The inbox is empty."] : [];
      if (!out.isTerminal)
        return out.rows(
          [],
          pending.map(({ type, name, description, reason }) => [type, name, description, reason]),
        );
      return pending.flatMap((item): Text[] => [
        [
          styled("bold", item.name),
          "  ",
          styled("cyan", item.type),
          styled("dim", `  ${minuteOf(item.proposedAt)}`),
        ],
        `  ${item.description}`,
        [styled("yellow", "  waits: "), item.reason],
        ...(item.target === undefined ? [] : [[styled("dim", "  changes: "), item.target]]),
        ...diffLines(item.diff).map((line): Text => ["    ", line]),
        styled("dim", `  heed confirm ${item.name}   |   heed reject ${item.name} --reason "…"`),
        "",
      ]);
    });
  },
};

import type { Command } from "../command.ts";
import { progressLine } from "../progress-line.ts";
import type { Text } from "../styled-text.ts";
import { styled } from "../styled-text.ts";

/** `heed sync` */
export const command: Command = {
  name: "sync",
  summary: "carry the user store to a git remote and back",
  arguments: [{ name: "REMOTE", isOptional: true }],
  options: {},
  details: [
    "REMOTE is a git address or path; it is remembered. When one memory was edited on both sides, both versions are",
    "kept: one waits in the inbox. There are never conflict markers in a memory.",
  ],
  examples: ["heed sync git@example.com:me/memories.git", "heed sync"],
  async run({ args, out, open }) {
    const progress = progressLine(process.stderr);
    let report;
    try {
      report = await open().sync(args.positionals[0], progress.report);
    } finally {
      progress.finish();
    }
    out.answer(report, () => [
      [styled("green", "✓ "), report.announcement],
      ...report.queued.map((name): Text => [
        styled("yellow", "  edited on both sides: "),
        name,
        styled("dim", "  (heed inbox)"),
      ]),
    ]);
  },
};

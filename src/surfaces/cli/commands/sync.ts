import { assertPerson } from "../arguments/assert-person.ts";
import type { Command } from "../arguments/command.ts";
import { progressLine } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

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
  async run({ args, out, open, who }) {
    // What a remote holds takes force: a model may carry on what the user set up, and set up nothing.
    if (args.positionals[0] !== undefined)
      assertPerson(
        who,
        "the rules of another remote would come into force (heed sync alone goes on with the one that is set)",
        "heed sync REMOTE",
      );
    const progress = progressLine(process.stderr);
    let report;
    try {
      report = await open().setup.sync({ remote: args.positionals[0] }, progress.report);
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

import { HeedError } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed backfill` */
export const command: Command = {
  name: "backfill",
  summary: "record old transcripts; a dry run without --apply",
  arguments: [{ name: "PATH", isOptional: true, completes: "directory" }],
  options: {
    apply: { help: "write episodes and, with learn: model, put proposals into the inbox" },
    limit: { value: "N", help: "read at most N sessions, the newest first (default 200)" },
    since: { value: "DATE", help: "only transcripts that changed since then" },
  },
  details: [
    "Reads the transcripts of Claude Code, Codex, Gemini CLI and Copilot CLI where they keep them, or those at PATH.",
    "A later run passes over what an applied run has done, so it can be stopped and continued. With learn: model the",
    "model reads the user's turns within the day's budget; what is left is read on later days.",
  ],
  examples: ["heed backfill", "heed backfill --since 2026-09-01 --apply"],
  async run({ args, out, open }) {
    const limit = Number(args.text("limit") ?? "200");
    const since = args.text("since");
    const [path] = args.positionals;
    if (!Number.isInteger(limit) || limit < 1)
      throw new HeedError("invalid-input", `--limit is "${args.text("limit")}": give a number from 1`, {
        argument: "limit",
        value: args.text("limit"),
      });
    if (since !== undefined && Number.isNaN(Date.parse(since)))
      throw new HeedError("invalid-input", `--since is "${since}": give a date like 2026-09-01`, {
        argument: "since",
        value: since,
      });
    const progress = progressLine(process.stderr);
    let report;
    try {
      report = await open().learning.backfill(
        {
          isApplied: args.has("apply"),
          limit,
          ...(since !== undefined && { since }),
          ...(path !== undefined && { from: [path] }),
        },
        progress.report,
      );
    } finally {
      progress.finish();
    }
    out.answer(report, () => {
      const { sessions, problems, doneBefore, isApplied } = report;
      const proposals = sessions.flatMap((session) =>
        session.proposals.filter(({ outcome }) => outcome !== "known"),
      );
      const turns = sessions.reduce((sum, session) => sum + session.turns, 0);
      return [
        ...proposals.map(({ type, description, time }): Text => [
          styled("cyan", `${type}  `),
          description,
          styled("dim", `  ${time.slice(0, 10)}`),
        ]),
        ...problems.map((problem): Text => styled("yellow", problem)),
        `${plural(sessions.length, "session", "sessions")} read${doneBefore > 0 ? `, ${doneBefore} done before` : ""}: ${plural(turns, "new turn", "new turns")}, ${plural(proposals.length, "proposal", "proposals")}.`,
        ...(isApplied ? [] : ["Nothing is changed yet: heed backfill --apply"]),
      ];
    });
  },
};

import { constants, setPriority } from "node:os";
import type { CaptureReport } from "../../../heed.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { given } from "../arguments/parsed-arguments.ts";
import { usageError } from "../arguments/usage-error.ts";
import { humanBytes, plural } from "../output/counted.ts";
import { withProgress } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { bold, cyan, dim, yellow } from "../output/styled-text.ts";

/** A run that takes longer is ended: nothing that heed starts stays behind. */
const MAX_RUN_MS = 5 * 60_000;
/** With `--when-idle` it may wait this much longer. */
const MAX_WAIT_MS = 60 * 60_000;

const OLD = { goesWith: ["--backfill"] };

const capture: CommandSpec = {
  arguments: [{ name: "PATH", isOptional: true, completes: "directory" }],
  options: {
    backfill: { help: "read old transcripts instead: those at PATH, or where the clients keep them" },
    apply: { ...OLD, help: "write episodes and put proposals into the inbox; default: a dry run" },
    limit: { value: "N", ...OLD, help: "read at most N sessions, the newest first (default 200)" },
    since: { value: "DATE", ...OLD, help: "only transcripts that changed since then" },
    quiet: { help: "no output, lowest priority, stops for a prompt; how the hooks start it" },
    "when-idle": { help: "start when nobody has said anything in a session for a minute" },
  },
  details: [
    "Writes an episode of each session that has ended and, with learn: model, has a model read the user's turns and",
    "propose memories. The hooks start it in the background when a session has ended, or when nobody has said anything",
    "for a minute (HEED_IDLE_SECONDS sets another time). A run leaves sessions to one that is already running.",
    "`capture: off` in the config.yaml of your store, or of this repository's, turns it off.",
    "",
    "--backfill reads Claude Code, Codex, Gemini CLI and Copilot CLI. A later run skips what an applied run has done, so",
    "it can be stopped and continued. The model reads within the day's budget; the rest is read on later days.",
  ],
  examples: ["heed capture", "heed capture --backfill", "heed capture --backfill --since 2026-09-01 --apply"],
  json: '{"sessions": [{"session", "episode", "turns", "proposals", ...}], "isLeftToOther", "problems"}; --backfill {"sessions": [...], "doneBefore", "problems", "isApplied"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    if (args.has("backfill")) return backfill(invocation);
    if (args.first !== "") throw usageError("PATH goes with --backfill.", "PATH", args.first);
    const [isInBackground, waitsForIdle] = [args.has("quiet"), args.has("when-idle")];
    setTimeout(() => process.exit(EXIT.outside), MAX_RUN_MS + (waitsForIdle ? MAX_WAIT_MS : 0)).unref();
    if (isInBackground) lowerPriority();
    const report = await open().learning.capture({ isInBackground, waitsForIdle });
    if (isInBackground) return EXIT.done;
    out.answer(report, () => [
      ...report.sessions.map(sessionLine),
      ...report.problems.map(yellow),
      ...(report.isLeftToOther ? ["Another process is at work; it reads the waiting sessions."] : []),
    ]);
    return report.problems.length > 0 ? EXIT.refused : EXIT.done;
  },
};

function sessionLine({ session, episode, proposals, passedBytes }: CaptureReport["sessions"][number]): Text {
  const proposed = proposals.filter(({ outcome }) => outcome === "proposed").length;
  const parts = [
    ...(episode === undefined ? [] : [`episode ${episode}`]),
    plural(proposed, "proposal"),
    ...(passedBytes > 0 ? [`the first ${humanBytes(passedBytes)} skipped, as too much came at once`] : []),
  ];
  return [bold(session), `  ${parts.join(", ")}`];
}

/** Whatever a person waits for goes first. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed here: then it runs as it is.
  }
}

async function backfill({ args, out, open }: Invocation): Promise<void> {
  const limit = args.count("limit", { min: 1, max: 1_000_000 }) ?? 200;
  const since = args.text("since");
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw usageError(`--since is "${since}": give a date like 2026-09-01`, "since", since);
  const from = args.first === "" ? undefined : [args.first];
  const request = { isApplied: args.has("apply"), limit, ...given({ since, from }) };
  const report = await withProgress((progress) => open().learning.backfill(request, progress));
  out.answer(report, () => {
    const { sessions, problems, doneBefore, isApplied } = report;
    const proposals = sessions.flatMap((session) =>
      session.proposals.filter(({ outcome }) => outcome !== "known"),
    );
    const turns = sessions.reduce((sum, session) => sum + session.turns, 0);
    const before = doneBefore > 0 ? `, ${doneBefore} done before` : "";
    return [
      ...proposals.map(({ type, description, time }): Text => [
        cyan(`${type}  `),
        description,
        dim(`  ${time.slice(0, 10)}`),
      ]),
      ...problems.map(yellow),
      `${plural(sessions.length, "session")} read${before}: ${plural(turns, "new turn")}, ${plural(proposals.length, "proposal")}.`,
      ...(isApplied ? [] : ["Nothing is changed yet: heed capture --backfill --apply"]),
    ];
  });
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { capture };

import type { RollBackRequest, UndoRequest } from "../../../heed.ts";
import { type CommandSpec, type Invocation, EXIT, limitTo } from "../arguments/command.ts";
import { answerChange, CHANGE_JSON, shortId } from "../terminal/answers.ts";
import { type Text, minuteOf, plural, dim, oneLine, yellow } from "../output/output.ts";

/** Changes, the newest first: of one memory, or all. */
export async function answerChanges({ args, out, open }: Invocation, handle?: string): Promise<void> {
  const changes = await open().history.list({ handle, limit: args.count("limit") });
  out.answer({ changes }, () =>
    changes.length === 0
      ? out.nothing("No changes yet.")
      : out.rows(
          ["change", "time (UTC)", "by", "what and why"],
          changes.map(({ id, time, actor, summary }) => [
            yellow(shortId(id)),
            minuteOf(time),
            actor,
            summary,
          ]),
        ),
  );
}

const undo: CommandSpec = {
  arguments: [{ name: "CHANGE", isOptional: true }],
  options: {
    of: {
      sets: "handle",
      value: "NAME",
      onlyWith: ["CHANGE", "--apply"],
      help: "only what CHANGE did to NAME; without CHANGE, the last change of NAME",
    },
    session: {
      sets: "session",
      value: "ID",
      onlyWith: ["--actor", "--since", "--apply"],
      help: "all changes of this session (an import is one too)",
    },
    actor: {
      sets: "actor",
      value: "NAME",
      onlyWith: ["--session", "--since", "--apply"],
      help: "all changes of this actor, as --list names it",
    },
    since: { sets: "since", value: "DATE", goesWith: ["--session", "--actor"], help: "only since then" },
    apply: { sets: "isApplied", help: "do it; default: a dry run of what changes more than one memory" },
    list: { onlyWith: ["--limit"], help: "list the changes that were made, the newest first" },
    limit: { ...limitTo(10_000, 50), goesWith: ["--list"] },
  },
  details: [
    "Default: the last change. An undo is a change too: a second heed undo redoes it. What was changed since by others is kept",
    "and listed. heed show NAME --log lists the changes of one memory.",
  ],
  examples: [
    "heed undo",
    "heed undo --list",
    "heed undo --of staging-db",
    "heed undo --session 5f1d7a3e-0000-4000-8000-00000000abcd --apply",
  ],
  json: `${CHANGE_JSON}, of a dry run with "isApplied"; --session, --actor: {"takenBack", "kept", "isApplied"}; --list {"changes": [...]}`,
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    if (args.has("list")) return answerChanges(invocation);
    const { history } = open();
    if (!args.has("session") && !args.has("actor")) {
      const request = { change: args.positionals[0], ...args.fields<UndoRequest>() };
      const planned = await history.undo({ ...request, isApplied: false }, actor);
      if (planned.files.length <= 1 || args.has("apply"))
        answerChange(out, await history.undo(request, actor));
      else
        out.answer({ change: planned, isApplied: false }, () => [
          planned.summary,
          ...planned.files.map((file): Text => ["  ", file]),
          `${plural(planned.files.length, "memory", "memories")} would change back; --apply does it, --of NAME for one of them.`,
        ]);
      return EXIT.done;
    }
    const report = await history.rollBack(args.fields<RollBackRequest>(), actor);
    out.answer(report, () => [
      ...report.takenBack.map(({ time, summary }): Text => [dim(minuteOf(time)), `  ${oneLine(summary)}`]),
      ...report.kept.map(({ summary, why }): Text => [
        yellow("kept  "),
        `${oneLine(summary)}: ${oneLine(why)}`,
      ]),
      `${plural(report.takenBack.length, "change")} ${report.isApplied ? "undone" : "would be undone; --apply does it"}.`,
    ]);
    return report.kept.length > 0 ? EXIT.refused : EXIT.done;
  },
};

export const commands: Readonly<Record<string, CommandSpec>> = { undo };

import type { RollBackRequest, UndoRequest } from "../../../heed.ts";
import {
  type CommandSpec,
  type Invocation,
  EXIT,
  usageError,
  fieldsOf,
  optionsFor,
} from "../arguments/command.ts";
import { GLOBAL_OPTIONS } from "../arguments/parse-command-line.ts";
import { answerChange, CHANGE_JSON, shortId } from "../terminal/answers.ts";
import { type Text, minuteOf, plural, dim, oneLine, yellow } from "../output/text.ts";

/** How many changes are listed. */
export const LIMIT = { value: "N", short: "n", help: "at most this many (1 to 10000, default 50)" };
/** What lists them answers with `--json`. */
export const CHANGES_JSON = '{"changes": [...]}';

/** Changes, the newest first: of one memory, or all. */
export async function answerChanges({ args, out, open }: Invocation, handle?: string): Promise<void> {
  const limit = args.count("limit", { min: 1, max: 10_000 });
  const changes = await open().history.list({ handle, limit });
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

const UNDO_OPTIONS = optionsFor(fieldsOf("history.undo", "request"), {
  of: {
    sets: "handle",
    value: "NAME",
    help: "only what CHANGE did to NAME; without CHANGE, the last change of NAME",
  },
});
const ROLL_BACK_OPTIONS = optionsFor(fieldsOf("history.rollBack", "request"), {
  session: { value: "ID", help: "all changes of this session (an import is one too)" },
  actor: { value: "NAME", help: "all changes of this actor, as --list names it" },
  since: { value: "DATE", goesWith: ["--session", "--actor"], help: "only since then" },
  apply: { sets: "isApplied", help: "do it; default: a dry run of what changes more than one memory" },
});

const LISTS: readonly string[] = ["list", "limit", ...Object.keys(GLOBAL_OPTIONS)];

const undo: CommandSpec = {
  arguments: [{ name: "CHANGE", isOptional: true }],
  options: {
    ...UNDO_OPTIONS,
    ...ROLL_BACK_OPTIONS,
    list: { help: "list the changes that were made, the newest first" },
    limit: { ...LIMIT, goesWith: ["--list"] },
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
  json: `${CHANGE_JSON}, of a dry run with "isApplied"; --session, --actor: {"takenBack", "kept", "isApplied"}; --list ${CHANGES_JSON}`,
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    if (args.has("list")) {
      const [other] = args.words.filter((word) => !LISTS.includes(word));
      if (other !== undefined)
        throw usageError("--list undoes nothing: give it alone. For one memory: heed show NAME --log", other);
      return answerChanges(invocation);
    }
    const { history } = open();
    const [change] = args.positionals;
    if (!args.has("session") && !args.has("actor")) {
      const request = { change, ...args.fields<UndoRequest>(UNDO_OPTIONS) };
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
    if (change !== undefined || args.has("of"))
      throw usageError("give CHANGE or --of, or else --session or --actor", "CHANGE");
    const report = await history.rollBack(args.fields<RollBackRequest>(ROLL_BACK_OPTIONS), actor);
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

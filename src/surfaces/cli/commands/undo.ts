import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { usageError } from "../arguments/usage-error.ts";
import { minuteOf, plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";

/** `heed undo` */
export const command: Command = {
  name: "undo",
  summary: "take a change back, or all of a session or actor",
  arguments: [{ name: "CHANGE", isOptional: true }],
  options: {
    session: { value: "ID", help: "all that this session changed (an import is one too)" },
    actor: { value: "NAME", help: "all that this actor changed, as `heed log` names it" },
    since: { value: "DATE", help: "with --session or --actor: only since then" },
    apply: { help: "with --session or --actor: do it; default: only tell" },
  },
  details: [
    "Default: the last change. The undo is a change of its own, so that it can be undone too. What later changes of",
    "others touch is kept and named.",
  ],
  examples: ["heed undo", "heed undo --session 5f1d7a3e-0000-4000-8000-00000000abcd --apply"],
  async run({ args, out, actor, open }) {
    const [session, whose, since] = [args.text("session"), args.text("actor"), args.text("since")];
    if (session === undefined && whose === undefined) {
      if (since !== undefined || args.has("apply"))
        throw usageError("--since and --apply go with --session or --actor", "session");
      answerChange(out, await open().history.undo({ change: args.positionals[0] }, actor));
      return EXIT.done;
    }
    if (args.positionals.length > 0) throw usageError("give a change, or --session or --actor", "CHANGE");
    const isApplied = args.has("apply");
    const report = await open().history.rollBack({ session, actor: whose, since, isApplied }, actor);
    out.answer(report, () => [
      ...report.takenBack.map((change): Text => [
        styled("dim", minuteOf(change.time)),
        `  ${oneLine(change.summary)}`,
      ]),
      ...report.kept.map((change): Text => [
        styled("yellow", "kept  "),
        `${oneLine(change.summary)}: ${oneLine(change.why)}`,
      ]),
      `${plural(report.takenBack.length, "change", "changes")} ${isApplied ? "taken back" : "would be taken back; --apply does it"}.`,
    ]);
    return report.kept.length > 0 ? EXIT.refused : EXIT.done;
  },
};

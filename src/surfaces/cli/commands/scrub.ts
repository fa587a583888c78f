import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { usageError } from "../arguments/usage-error.ts";
import { readGiven } from "../terminal/read-given.ts";

/** `heed scrub` */
export const command: Command = {
  name: "scrub",
  summary: "take a leaked value out of every file that heed owns",
  arguments: [{ name: "VALUE", isOptional: true }],
  options: { apply: { help: "do it; without this it is only told what would be done" } },
  details: [
    "Give the value on stdin, so that it does not land in the history of your shell too:",
    '    read -rs V && printf %s "$V" | heed scrub --apply',
    "All stores of this machine are searched, with tombstones, inbox, receipts, sessions, logs and the journal of",
    "changes, in every form in which heed may have written the value. There is no undo. The history of git is searched",
    "and left alone: the commands that rewrite it are printed. First of all, replace the secret where it came from.",
  ],
  examples: ["heed scrub < value.txt", "heed scrub --apply < value.txt"],
  async run({ args, out, actor, open }) {
    const given = args.positionals[0];
    if (given === undefined && process.stdin.isTTY)
      throw usageError('no value is given. Write it to stdin: printf %s "$V" | heed scrub', "VALUE");
    const value = given ?? (await readGiven(0));
    const isApplied = args.has("apply");
    const report = await open().setup.scrub(value, { isApplied }, actor);
    out.answer(report, () => {
      const { files, indexes, left, histories } = report;
      const lines: Text[] = files.map(({ path, occurrences, isInName, isReadOnly }): Text => [
        styled("dim", `${occurrences} × `.padStart(6)),
        path,
        isInName ? styled("yellow", "  (its name)") : "",
        isReadOnly ? styled("yellow", "  (another tool's: not written)") : "",
      ]);
      if (files.length === 0) lines.push("The value stands in no file of heed's.");
      else if (!isApplied)
        lines.push(
          `${plural(files.length, "file", "files")} would be changed, and ${plural(indexes.length, "folder of search indexes", "folders of search indexes")} built anew. Nothing was done: add --apply.`,
        );
      else if (left.length === 0)
        lines.push([
          styled("green", "✓ "),
          `taken out of ${plural(files.length, "file", "files")}; a search of all of them finds nothing`,
        ]);
      else lines.push([styled("red", "✗ "), `still there: ${left.join(", ")}`]);
      for (const { repository, isCertain, commands } of histories)
        lines.push(
          "",
          `The git history of ${repository} ${isCertain ? "holds" : "may hold"} the value. heed shows nothing of it any more; whoever has the repository still can, until it is rewritten (git-filter-repo is needed):`,
          ...commands.map((line): Text => `    ${line}`),
        );
      return lines;
    });
    if (given !== undefined)
      out.note(styled("yellow", "The value stands in the history of your shell now: remove it there too."));
    return report.left.length > 0 ? EXIT.refused : EXIT.done;
  },
};

import type { CommandSpec } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { usageError } from "../arguments/usage-error.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { dim, doneLine, red, yellow } from "../output/styled-text.ts";
import { readGiven } from "../terminal/read-given.ts";

const scrub: CommandSpec = {
  arguments: [{ name: "VALUE", isOptional: true }],
  options: { apply: { help: "do it; default: a dry run" } },
  details: [
    "Give the value on stdin, which keeps it out of the history of your shell:",
    '    read -rs V && printf %s "$V" | heed scrub --apply',
    "Searches all stores of this machine, with tombstones, inbox, receipts, sessions, logs and the journal of changes, for",
    "every form in which heed may have written the value. There is no undo. The history of git is searched and not",
    "changed: the commands that rewrite it are printed. First of all, replace the secret where it came from.",
  ],
  examples: ["heed scrub < value.txt", "heed scrub --apply < value.txt"],
  json: '{"files", "indexes", "left", "histories"}',
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
        dim(`${occurrences} × `.padStart(6)),
        path,
        isInName ? yellow("  (its name)") : "",
        isReadOnly ? yellow("  (another tool's: not written)") : "",
      ]);
      if (files.length === 0) lines.push("No file of heed's holds the value.");
      else if (!isApplied)
        lines.push(
          `${plural(files.length, "file")} would be changed, and ${plural(indexes.length, "folder of search indexes", "folders of search indexes")} rebuilt. Nothing was done: add --apply.`,
        );
      else if (left.length === 0)
        lines.push(
          doneLine(`removed from ${plural(files.length, "file")}; a search of all of them finds nothing`),
        );
      else lines.push([red("✗ "), `still there: ${left.join(", ")}`]);
      for (const { repository, isCertain, commands } of histories)
        lines.push(
          "",
          `The git history of ${repository} ${isCertain ? "holds" : "may hold"} the value. heed no longer shows it; anyone with the repository can read it until it is rewritten (git-filter-repo is needed):`,
          ...commands.map((line): Text => `    ${line}`),
        );
      return lines;
    });
    if (given !== undefined)
      out.note(yellow("The value is in the history of your shell now: remove it there too."));
    return report.left.length > 0 ? EXIT.refused : EXIT.done;
  },
};

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { scrub };

import { dirname } from "node:path";
import { assertPerson } from "../arguments/assert-person.ts";
import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { progressLine } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed sync` */
export const command: Command = {
  name: "sync",
  summary: "carry the user store to a git remote and back; or keep rules and map in AGENTS.md",
  arguments: [
    { name: "REMOTE", isOptional: true },
    { name: "FILE", isOptional: true },
  ],
  options: { user: { help: "with agents-md: what is your own too, in a file that others do not read" } },
  details: [
    "REMOTE is a git address or path; it is remembered. When one memory was edited on both sides, both versions are",
    "kept: one waits in the inbox. There are never conflict markers in a memory.",
    "",
    "heed sync agents-md [FILE] keeps the rules and the map of this repository's store in AGENTS.md, for clients that no",
    "hook can tell them: between two comments, at most 8,000 characters, everything else of the file as it is.",
  ],
  examples: ["heed sync git@example.com:me/memories.git", "heed sync", "heed sync agents-md"],
  async run({ args, out, open, who, cwd }) {
    const [target, name = ""] = args.positionals;
    if (target === "agents-md") {
      const { syncAgentsFile } = await import("../../clients/sync-agents-file.ts");
      const project = open()
        .setup.stores()
        .find(({ kind }) => kind === "project");
      const root = project === undefined ? cwd : dirname(project.root);
      const report = await syncAgentsFile(open(), { root, name, isPersonal: args.has("user") });
      out.answer(report, () => [
        [report.action === "unchanged" ? "= " : styled("green", "✓ "), `${report.file} ${report.action}`],
        ...(report.chars === 0
          ? ["  There is nothing to tell: the repository's store has no rules and facts in force."]
          : []),
      ]);
      return;
    }
    if (name !== "") throw usageError("only heed sync agents-md takes a file.", "FILE", name);
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

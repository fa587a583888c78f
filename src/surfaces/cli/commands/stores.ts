import { dirname, resolve } from "node:path";
import { syncAgentsFile } from "../../clients/sync-agents-file.ts";
import { assertPerson } from "../arguments/acting-as.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { withProgress } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { bold, dim, doneLine, yellow } from "../output/styled-text.ts";

const sync: CommandSpec = {
  arguments: [
    { name: "REMOTE", isOptional: true },
    { name: "FILE", isOptional: true },
  ],
  options: {
    user: { goesWith: ["agents-md"], help: "your own rules too, in a file that others do not read" },
  },
  details: [
    "REMOTE is a git address or path; it is remembered. When one memory was edited on both sides, both versions are",
    "kept: one waits in the inbox. There are never conflict markers in a memory.",
    "",
    "heed sync agents-md [FILE] keeps the rules and the map of this repository's store in AGENTS.md, for clients without",
    "hooks: between two comments, at most 8,000 characters, everything else of the file as it is.",
  ],
  examples: ["heed sync git@example.com:me/memories.git", "heed sync", "heed sync agents-md"],
  json: '{"remote", "pulled", "pushed", "queued", "announcement"}; agents-md {"file", "action", "chars"}',
  async run(invocation) {
    const { args, out, open, who } = invocation;
    const [remote, file = ""] = args.positionals;
    if (remote === "agents-md") return syncAgents(file, invocation);
    if (file !== "") throw usageError("only heed sync agents-md takes a file.", "FILE", file);
    // What a remote holds takes force: a model may continue with the user's remote, and set none.
    if (remote !== undefined)
      assertPerson(
        who,
        "the rules of another remote would come into force (heed sync alone continues with the one that is set)",
        "heed sync REMOTE",
      );
    const report = await withProgress((progress) => open().setup.sync({ remote }, progress));
    out.answer(report, () => [
      doneLine(report.announcement),
      ...report.queued.map((name): Text => [yellow("  edited on both sides: "), name, dim("  (heed inbox)")]),
    ]);
  },
};

async function syncAgents(name: string, { args, out, open, cwd }: Invocation): Promise<void> {
  const project = open()
    .setup.stores()
    .find(({ kind }) => kind === "project");
  const root = project === undefined ? cwd : dirname(project.root);
  const report = await syncAgentsFile(open(), { root, name, isPersonal: args.has("user") });
  const line = `${report.file} ${report.action}`;
  out.answer(report, () => [
    report.action === "unchanged" ? `= ${line}` : doneLine(line),
    ...(report.chars === 0 ? ["  It is empty: the repository's store has no rules and facts in force."] : []),
  ]);
}

const attach: CommandSpec = {
  arguments: [{ name: "DIRECTORY", completes: "directory" }],
  options: {
    writable: { help: "also write there when asked to; default: read only" },
    remove: { help: "forget it; the directory and its files stay as they are" },
  },
  details: [
    "Its rules are in force as they are now. One that comes or changes later needs your approval (heed inbox), as claims",
    "about you do: other tools write such a directory by themselves.",
  ],
  examples: ["heed attach ~/.claude/projects/-home-me-api/memory"],
  json: '{"store": {"id", "kind", "root", "isTrusted", "isReadOnly"}}; --remove {"detached"}',
  async run({ args, out, open, cwd, actor }) {
    // An unset variable in a shell gives an empty word, which would be the current directory.
    if (args.first.trim() === "")
      throw usageError("DIRECTORY is empty. Give the path of one.", "DIRECTORY", args.first);
    const directory = resolve(cwd, args.first);
    if (args.has("remove")) {
      await open().setup.detach(directory);
      out.answer({ detached: directory }, () => [doneLine(`detached ${directory}; its files stay`)]);
      return;
    }
    const store = await open().setup.attach(directory, { isWritable: args.has("writable") }, actor);
    const access = store.isReadOnly ? " (read only)" : " (writable)";
    out.answer({ store }, () => [doneLine("attached ", bold(store.root), access)]);
  },
};

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { sync, attach };

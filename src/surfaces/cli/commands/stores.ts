import { dirname, resolve } from "node:path";
import { syncAgentsFile } from "../../clients/sync-agents-file.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { usageError, EXIT } from "../arguments/command.ts";
import { type Text, bold, dim, doneLine, yellow, plural, red } from "../output/output.ts";
import { readGiven } from "../terminal/read-given.ts";

const sync: CommandSpec = {
  arguments: [
    { name: "REMOTE", isOptional: true },
    { name: "FILE", isOptional: true, goesWith: ["agents-md", "skills"] },
  ],
  options: {
    user: { goesWith: ["agents-md", "skills"], help: "your own memories too, where only you read them" },
    "read-only": {
      help: "pull and never push, as with a deploy key; what models write waits in the inbox",
    },
  },
  details: [
    "REMOTE is a git address or path; it is remembered. When one memory was edited on both sides, both versions are",
    "kept: one waits in the inbox. There are never conflict markers in a memory.",
    "",
    "heed sync agents-md [FILE] keeps the rules and the map of this repository's store in AGENTS.md, for clients without",
    "hooks: at most 8,000 characters between two comments; the rest of the file stays. Rules for paths go into the AGENTS.md",
    "of their folder. heed sync skills [FOLDER] keeps approved procedures as Agent Skills, in .claude/skills; git ignores",
    "your own.",
  ],
  examples: ["heed sync git@example.com:me/memories.git", "heed sync agents-md", "heed sync skills --user"],
  json: '{"remote", "pulled", "pushed", "queued", "details", "announcement"}; agents-md {"file", "action", "chars", "nested"}; skills {"folder", "skills"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const [remote, file = ""] = args.positionals;
    if (remote === "agents-md") return syncAgents(file, invocation);
    if (remote === "skills") return keepSkills(file, invocation);
    const report = await open().setup.sync({ remote, isReadOnly: args.has("read-only") });
    out.answer(report, () => [
      doneLine(report.announcement),
      ...report.queued.map((name): Text => [yellow("  edited on both sides: "), name, dim("  (heed inbox)")]),
    ]);
  },
};

async function keepSkills(path: string, { args, out, open, cwd }: Invocation): Promise<void> {
  const folder = path === "" ? {} : { folder: resolve(cwd, path) };
  const report = await open().exchange.syncSkills({ ...folder, isPersonal: args.has("user") });
  out.answer(report, () => [
    ...report.skills.map(({ name, action }) => doneLine(`${name}: ${action}`)),
    `${plural(report.skills.length, "skill")} in ${report.folder}${args.has("user") ? "" : " (--user: your own too)"}`,
  ]);
}

async function syncAgents(name: string, { args, out, open, cwd }: Invocation): Promise<void> {
  const project = open()
    .setup.stores()
    .find(({ kind }) => kind === "project");
  const root = project === undefined ? cwd : dirname(project.root);
  const report = await syncAgentsFile(open(), { root, name, isPersonal: args.has("user") });
  out.answer(report, () =>
    [report, ...report.nested].map(({ file, action, chars }) =>
      action !== "unchanged"
        ? doneLine(`${file} ${action}`)
        : chars > 0
          ? `= ${file} unchanged`
          : `= nothing to write into ${file}: the repository's store has no rules and facts in force`,
    ),
  );
}

const attach: CommandSpec = {
  arguments: [{ name: "DIRECTORY" }],
  options: {
    for: {
      value: "PATTERN",
      isList: true,
      help: "a shared store: the repositories to which it applies, with * for anything",
    },
    remove: { help: "forget it; its files stay" },
  },
  details: [
    "Its present rules come into force. Rules that are added or changed later, and statements about you, need your approval",
    "(heed inbox), since other tools write such a directory by themselves.",
    "",
    "With --for, DIRECTORY is the git address or path of a repository of memories for many repositories. heed inbox trust shows",
    "what it brings and puts that commit into force, read only; heed attach DIRECTORY fetches again, and nothing else does.",
  ],
  examples: [
    "heed attach ~/.claude/projects/-home-me-api/memory",
    'heed attach git@github.com:acme/rules.git --for "github.com/acme/*"',
  ],
  json: '{"store": {"id", "kind", "root", "isTrusted", "isReadOnly"}}; --remove {"detached"}',
  async run({ args, out, open, cwd, actor }) {
    // An unset variable in a shell gives an empty word, which would be the current directory.
    if (args.first.trim() === "")
      throw usageError("DIRECTORY is empty. Give the path of one.", "DIRECTORY", args.first);
    const directory = resolve(cwd, args.first);
    if (args.has("remove")) {
      await open().setup.detach(args.first);
      out.answer({ detached: directory }, () => [doneLine(`detached ${directory}; its files stay`)]);
      return;
    }
    const heed = open();
    const repositories = args.list("for");
    const store = await heed.setup.attach(args.first, { ...(repositories && { repositories }) }, actor);
    if (store.source !== undefined) {
      const line = doneLine("fetched ", bold(args.first));
      out.answer({ store }, () => [line, "next: heed inbox trust, in one of its repositories"]);
      return;
    }
    out.answer({ store }, () => [
      doneLine("attached ", bold(store.root), " (read only)"),
      dim("heed reads the files beside MEMORY.md: heed check names notes in it, and files that tell little"),
    ]);
  },
};

const scrub: CommandSpec = {
  arguments: [{ name: "< FILE", isOptional: true }],
  options: { apply: { help: "do it; default: a dry run" } },
  details: [
    "It reads the value from stdin, which keeps it out of the history of your shell:",
    '    read -rs V && printf %s "$V" | heed scrub --apply',
    "First replace the secret where it came from. This searches everything that heed keeps on this machine for every form of",
    "the value. There is no undo. Git's history is searched but not changed: the commands that rewrite it are printed.",
  ],
  examples: ["heed scrub < value.txt", "heed scrub --apply < value.txt"],
  json: '{"files", "indexes", "left", "histories"}',
  async run({ args, out, actor, open }) {
    // A value among the words is in the shell's history already, and is not repeated here.
    if (args.first !== "" || process.stdin.isTTY)
      throw usageError('the value is read from stdin alone: printf %s "$V" | heed scrub', "stdin");
    const isApplied = args.has("apply");
    const report = await open().setup.scrub(await readGiven("-"), { isApplied }, actor);
    out.answer(report, () => {
      const { files, indexes, left, histories } = report;
      const lines: Text[] = files.map(({ path, occurrences, isInName, isReadOnly }): Text => [
        dim(`${occurrences} × `.padStart(6)),
        path,
        isInName ? yellow("  (its name)") : "",
        isReadOnly ? yellow("  (another tool's: not written)") : "",
      ]);
      if (files.length === 0) lines.push("No file of heed's contains the value.");
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
          `The git history of ${repository} ${isCertain ? "contains" : "may contain"} the value. heed no longer shows it; anyone with the repository can read it until it is rewritten (git-filter-repo is needed):`,
          ...commands.map((line): Text => `    ${line}`),
        );
      return lines;
    });
    return report.left.length > 0 ? EXIT.refused : EXIT.done;
  },
};

export const commands: Readonly<Record<string, CommandSpec>> = { sync, attach, scrub };

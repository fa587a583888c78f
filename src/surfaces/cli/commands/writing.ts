import type { MemoryChanges, MemoryDraft, SectionChanges } from "../../../heed.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import {
  CHANGE_OPTIONS,
  DRAFT_OPTIONS,
  readFields,
  sectionsIn,
  withSections,
} from "../arguments/memory-options.ts";
import { EXIT, usageError, optionsFor } from "../arguments/command.ts";
import { MEMORY_FIELDS } from "../../../here/schema.ts";
import { answerChange, CHANGE_JSON, answerAsking, answerWrite, problemLine } from "../terminal/answers.ts";
import { readGiven } from "../terminal/read-given.ts";

const WRITE_OPTIONS = optionsFor(MEMORY_FIELDS, {
  name: { value: "NAME", help: "default: made from the statement" },
  store: {},
  replaces: { value: "NAME" },
});

const write: CommandSpec = {
  arguments: [{ name: "STATEMENT|-", isOptional: true }],
  options: {
    ...DRAFT_OPTIONS,
    ...WRITE_OPTIONS,
    file: { value: "FILE", short: "f", help: "read a markdown memory from a file" },
  },
  details: [
    `The statement (\`description\` in the file) is one line of at most ${LIMITS.statementChars} characters. \`-\` reads a markdown memory`,
    "(front matter and text) from stdin, --file from a file; flags override it. A name that exists changes that memory.",
    "",
    "The type is the first that fits: reference (where something is), user (about you), feedback (how to work), solution",
    "(what solved a hard problem), procedure (steps that worked), project (about the work).",
  ],
  examples: [
    'heed write --type feedback "never use --no-verify" --reason "a bypass shipped a broken migration" --how "fix the root cause"',
    'heed write --type reference "oncall dashboard for latency: https://grafana.example.com/d/lat"',
    "heed write --file memory.md",
  ],
  json: '{"outcome": "written"|"amended"|"unchanged", "metadata", "path", "announcement", "warnings", "near"}, {"outcome": "pending", "name", "reason", "near", ...} or {"outcome": "refused", "refusals"}',
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const { memories } = open();
    const [argument] = args.positionals;
    const file = argument === "-" ? "-" : args.text("file");
    if (args.has("file") && argument !== undefined)
      throw usageError("--file and an argument exclude each other. Give one of them.", "file", file);
    const body = args.text("body");
    if ((argument ?? file ?? body) === undefined && sectionsIn(args).length === 0)
      throw usageError(
        'give a statement, `-` for stdin, or --file FILE. For example: heed write --type feedback "never …" --reason "…" --how "…"',
        "STATEMENT",
      );
    const flags = readFields<MemoryDraft>(args);
    if (file === undefined) {
      const statement = argument ?? "";
      // The text begins with the statement: sections alone make no rule.
      flags.statement = statement;
      flags.body = withSections(body ?? statement, args);
    } else if (body !== undefined || sectionsIn(args).length > 0) flags.body = withSections(body, args);
    let draft: Partial<MemoryDraft> | undefined = {};
    if (file !== undefined) {
      const read = await memories.readDraft(await readGiven(file));
      const problems = read.problems
        // A missing type is asked for once, with the choices, when neither text nor flag names one.
        .filter(({ code }) => code !== "no-type")
        .map((one) => ({ ...one, file: file === "-" ? "standard input" : file }));
      const lines = problems.map((problem) => problemLine(problem, problem.file));
      draft = read.draft;
      if (!draft) {
        out.complain({ problems }, ...lines);
        return EXIT.refused;
      }
      out.note(...lines);
    }
    const whole = complete({ ...draft, ...flags } as Given, invocation);
    return answerAsking((also) => memories.write({ ...whole, ...also }, actor), invocation);
  },
};

type Given = Omit<MemoryDraft, "type"> & { type?: string };

function complete({ type, ...draft }: Given, { open }: Invocation): MemoryDraft {
  if (type) return { ...draft, type };
  const types = open()
    .memories.types()
    // heed itself writes the records of sessions.
    .filter(({ injection }) => injection !== "resume")
    .map(({ name, holds }) => `  ${name.padEnd(10)} ${holds}`);
  throw usageError(`--type is missing. It decides what happens to the memory:\n${types.join("\n")}`, "type");
}

const edit: CommandSpec = {
  arguments: [{ name: "NAME" }],
  options: {
    ...optionsFor(MEMORY_FIELDS, { statement: { short: "d" } }),
    ...CHANGE_OPTIONS,
    name: { value: "NEW-NAME", onlyWith: [], help: "rename it" },
    file: {
      value: "FILE",
      short: "f",
      onlyWith: [],
      help: "the new text, from a file or `-` for stdin",
    },
  },
  details: [
    "What no flag names stays as it is. --body replaces the whole text, a list flag the whole list. heed show NAME names",
    "the file, which you may edit yourself.",
  ],
  examples: [
    'heed edit staging-db --statement "staging database is db2.example.com since 2026-03-05"',
    "heed edit staging-db --name staging-database",
    "heed edit dont-bypass-hooks --file new-text.md",
  ],
  json: `as heed write; --name ${CHANGE_JSON}`,
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const { memories } = open();
    const [name, file, body] = [args.text("name"), args.text("file"), args.text("body")];
    if (name !== undefined) return answerChange(out, await memories.rename(args.first, name, actor));
    if (file !== undefined) {
      const { metadata } = await memories.show(args.first);
      const edited = { text: await readGiven(file), ifHash: metadata.contentHash };
      return answerWrite(await memories.edit(metadata.id, edited, actor), invocation);
    }
    const sections = sectionsIn(args).map(([label, text]) => [
      label.toLowerCase().replaceAll(" ", "-"),
      text,
    ]);
    const changes: MemoryChanges = {
      ...readFields<MemoryChanges>(args),
      ...(body !== undefined && { body: withSections(body, args) }),
      ...(body === undefined &&
        sections.length > 0 && { sections: Object.fromEntries(sections) as SectionChanges }),
    };
    if (Object.keys(changes).length === 0)
      throw usageError(
        "give what changes, for example --statement, or the new text with --file FILE.",
        "file",
      );
    return answerAsking((also) => memories.update(args.first, { ...changes, ...also }, actor), invocation);
  },
};

const remove: CommandSpec = {
  arguments: [{ name: "NAME" }],
  options: {
    reason: { value: "TEXT", short: "r", help: "why; kept with the removed memory" },
    restore: { help: "bring a removed memory back" },
  },
  details: ["A removed memory is kept with its reason, which is shown when somebody writes it again."],
  examples: ['heed remove staging-db --reason "staging was shut down"', "heed remove staging-db --restore"],
  json: CHANGE_JSON,
  async run({ args, out, actor, open }) {
    const { memories } = open();
    const change = args.has("restore")
      ? memories.restore(args.first, actor)
      : memories.remove(args.first, args.text("reason") ?? "no reason given", actor);
    answerChange(out, await change);
  },
};

export const commands: Readonly<Record<string, CommandSpec>> = { write, edit, remove };

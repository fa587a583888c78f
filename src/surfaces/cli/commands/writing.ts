import type { Heed, MemoryChanges, MemoryDraft, Problem } from "../../../heed.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { CommandSpec, Invocation, ParsedArguments } from "../arguments/command.ts";
import {
  CHANGE_OPTIONS,
  DRAFT_OPTIONS,
  hasSections,
  readChanges,
  readSectionChanges,
} from "../arguments/memory-options.ts";
import { EXIT, usageError, optionsFor } from "../arguments/command.ts";
import { given } from "../../given.ts";
import { MEMORY_FIELDS } from "../../../here/schema.ts";
import { answerChange, CHANGE_JSON, answerAsking, answerWrite, problemLine } from "../terminal/answers.ts";
import type { Text } from "../output/text.ts";
import { canAsk, readGiven } from "../terminal/read-given.ts";

const WRITE_OPTIONS = optionsFor(MEMORY_FIELDS, {
  name: { value: "NAME", help: "default: made from the statement" },
  store: {},
});

const write: CommandSpec = {
  arguments: [{ name: "STATEMENT|-", isOptional: true }],
  options: {
    ...DRAFT_OPTIONS,
    ...WRITE_OPTIONS,
    file: { value: "FILE", short: "f", help: "read a markdown memory from a file" },
    replaces: { value: "NAME", help: "the memory that this one replaces" },
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
    const { args, out, open } = invocation;
    const heed = open();
    const [argument] = args.positionals;
    const file = args.text("file");
    if (file !== undefined && argument !== undefined)
      throw usageError("--file and an argument exclude each other. Give one of them.", "file", file);
    if (argument === undefined && file === undefined && !args.has("body") && !hasSections(args))
      throw usageError(
        'give a statement, `-` for stdin, or --file FILE. For example: heed write --type feedback "never …" --reason "…" --how "…"',
        "STATEMENT",
      );
    if (argument === "-" || file !== undefined) {
      const isInput = file === undefined || file === "-";
      const text = await readGiven(isInput ? 0 : file);
      const { draft, problems } = await readDraft(heed, text, invocation);
      const named = problems.map((one) => ({ ...one, file: isInput ? "standard input" : file }));
      if (!draft) return answerProblems(named, invocation);
      out.note(...linesOf(named));
      return writeAsking(complete(draft, invocation), invocation);
    }
    const statement = argument ?? "";
    const draft = withFlags({ statement, body: "" }, invocation);
    // The text begins with the statement: sections alone make no rule.
    if (!args.has("body")) draft.body = `${statement}\n${draft.body}`.trim();
    return writeAsking(complete(draft, invocation), invocation);
  },
};

async function writeAsking(draft: MemoryDraft, invocation: Invocation): Promise<number> {
  const heed = invocation.open();
  return answerAsking((also) => heed.memories.write({ ...draft, ...also }, invocation.actor), invocation);
}

type PartialDraft = Partial<MemoryDraft> & { statement: string; body: string };

async function readDraft(
  heed: Heed,
  text: string,
  invocation: Invocation,
): Promise<{ draft: PartialDraft | undefined; problems: Problem[] }> {
  const { draft, problems } = await heed.memories.readDraft(text);
  return {
    draft: draft && withFlags(draft, invocation),
    // A missing type is asked for once, with the choices, when neither text nor flag names one.
    problems: problems.filter(({ code }) => code !== "no-type"),
  };
}

/** Flags win over the text. */
function withFlags(draft: PartialDraft, { args }: Invocation): PartialDraft {
  const { ifHash: _, expires, ...changes } = readChanges(args);
  const more = given({
    ...args.fields<MemoryDraft>(WRITE_OPTIONS),
    expires: expires ?? undefined,
    replaces: args.text("replaces"),
  });
  return { ...draft, ...changes, ...more };
}

function complete(draft: PartialDraft, { open }: Invocation): MemoryDraft {
  const { type } = draft;
  if (type !== undefined && type !== "") return { ...draft, type };
  const types = open()
    .memories.types()
    // heed itself writes the records of sessions.
    .filter(({ injection }) => injection !== "resume")
    .map(({ name, holds }) => `  ${name.padEnd(10)} ${holds}`);
  throw usageError(`--type is missing. It decides what happens to the memory:\n${types.join("\n")}`, "type");
}

const linesOf = (problems: readonly Problem[]): Text[] =>
  problems.map((problem) => problemLine(problem, problem.file));

function answerProblems(problems: readonly Problem[], { out }: Invocation): number {
  if (out.isJson) out.answer({ problems }, () => []);
  else out.note(...linesOf(problems));
  return EXIT.refused;
}

const edit: CommandSpec = {
  arguments: [{ name: "NAME" }],
  options: {
    ...optionsFor(MEMORY_FIELDS, { statement: { short: "d" } }),
    ...CHANGE_OPTIONS,
    name: { value: "NEW-NAME", help: "rename it" },
    "no-expires": { help: "remove its expiry date" },
    file: {
      value: "FILE",
      short: "f",
      help: "the new text, from a file or `-` for stdin",
    },
  },
  details: [
    "What no flag names stays as it is. --body replaces the whole text, a list flag the whole list. Without flags the memory",
    "opens in $VISUAL or $EDITOR; a text that is refused is kept in a file.",
  ],
  examples: [
    'heed edit staging-db --statement "staging database is db2.example.com since 2026-03-05"',
    "heed edit staging-db --name staging-database",
    "heed edit dont-bypass-hooks",
    "heed edit dont-bypass-hooks --file new-text.md",
  ],
  json: `as heed write; --name ${CHANGE_JSON}`,
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const { memories } = open();
    const file = args.text("file");
    const changes = readEdit(args);
    const isByFlags = Object.keys(changes).length > 0;
    const newName = args.text("name");
    if (newName !== undefined) {
      if (isByFlags || file !== undefined)
        throw usageError("--name renames. Give it without other changes.", "name");
      return answerChange(out, await memories.rename(args.first, newName, actor));
    }
    if (isByFlags && file !== undefined)
      throw usageError("--file takes the whole text. Give it without other flags.", "file", file);
    if (isByFlags)
      return answerAsking((also) => memories.update(args.first, { ...changes, ...also }, actor), invocation);
    const { metadata, path } = await memories.show(args.first);
    const save = (text: string) => memories.edit(metadata.id, { text, ifHash: metadata.contentHash }, actor);
    if (file !== undefined)
      return answerWrite(await save(await readGiven(file === "-" ? 0 : file)), invocation);
    if (!canAsk(out))
      throw usageError(
        "editing needs a terminal. Give flags, for example --statement, or the new text with --file FILE.",
        "file",
      );
    const { editOnce } = await import("../terminal/editor.ts");
    return editOnce(await readGiven(path), metadata.name, invocation, save);
  },
};

function readEdit(args: ParsedArguments): MemoryChanges {
  const isInPart = hasSections(args) && !args.has("body");
  const { body, ...others } = readChanges(args);
  return given({
    ...others,
    ...(isInPart ? { sections: readSectionChanges(args) } : { body }),
    statement: args.text("statement"),
    expires: args.has("no-expires") ? null : others.expires,
  });
}

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

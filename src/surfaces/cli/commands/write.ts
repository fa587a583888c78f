import type { Heed, MemoryDraft, Problem, StoreKind } from "../../../heed.ts";
import { HeedError } from "../../../heed.ts";
import { LIMITS, WORDS } from "../../../memory/limits.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { DRAFT_OPTIONS, hasSections, readChanges } from "../arguments/draft-options.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { usageError } from "../arguments/usage-error.ts";
import { styled } from "../output/styled-text.ts";
import { answerAsking } from "../terminal/ask-about-dates.ts";
import { readGiven } from "../terminal/read-given.ts";

/** `heed write` */
export const command: Command = {
  name: "write",
  summary: "write a memory through the gates",
  arguments: [{ name: "DESCRIPTION|-", isOptional: true }],
  options: {
    ...DRAFT_OPTIONS,
    name: {
      value: "NAME",
      help: `the handle, ${LIMITS.nameChars} characters at most; default: made from the description`,
    },
    file: { value: "FILE", short: "f", completes: "file", help: "read a markdown memory from a file" },
    store: {
      value: "STORE",
      words: WORDS.storeKind,
      help: "user, project or attached; default: as the type says",
    },
    replaces: { value: "NAME", completes: "memory", help: "it is a change of that memory" },
    adds: { value: "NAME", completes: "memory", help: "it adds to that memory: both hold, and are linked" },
    distinct: { value: "NAME", completes: "memory", help: "it resembles that memory, and is another matter" },
  },
  details: [
    `The description is one line of ${LIMITS.descriptionChars} characters at most: what selection reads. \`-\` reads a markdown`,
    "memory (front matter and text) from stdin, --file from a file; flags win over what it says. Without any of these, on",
    "a terminal, your editor opens with a template. A name or title that exists amends that memory and shows the difference.",
    "",
    "Where does it go? First match: it says where something is: reference. It says how to work: feedback",
    "(it came from a struggle: solution). A lasting fact about the person: user; about the work: project.",
  ],
  examples: [
    'heed write --type feedback "never use --no-verify" --why "a bypass shipped a broken migration" --how "fix the root cause"',
    'heed write --type reference "oncall dashboard for latency: https://grafana.example.com/d/lat"',
    "heed write --file memory.md",
  ],
  async run(invocation) {
    const { args, out, open } = invocation;
    const heed = open();
    const [argument] = args.positionals;
    const file = args.text("file");
    if (file !== undefined && argument !== undefined)
      throw usageError("--file and an argument exclude each other. Give one of them.", "file", file);
    if (argument === undefined && file === undefined && !args.has("body") && !hasSections(args))
      return writeInEditor(invocation);
    if (argument === "-" || file !== undefined) {
      const text = await readSource(file === undefined || file === "-" ? 0 : file);
      const { draft, problems } = await readDraft(heed, text, invocation);
      if (!draft) return answerProblems(problems, invocation);
      for (const problem of problems) out.note(problemLine(problem));
      return writeAsking(complete(draft, invocation), invocation);
    }
    const description = argument ?? "";
    const draft = withFlags({ description, body: "" }, invocation);
    // The text begins with what it says: a rule without its statement is none, whatever its sections explain.
    if (!args.has("body")) draft.body = `${description}\n${draft.body}`.trim();
    return writeAsking(complete(draft, invocation), invocation);
  },
};

async function writeAsking(draft: MemoryDraft, invocation: Invocation): Promise<number> {
  const heed = invocation.open();
  return answerAsking((also) => heed.memories.write({ ...draft, ...also }, invocation.actor), invocation);
}

const NO_TYPE: Problem = {
  file: "memory.md",
  severity: "error",
  code: "no-type",
  message: "no type is given",
  remedy: "fill in `type` with one of those listed",
};

type PartialDraft = Partial<MemoryDraft> & { description: string; body: string };

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

/** What the flags say wins over what the text says. */
function withFlags(draft: PartialDraft, { args }: Invocation): PartialDraft {
  const { ifHash: _, expires, ...changes } = readChanges(args);
  const name = args.text("name");
  const store = args.word<StoreKind>("store", WORDS.storeKind);
  return {
    ...draft,
    ...changes,
    ...(typeof expires === "string" && { expires }),
    ...(name !== undefined && { name }),
    ...(store && { store }),
    ...readRelation(args),
  };
}

function complete(draft: PartialDraft, { open }: Invocation): MemoryDraft {
  const { type } = draft;
  if (type !== undefined && type !== "") return { ...draft, type };
  const types = open()
    .memories.types()
    // heed itself writes the record of a session.
    .filter(({ layer }) => layer !== "episodic")
    .map(({ name, holds }) => `  ${name.padEnd(10)} ${holds}`);
  throw usageError(`--type is missing. It decides what happens to the memory:\n${types.join("\n")}`, "type");
}

function readRelation(args: Invocation["args"]): Pick<MemoryDraft, "relation"> {
  const given = WORDS.relation.flatMap((kind) => {
    const to = args.text(kind);
    return to === undefined ? [] : [{ kind, to }];
  });
  const [relation, other] = given;
  if (relation && other)
    throw usageError(
      `--${relation.kind} and --${other.kind} exclude each other. Give one of them.`,
      other.kind,
    );
  return relation ? { relation } : {};
}

function problemLine(problem: Problem): [ReturnType<typeof styled>, string] {
  const line = problem.line === undefined ? "" : `:${problem.line}`;
  return [
    styled(problem.severity === "error" ? "red" : "yellow", problem.severity),
    ` ${problem.file}${line} ${problem.code}: ${problem.message} → ${problem.remedy}`,
  ];
}

function answerProblems(problems: readonly Problem[], { out }: Invocation): number {
  if (out.isJson) out.answer({ problems }, () => []);
  else out.note(...problems.map(problemLine));
  return EXIT.refused;
}

async function writeInEditor(invocation: Invocation): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY || invocation.out.isJson)
    throw usageError(
      'give a description, `-` for stdin, or --file. For example: heed write --type feedback "never …" --why "…" --how "…"',
      "DESCRIPTION",
    );
  const { memoryTemplate } = await import("../terminal/memory-template.ts");
  const { editUntilAccepted } = await import("../terminal/edit-until-accepted.ts");
  const { open, actor, args } = invocation;
  const heed = open();
  return editUntilAccepted(
    memoryTemplate(heed.memories.types(), args.text("type")),
    "memory",
    invocation,
    async (text) => {
      const { draft, problems } = await readDraft(heed, text, invocation);
      if (draft?.type) return heed.memories.write(complete(draft, invocation), actor);
      return { problems: draft ? [NO_TYPE] : problems };
    },
  );
}

/** @throws a usage error for a file that cannot be read. */
async function readSource(file: string | 0): Promise<string> {
  try {
    return await readGiven(file);
  } catch (error) {
    if (error instanceof HeedError || file === 0) throw error;
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw usageError(`--file ${file} cannot be read (${code}). Give the path of a markdown file.`, "file");
  }
}

import type {
  AndOr,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  For,
  Pipeline,
  PipelineNode,
  Redirection,
} from "unbash";
import { forEachChild, parse } from "unbash";
import { Budget, BudgetSpent } from "./budget.ts";
import { type Expansion, assignVariable, expandQuoted, expandWhole, expandWord } from "./expand-word.ts";
import { findInner, plainName } from "./inner-commands.ts";
import { directoryOf } from "./read-arguments.ts";
import {
  type RedirectedFile,
  type ShellCommand,
  type ShellPipeline,
  type ShellReading,
  type ShellWord,
  absolutePath,
  commandText,
  HOLE,
  isKnown,
  knownWord,
} from "./shell-command.ts";

/** So much of a text is read, in characters: the parser takes the square of the nesting depth. */
export const MAX_SHELL_CHARS: number = 64 * 1024;
/** Limit of here-documents and expansions in a text, for the same reason; whole programs have far fewer. */
const MAX_NESTED = 2000;
/** Commands and words that are read in one text: 10 ms of work. */
const MAX_STEPS = 30_000;
/** Deeper scripts in scripts and wrappers of wrappers are not followed. */
const MAX_DEPTH = 12;
const MAX_EACH = 32;

/** Where a shell text is read, absolute, and when reading it stops, by `performance.now()`. */
interface ShellPlace {
  cwd: string;
  home?: string | undefined;
  variables?: Readonly<Record<string, string>>;
  untilMs?: number | undefined;
}

interface ShellState {
  variables: Map<string, ShellWord>;
  exported: Set<string>;
  cwd: string | undefined;
}

interface Frame {
  state: ShellState;
  route: readonly string[];
  depth: number;
  input: string | undefined;
}

/** Literal words of the commands in a shell text, through chains, wrappers, `cd` and literal variables; all else is a HOLE. Pure and bounded. */
export function readShell(source: string, { cwd, home, variables, untilMs }: ShellPlace): ShellReading {
  const reader = new ShellReader(new Budget(MAX_STEPS, untilMs), home);
  const known = Object.entries({ ...(home !== undefined && { HOME: home }), ...variables });
  const state: ShellState = {
    variables: new Map(known.map(([name, value]) => [name, knownWord(value)])),
    exported: new Set(),
    cwd,
  };
  try {
    reader.readText(source, { state, route: [], depth: 0, input: undefined });
  } catch (error) {
    // The parser and the walk end by themselves; a stack that is too small for them must not end the caller.
    reader.cutShort =
      error instanceof BudgetSpent ? error.message : `the text cannot be read: ${String(error).slice(0, 80)}`;
  }
  return { commands: reader.commands, pipelines: reader.pipelines, cutShort: reader.cutShort };
}

class ShellReader {
  readonly commands: ShellCommand[] = [];
  readonly pipelines: ShellPipeline[] = [];
  cutShort: string | undefined;
  readonly #budget: Budget;
  readonly #home: string | undefined;

  constructor(budget: Budget, home: string | undefined) {
    this.#budget = budget;
    this.#home = home;
  }

  readText(whole: string, frame: Frame): void {
    const text = whole.slice(0, MAX_SHELL_CHARS);
    this.#budget.spend(5 + text.length / 64);
    if (text.length < whole.length) this.cutShort = `only ${MAX_SHELL_CHARS} characters of the text are read`;
    if (text.split(/<<|\$[{(]/).length > MAX_NESTED)
      throw new BudgetSpent(`the text has more than ${MAX_NESTED} here-documents and expansions`);
    if (frame.depth > MAX_DEPTH) return;
    // A HOLE of the text around it stays one: a variable that nobody sets.
    this.#list(parse(text.replaceAll(HOLE, "${__heed_unknown}")), frame);
  }

  #list({ commands }: Pick<CompoundList, "commands">, frame: Frame): string | undefined {
    let printed: string | undefined;
    for (const { command } of commands) printed = this.#node(command, frame);
    return commands.length === 1 ? printed : undefined;
  }

  /** Reads a command. Returns what it prints, where that is literal. */
  #node(node: PipelineNode | AndOr, frame: Frame): string | undefined {
    this.#budget.spend(1);
    switch (node.type) {
      case "Command":
        return this.#command(node, frame);
      case "AndOr":
        for (const command of node.commands) this.#node(command, frame);
        return undefined;
      case "Pipeline":
        return this.#pipeline(node, frame);
      case "Subshell":
        return this.#list(node.body, inSubshell(frame));
      case "BraceGroup":
        return this.#list(node.body, frame);
      case "Redirected": {
        const { input, writes } = this.#redirects(node.redirects, frame);
        if (writes.length > 0)
          this.#note({ words: [], environment: [], writes, cwd: frame.state.cwd, route: frame.route });
        return this.#node(node.command, { ...frame, input });
      }
      // Read where it is defined, as it is called somewhere.
      case "Function":
        return this.#branches(node, inSubshell(frame));
      case "For":
      case "Select":
        return this.#loop(node, frame);
      default:
        return this.#branches(node, frame);
    }
  }

  /** Reads each list of a compound command; what one of them sets or changes is not literal behind it. */
  #branches(node: CommandNode, frame: Frame): undefined {
    const { state } = frame;
    const lists = this.#listsOf(node, frame);
    const condition = node.type === "If" || node.type === "While" ? lists.shift() : undefined;
    if (condition) this.#list(condition, frame);
    for (const list of lists) {
      const inner = inSubshell(frame);
      this.#list(list, inner);
      for (const [name, value] of inner.state.variables)
        if (state.variables.get(name)?.text !== value.text) state.variables.delete(name);
      if (inner.state.cwd !== state.cwd) state.cwd = undefined;
    }
  }

  /** The lists of a compound command. Substitutions in its words and tests are read. */
  #listsOf(node: Parameters<typeof forEachChild>[0], frame: Frame): CompoundList[] {
    const lists: CompoundList[] = [];
    forEachChild(node, (child) => {
      this.#budget.spend(1);
      if (child.type === "CompoundList") lists.push(child);
      else if (child.type === "Script") this.#list(child, inSubshell(frame));
      else lists.push(...this.#listsOf(child, frame));
    });
    return lists;
  }

  #loop({ name, wordlist, body }: Pick<For, "name" | "wordlist" | "body">, frame: Frame): undefined {
    const words = wordlist?.flatMap((word) => expandWord(word, this.#expansion(frame))) ?? [];
    const each = words.length === 0 || words.length > MAX_EACH ? [knownWord(HOLE)] : words;
    for (const value of each) {
      frame.state.variables.set(name.value, value);
      this.#list(body, frame);
    }
  }

  #pipeline({ commands }: Pipeline, frame: Frame): string | undefined {
    const [only] = commands;
    if (only && commands.length === 1) return this.#node(only, frame);
    let { input } = frame;
    const start = this.commands.length;
    const stages: string[] = [];
    for (const command of commands) {
      const before = this.commands.length;
      input = this.#node(command, { ...inSubshell(frame), input });
      // What the last stage runs in turn is no part of the pipeline.
      const end = command === commands.at(-1) ? before + 1 : undefined;
      stages.push(this.commands.slice(before, end).map(commandText).join("; "));
    }
    this.pipelines.push({ text: stages.join(" | "), commands: this.commands.slice(start) });
    return input;
  }

  #command(node: Command, frame: Frame): string | undefined {
    const { state } = frame;
    const expansion = this.#expansion(frame);
    const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
    const suffix = node.suffix.flatMap((item): ShellWord[] => {
      if (item.type === "Word") return expandWord(item, expansion);
      // `export A=1`
      return item.type === "Assignment"
        ? [knownWord(`${item.name}=${assignVariable(item, expansion).text}`)]
        : [];
    });
    const words = [...(node.name ? expandWord(node.name, expansion) : []), ...suffix];
    const { input, ...files } = this.#redirects(node.redirects, frame);
    const { writes } = files;
    if (words.length === 0) {
      for (const assignment of assignments) assignVariable(assignment, expansion);
      const emptied = writes.map((file) => ({ ...file, isGone: !file.isAppended }));
      if (writes.length > 0)
        this.#note({ words, environment: [], writes: emptied, cwd: state.cwd, route: frame.route });
      return "";
    }
    const environment = assignments.map(({ name, value }) => ({
      name,
      value: expandWhole(value, expansion),
    }));
    const printed = this.#run({ words, environment, ...files }, { ...frame, input });
    return writes.length > 0 ? "" : printed;
  }

  #note(command: ShellCommand): void {
    this.commands.push(command);
  }

  #run(
    given: Pick<ShellCommand, "words" | "environment" | "from"> & { writes: RedirectedFile[] },
    frame: Frame,
  ): string | undefined {
    const { state, route, depth, input } = frame;
    this.#budget.spend(2 + given.words.length);
    const words = plainName(given.words);
    const exported = [...state.exported].flatMap((name) => {
      const value = state.variables.get(name);
      return value ? { name, value } : [];
    });
    const environment = [...exported, ...given.environment];
    const [program = "", ...args] = words.map(({ text }) => text);
    const printed = printedBy(program, args, { input, cwd: state.cwd });
    const writes = given.writes.map((file) => ({ ...file, isGone: !file.isAppended && printed === "" }));
    const cwd = directoryOf(words, state.cwd);
    this.#note({ ...given, words, environment, writes, input, cwd, route });
    this.#runBuiltin(words, state);
    if (depth > MAX_DEPTH) return printed;
    for (const inner of findInner({ words, environment, input })) {
      const own = { ...inSubshell(frame), route: [...route, inner.label], depth: depth + 1, input };
      for (const { name, value } of [...given.environment, ...(inner.environment ?? [])]) {
        own.state.variables.set(name, value);
        own.state.exported.add(name);
      }
      if ("text" in inner) this.readText(inner.text, { ...own, input: undefined });
      else this.#run({ words: inner.words, environment: given.environment, writes: [] }, own);
    }
    return printed;
  }

  #runBuiltin([name, ...args]: readonly ShellWord[], state: ShellState): void {
    const texts = args.map(({ text }) => text);
    if (name?.text === "cd" || name?.text === "pushd") {
      const target = args.find(({ text }) => !/^-./.test(text)) ?? knownWord(this.#home ?? HOLE);
      state.cwd = isKnown(target) && target.text !== "-" ? absolutePath(target.text, state.cwd) : undefined;
    } else if (name?.text === "popd") state.cwd = undefined;
    else if (name?.text === "export") for (const text of texts) state.exported.add(text.replace(/=.*/s, ""));
    else if (/^(?:unset|read|mapfile|readarray|getopts)$/.test(name?.text ?? ""))
      for (const text of texts) state.variables.delete(text);
  }

  #redirects(
    redirects: readonly Redirection[],
    frame: Frame,
  ): { input: string | undefined; from: ShellWord | undefined; writes: RedirectedFile[] } {
    const expansion = this.#expansion(frame);
    let { input } = frame;
    let from: ShellWord | undefined;
    const writes: RedirectedFile[] = [];
    for (const redirect of redirects) {
      if (redirect.type === "HereDoc") {
        const { delimiter, body } = redirect;
        input = delimiter?.quoted || !body.parts ? body.text : expandQuoted(body.parts, expansion);
      } else if (!redirect.target) continue;
      else if (redirect.type === "HereString") input = `${expandWhole(redirect.target, expansion).text}\n`;
      else {
        const file = expandWhole(redirect.target, expansion);
        if (redirect.operator === "<") [input, from] = [file.text === "/dev/null" ? "" : undefined, file];
        const isFile = redirect.operator.includes(">") && !/^(?:\d+|-|\/dev\/null)$/.test(file.text);
        if (isFile) writes.push({ ...file, isAppended: redirect.operator.endsWith(">>") });
      }
    }
    return { input, from, writes };
  }

  #expansion(frame: Frame): Expansion {
    const { variables, cwd } = frame.state;
    return {
      variables,
      cwd,
      home: this.#home,
      spend: (steps) => this.#budget.spend(steps),
      readLists: (node) => void this.#listsOf(node, frame),
      readScript: (script) => this.#list(script, inSubshell(frame)),
    };
  }
}

function inSubshell(frame: Frame): Frame {
  const { variables, exported, cwd } = frame.state;
  return { ...frame, state: { variables: new Map(variables), exported: new Set(exported), cwd } };
}

function printedBy(
  program: string,
  args: readonly string[],
  { input, cwd }: { input: string | undefined; cwd: string | undefined },
): string | undefined {
  if (program === "pwd") return cwd;
  if (program === ":" || program === "true") return "";
  if (program === "cat" && args.length === 0) return input;
  if (program === "echo" && !/^-\w*e/.test(args[0] ?? "")) {
    const isBare = /^-n$/.test(args[0] ?? "");
    return args.slice(isBare ? 1 : 0).join(" ") + (isBare ? "" : "\n");
  }
  const [format = "", ...values] = args;
  if (program !== "printf" || /%[^sn]|\\[^n]/.test(format) || (format.match(/%/g)?.length ?? 0) > 1)
    return undefined;
  const lines = format.replaceAll("\\n", "\n");
  return lines.includes("%s") ? values.map((value) => lines.replace("%s", () => value)).join("") : lines;
}

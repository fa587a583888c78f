import type {
  AndOr,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  For,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
} from "unbash";
import { forEachChild, parse } from "unbash";
import { type Expansion, expandQuoted, expandWhole, expandWord } from "./expand-word.ts";
import { runCommand } from "./run-command.ts";
import type { FunctionBody, PreparedCommand, RunContext, ShellRuntime, ShellState } from "./run-context.ts";
import {
  fileText,
  inSubshell,
  keepFile,
  Budget,
  BudgetSpent,
  MAX_EACH,
  MAX_SHELL_CHARS,
  whyNotRead,
} from "./run-context.ts";
import type { ForeignText, ShellCommand, ShellPipeline, ShellReading, ShellWord } from "./shell-command.ts";
import { commandText, HOLE, knownWord, UNKNOWN_WORDS } from "./shell-command.ts";

/** Commands, words and pieces of text that are followed in one text: 10 ms of work. */
const MAX_STEPS = 30_000;

const MAX_BLIND_SPOTS = 10;

/** Where a shell text is read, absolute, and when reading it stops, by `performance.now()`. */
interface ShellPlace {
  cwd: string;
  home?: string | undefined;
  variables?: Readonly<Record<string, string>>;
  untilMs?: number | undefined;
}

/**
 * Reads a shell text without running it: every command that it would run, with quotes, variables, functions, aliases,
 * loops, substitutions, here-documents and nested scripts followed as far as the text itself tells them. Pure and
 * bounded; what cannot be told is named among the blind spots.
 */
export function readShell(source: string, { cwd, home, variables, untilMs }: ShellPlace): ShellReading {
  const reader = new ShellReader(new Budget(MAX_STEPS, untilMs), home);
  const known = { ...(home !== undefined && { HOME: home }), ...variables };
  const state: ShellState = {
    variables: new Map(Object.entries(known).map(([name, value]) => [name, knownWord(value)])),
    exported: new Set(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    settings: new Map(),
    leads: new Map(),
    said: "",
    cwd,
    positionals: undefined,
  };
  try {
    reader.runText(source, { shell: reader, state, route: [], depth: 0, input: "" });
  } catch (error) {
    // The parser and the walk end by themselves; a stack that is too small for them must not end the caller.
    reader.blind(
      error instanceof BudgetSpent ? error.message : `the text cannot be read: ${String(error).slice(0, 80)}`,
    );
  }
  return reader.reading();
}

class ShellReader implements ShellRuntime {
  readonly budget: Budget;
  readonly home: string | undefined;
  readonly #commands: ShellCommand[] = [];
  readonly #pipelines: ShellPipeline[] = [];
  readonly #foreign = new Map<string, ForeignText>();
  readonly #blindSpots = new Set<string>();

  constructor(budget: Budget, home: string | undefined) {
    this.budget = budget;
    this.home = home;
  }

  reading(): ShellReading {
    const [commands, pipelines, foreign] = [this.#commands, this.#pipelines, [...this.#foreign.values()]];
    return { commands, pipelines, foreign, blindSpots: [...this.#blindSpots] };
  }

  foreign(text: ForeignText): void {
    this.budget.spend(5 + (this.#foreign.has(text.text) ? 0 : text.text.length / 64));
    this.#foreign.set(text.text, text);
  }

  note(command: ShellCommand): void {
    this.#commands.push(command);
  }

  blind(reason: string): void {
    if (this.#blindSpots.size < MAX_BLIND_SPOTS) this.#blindSpots.add(reason);
  }

  runText(text: string, context: RunContext): string | undefined {
    this.budget.spend(5 + text.length / 64);
    const reason = whyNotRead(text);
    if (reason !== undefined) return (this.blind(reason), undefined);
    // NUL stands for what is unknown; bash drops it from a script.
    return this.#script(parse(text.replaceAll(HOLE, "")), context);
  }

  runBody(body: FunctionBody, context: RunContext): string | undefined {
    return body.type === "CompoundList" ? this.#list(body, context) : this.#node(body, context);
  }

  runPrepared(command: PreparedCommand, context: RunContext): string | undefined {
    return runCommand(command, context);
  }

  #script(script: ParsedScript, context: RunContext): string | undefined {
    const [error] = script.errors ?? [];
    if (error) this.blind(`the text is no valid shell: ${error.message}`);
    return this.#list(script, context);
  }

  #list({ commands }: Pick<CompoundList, "commands">, context: RunContext): string | undefined {
    return joined(commands.map(({ command }) => this.#node(command, context)));
  }

  #node(node: PipelineNode | AndOr, context: RunContext): string | undefined {
    this.budget.spend(1);
    switch (node.type) {
      case "Command":
        return this.#command(node, context);
      case "AndOr":
        return joined(node.commands.map((command) => this.#node(command, context)));
      case "Pipeline":
        return this.#pipeline(node, context);
      case "Subshell":
        return this.#list(node.body, this.#subshell(context));
      case "BraceGroup":
        return this.#list(node.body, context);
      case "Redirected":
        return this.#redirected(node.redirects, context, (inner, writes) => {
          this.#noteWrites(writes, context);
          return this.#node(node.command, inner);
        });
      case "Function":
        context.state.functions.set(node.name.value, node.body);
        return "";
      case "Coproc":
        return void this.runBody(node.body as FunctionBody, { ...this.#subshell(context), input: HOLE });
      case "For":
      case "Select":
        return this.#loop(node, context);
      default:
        return this.#compound(node, context);
    }
  }

  /** Runs each branch on its own; afterwards a variable or directory that a branch changed is unknown. */
  #compound(node: CommandNode, context: RunContext): undefined {
    const { state } = context;
    // Arithmetic sets variables by names that heed does not read.
    if (node.type === "ArithmeticFor") state.variables.clear();
    const lists = this.#parts(node, context);
    const asked = node.type === "If" || node.type === "While" ? lists.shift() : undefined;
    if (asked) this.#list(asked, context);
    const branches = lists.map((list) => {
      const inner = this.#subshell(context);
      this.#list(list, inner);
      return inner.state;
    });
    for (const branch of branches) {
      for (const [name, value] of state.variables)
        if (branch.variables.get(name) !== value) state.variables.delete(name);
      for (const name of branch.exported) state.exported.add(name);
      for (const [name, body] of branch.functions) state.functions.set(name, body);
      for (const [name, text] of branch.aliases) state.aliases.set(name, text);
      if (branch.cwd !== state.cwd) state.cwd = undefined;
    }
  }

  /** The lists of a compound command; substitutions in its words, tests and arithmetic are run. */
  #parts(node: Parameters<typeof forEachChild>[0], context: RunContext): CompoundList[] {
    const lists: CompoundList[] = [];
    forEachChild(node, (child) => {
      this.budget.spend(1);
      if (child.type === "CompoundList") lists.push(child);
      else if (child.type === "Script") this.#expansion(context).runScript(child);
      else lists.push(...this.#parts(child, context));
    });
    return lists;
  }

  #loop({ name, wordlist, body }: Omit<For, "type">, context: RunContext): undefined {
    const words = wordlist?.flatMap((word) => expandWord(word, this.#expansion(context))) ??
      context.state.positionals ?? [UNKNOWN_WORDS];
    for (const value of words.length > MAX_EACH ? [UNKNOWN_WORDS] : words) {
      context.state.variables.set(name.value, value);
      this.#list(body, context);
    }
  }

  #pipeline({ commands }: Pipeline, context: RunContext): string | undefined {
    const [only] = commands;
    if (only && commands.length === 1) return this.#node(only, context);
    let { input } = context;
    const stages: string[] = [];
    const start = this.#commands.length;
    for (const command of commands) {
      const before = this.#commands.length;
      input = this.#node(command, { ...this.#subshell(context), input, source: stages.join("\n") });
      const end = command === commands.at(-1) ? before + 1 : undefined;
      stages.push(this.#commands.slice(before, end).map(commandText).join("; "));
    }
    this.#pipelines.push({ text: stages.join(" | "), commands: this.#commands.slice(start) });
    return input;
  }

  #command(node: Command, context: RunContext): string | undefined {
    const expansion = this.#expansion(context);
    const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
    const last = assignments.at(-1);
    // `A=<(x) git` gives the substitution to the variable.
    const isValue = last?.value.type === "Word" && last.value.text === "" && last.end === node.name?.pos;
    const words = [
      ...(node.name && !isValue ? expandWord(node.name, expansion) : []),
      ...node.suffix.flatMap((item): ShellWord[] => {
        if (item.type === "Word") return expandWord(item, expansion);
        return item.type === "Assignment" ? this.#declared(item, context) : [];
      }),
    ];
    if (words.length === 0) for (const assignment of assignments) assignVariable(assignment, expansion);
    return this.#redirected(node.redirects, context, (inner, writes) => {
      if (words.length === 0) return (this.#noteWrites(writes, context), "");
      const environment = assignments.flatMap(({ name, value }) =>
        value.type === "ArrayValue" ? [] : [{ name, value: expandWhole(value, expansion) }],
      );
      return runCommand({ words, environment, writes }, inner);
    });
  }

  /** An assignment as an argument of `export` and its like; given on as one word. */
  #declared(assignment: Assignment, context: RunContext): ShellWord[] {
    assignVariable(assignment, this.#expansion(context));
    const value = context.state.variables.get(assignment.name);
    return [knownWord(value ? `${assignment.name}=${value.text}` : assignment.name)];
  }

  #redirected(
    redirects: readonly Redirection[],
    context: RunContext,
    run: (inner: RunContext, writes: ShellWord[]) => string | undefined,
  ): string | undefined {
    const { writes, ...read } = readRedirects(redirects, context, this.#expansion(context));
    const before = this.#commands.length;
    const output = run({ ...context, ...read }, writes);
    if (writes.length === 0) return output;
    const ran = this.#commands.slice(before);
    // `jq . a.json > a.json` reads what is empty already.
    const isRead = ({ text }: ShellWord): boolean =>
      ran.some(({ words, from }) => [...words, from].some((word) => word?.text === text));
    for (const file of writes) file.isEmptied = !file.isAppended && (output === "" || isRead(file));
    const made = ran.map(commandText);
    for (const file of writes) keepFile(file, output ?? [HOLE, ...made].join("\n"), context);
    return "";
  }

  /** Redirections without a command, or around several. */
  #noteWrites(writes: readonly ShellWord[], { state, route }: RunContext): void {
    const fed = { text: "", isWhole: true };
    if (writes.length > 0) this.note({ words: [], environment: [], writes, fed, cwd: state.cwd, route });
  }

  #subshell(context: RunContext): RunContext {
    const { variables, functions } = context.state;
    this.budget.spend((variables.size + functions.size) / 8);
    return inSubshell(context);
  }

  #expansion(context: RunContext): Expansion {
    return {
      state: context.state,
      budget: this.budget,
      home: this.home,
      runParts: (node) => void this.#parts(node, context),
      runScript: (script, isFed) => {
        this.budget.spend(1);
        const input = isFed === true ? context.input || HOLE : context.input;
        return this.#script(script, { ...this.#subshell(context), input, depth: context.depth + 1 });
      },
    };
  }
}

/** What commands print one after another; a hole on a line of its own where one of them is not told. */
function joined(outputs: readonly (string | undefined)[]): string | undefined {
  if (outputs.includes(undefined) && !outputs.some(Boolean)) return undefined;
  return outputs.map((output) => output ?? `${HOLE}\n`).join("");
}

/** Sets a variable to one word; an array, an element of one and a longer text are unknown. */
function assignVariable({ name, value, append, index }: Assignment, expansion: Expansion): void {
  const { variables } = expansion.state;
  const words = value.type === "ArrayValue" ? value.elements : index ? [index, value] : [];
  for (const word of words) expandWord(word, expansion);
  const word = words.length === 0 && value.type === "Word" ? expandWhole(value, expansion) : undefined;
  const before = append ? (variables.get(name)?.text ?? HOLE) : "";
  if (!word || before.length + word.text.length > MAX_SHELL_CHARS) variables.delete(name);
  else variables.set(name, { ...word, text: before + word.text });
}

/** The input that redirections give a command, undefined where unknown, its file, and the files into which it writes. */
function readRedirects(
  redirects: readonly Redirection[],
  { input, from }: Pick<RunContext, "input" | "from">,
  expansion: Expansion,
): Pick<RunContext, "input" | "from"> & { writes: ShellWord[] } {
  const writes: ShellWord[] = [];
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const { delimiter, body } = redirect;
      input = delimiter?.quoted || !body.parts ? body.text : expandQuoted(body.parts, expansion);
    } else if (!redirect.target) continue;
    else if (redirect.type === "HereString") input = `${expandWhole(redirect.target, expansion).text}\n`;
    else {
      const file = expandWhole(redirect.target, expansion);
      const isCopy = redirect.operator === ">&" && /^(?:\d+|-)$/.test(file.text);
      const { variables } = expansion.state;
      if (redirect.operator === "<&") [input, from] = [undefined, variables.get(`&${file.text}`) ?? from];
      else if (redirect.operator === "<") {
        from = file;
        // `exec 4<file; cat <&4`
        if (redirect.descriptor?.type === "FileDescriptor")
          variables.set(`&${redirect.descriptor.value}`, file);
        input = file.text === "/dev/null" ? "" : (file.stream ?? fileText(file, expansion.state));
      } else if (!isCopy && file.text !== "/dev/null")
        writes.push(redirect.operator.endsWith(">>") ? { ...file, isAppended: true } : file);
    }
  }
  return { input, from, writes };
}

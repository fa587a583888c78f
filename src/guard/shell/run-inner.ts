import type { PreparedCommand, RunContext } from "./run-context.ts";
import {
  absolutePath,
  fileText,
  inSubshell,
  noteForeign,
  runAlias,
  runInside,
  within,
} from "./run-context.ts";
import { type ShellAssignment, type ShellWord, HOLE, isKnown, knownWord } from "./shell-command.ts";
import { runGit } from "./run-git.ts";
import { MAX_EACH } from "./budget.ts";
import { type Runner, optionRole, runnerOf, SHELLS } from "./programs.ts";

/** The output of the commands that a command runs; undefined if heed did not read them. */
type InnerRun = { output?: string | undefined } | undefined;

/** Follows the commands that a command runs: of shells, wrappers, `find -exec`, git's own ways. @param program as it is called. */
export function runInner(command: PreparedCommand, program: ShellWord, context: RunContext): InnerRun {
  const { words } = command;
  const [name, ...args] = words;
  if (!name) return undefined;
  if (SHELLS.has(name.text)) return runShell(command, args, context);
  if (name.text === "source" || name.text === ".") return runFile(args, context);
  if (/^(?:find|fd|fdfind)$/.test(name.text)) return runFind(command, context);
  if (name.text === "git") runGit(command, context);
  const found = runnerOf(words);
  if (found) {
    const output = unwrap(found, words.slice(found.next), command, context);
    return name.text === "git" ? undefined : { output };
  }
  // A program without a path is never a file that the text wrote.
  return program.text.includes("/") ? runFile([program, ...args], context) : undefined;
}

/** `sh -c TEXT`, `sh FILE`, and a shell that reads its input. */
function runShell(
  { words, environment }: PreparedCommand,
  args: readonly ShellWord[],
  context: RunContext,
): InnerRun {
  const shell = words[0]?.text ?? "";
  const inner = inSubshell(context);
  for (const { name, value } of environment) {
    inner.state.variables.set(name, value);
    inner.state.exported.add(name);
  }
  if (
    args.some(({ text }) => /^--(?:rcfile|init-file)$/.test(text)) ||
    environment.some(
      ({ name, value }) => name === "BASH_ENV" || (name === "ENV" && !/^\w+$/.test(value.text)),
    )
  )
    context.shell.blind(`${shell} starts with a script that only the shell knows`);
  const at = args.findIndex(({ text }, i) => !/^[-+]./.test(text) && !VALUED.test(args[i - 1]?.text ?? ""));
  const operands = at < 0 ? [] : args.slice(at);
  const isText = args
    .slice(0, args.length - operands.length)
    .some(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  const [first, ...rest] = operands;
  if (first && isText)
    return { output: runInside(`${shell} -c`, first.text, inner, { positionals: rest.slice(1) }) };
  if (first && first.text !== "-") return runFile(operands, inner);
  // An interactive shell, or one that is fed by a command, may read anything.
  const input = { ...inner, input: "" };
  return { output: runInside(`input of ${shell}`, context.input ?? HOLE, input, { positionals: rest }) };
}

/** Options of shells that take the next word. */
const VALUED = /^(?:--rcfile|--init-file|[-+][a-zA-Z]*[oO])$/;

/** Reads a script file that the text itself wrote; other files are not read. */
function runFile(words: readonly ShellWord[], context: RunContext): InnerRun {
  const [file, ...rest] = words;
  if (!file) return undefined;
  const isInput = /^\/dev\/(?:stdin|fd\/0)$/.test(file.text);
  const text = file.stream ?? (isInput ? context.input : fileText(file, context.state));
  if (text === undefined) return undefined;
  const label = file.stream === undefined ? file.text : "a substituted script";
  return { output: runInside(label, text, context, { positionals: rest }) };
}

/** `find … -exec CMD {} ;` and `fd -x CMD`, with what is found. */
function runFind(command: PreparedCommand, context: RunContext): InnerRun {
  for (const [i, { text }] of command.words.entries()) {
    if (!RUNS_FOUND.test(`${command.words[0]?.text} ${text}`)) continue;
    const rest = command.words.slice(i + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    for (const inner of onEach(end < 0 ? rest : rest.slice(0, end), foundBy(command.words), "{}"))
      context.shell.runPrepared({ ...command, words: inner, writes: [] }, within(`find ${text}`, context));
  }
  return {};
}

const RUNS_FOUND = /^(?:find -(?:exec|execdir|ok|okdir)|fd(?:find)? (?:-x|-X|--exec(?:-batch)?))$/;

/** The files that `find` finds, as globs: those of the asked name or path below its folders. */
export function foundBy([program, ...args]: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = (end < 0 ? args : args.slice(0, end)).map(({ text }) => text);
  const isAny = args.some(({ text }) => /^(?:!|-not|-or?)$/.test(text));
  const at = isAny ? -1 : args.findIndex(({ text }) => /^-(?:path|wholename|name)$/.test(text));
  const [how = "-name", asked = ""] = at < 0 ? [] : args.slice(at).map(({ text }) => text);
  const bases = program?.text !== "find" ? [HOLE] : roots.length > 0 ? roots : ["."];
  const found = bases.map((base) =>
    how === "-name" ? `${base}/**${asked && "/"}${asked}` : asked.replace(/\*+/g, "**"),
  );
  return found.map((text) => ({ text, isMany: true, isOperand: true, isGlob: true }));
}

/** Finds the command among the words of a runner, after its options, their values and its own operands. */
function unwrap(
  { label, runner }: { label: string; runner: Runner },
  args: readonly ShellWord[],
  command: PreparedCommand,
  given: RunContext,
): string | undefined {
  const environment: ShellAssignment[] = [...command.environment];
  let context = given;
  let { operands } = runner;
  let place = label === "parallel" ? "{}" : "";
  let delimiter = "\n";
  let i = 0;
  for (; i < args.length; i++) {
    const { text = "", isMany = false } = args[i] ?? {};
    if (text === "--") {
      i += 1;
      break;
    }
    // `--setenv=A=1` sets a variable as `A=1` does; an unknown word may set any.
    const [, name, value = ""] = /^(?:--[\w-]+=)?([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined) environment.push({ name, value: { text: value, isMany: false } });
    else if (isMany && text === HOLE) environment.push({ name: HOLE, value: knownWord(HOLE) });
    else if (/^-./.test(text)) {
      const isLong = text.startsWith("--");
      const end = isLong ? text.indexOf("=") : text.search(runner.valued) + 1;
      const hasOwn = end > 0 && end < text.length;
      const isValued = !isLong && end > 0;
      const role = optionRole(`${label} ${hasOwn ? text.slice(0, end) : text}`);
      const own = { ...args[i], text: text.slice(end + Number(isLong)), isMany: false };
      const next = hasOwn ? own : args[i + 1];
      if (role === "inert") return undefined;
      if (role === "place") place = isValued || hasOwn ? (next?.text ?? "") : "{}";
      if (next && role === "script" && (!isValued || label === "env"))
        return runAlias(label, next.text, args.slice(i + (hasOwn ? 1 : 2)), inSubshell(context));
      if (next && role === "input")
        context = { ...context, input: next.stream ?? fileText(next, context.state) };
      if (next && role === "delimiter") delimiter = next.text;
      if (next && role === "folder") {
        context = inSubshell(context);
        context.state.cwd = isKnown(next) ? absolutePath(next.text, context.state.cwd) : undefined;
      }
      if (!hasOwn && (isValued || /^(?:folder|input|delimiter)$/.test(role ?? ""))) i += 1;
    } else if (operands > 0) operands -= 1;
    else break;
  }
  let inner: readonly ShellWord[] = args.slice(i);
  if (inner.length === 0) return undefined;
  const behind = inner.findIndex(({ text }) => text === "--") + 1;
  if (behind > 0) noteForeign(inner.slice(behind), label, context);
  const run = (words: readonly ShellWord[]): string | undefined =>
    runner.isScript
      ? runInside(label, words.map(({ text }) => text).join(" "), inSubshell(context))
      : context.shell.runPrepared({ words, environment, writes: [] }, within(label, context));
  if (!runner.hasInput) return run(inner);
  const listed = inner.findIndex(({ text }) => text === ":::") + 1;
  const items = listed > 0 ? inner.slice(listed) : itemsOf(context.input, delimiter, place !== "");
  if (listed > 0) inner = inner.slice(0, listed - 1);
  const outputs = onEach(inner, items, place).map(run);
  return outputs.includes(undefined) ? undefined : outputs.join("");
}

/** The words of an input, or its lines. */
function itemsOf(input: string = HOLE, delimiter: string, isEach: boolean): ShellWord[] {
  const texts = input.replaceAll(delimiter, "\n").split(isEach ? "\n" : /\s+/);
  return texts.flatMap((text): ShellWord[] => {
    if (text.includes(HOLE)) return [{ text, isMany: !isEach, isOperand: true }];
    return text === "" ? [] : [knownWord(text)];
  });
}

/** The commands that a list makes: one for each item if the words have a place for it, else one with all items. */
function onEach(words: readonly ShellWord[], items: readonly ShellWord[], place: string): ShellWord[][] {
  const isNamed = ({ text }: ShellWord): boolean => place !== "" && text.includes(place);
  if (!words.some(isNamed)) return [[...words, ...items]];
  const each = items.length > MAX_EACH ? [{ text: HOLE, isMany: true, isOperand: true }] : items;
  return each.map((item) =>
    words.map((word) => (isNamed(word) ? { ...item, text: word.text.replaceAll(place, item.text) } : word)),
  );
}

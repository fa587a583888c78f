import type { PreparedCommand, RunContext } from "./run-context.ts";
import {
  absolutePath,
  fedTo,
  fileText,
  inSubshell,
  noteForeign,
  runAlias,
  runInside,
  within,
  MAX_EACH,
} from "./run-context.ts";
import type { ShellAssignment, ShellWord } from "./shell-command.ts";
import { HOLE, isKnown, knownWord, UNKNOWN, UNKNOWN_WORDS } from "./shell-command.ts";
import { type Runner, optionRole, runnerOf, SHELLS } from "./programs.ts";
import { optionsOf, readArguments, readOption } from "./read-arguments.ts";
import { INTERPRETERS, readCode } from "./read-code.ts";

/** The output of the commands that a command runs; undefined if heed did not read them. */
type InnerRun = { output?: string | undefined } | undefined;

/** Follows the commands that a command runs: of shells, wrappers, `find -exec`, git's own ways. @param program as it is called. */
export function runInner(command: PreparedCommand, program: ShellWord, context: RunContext): InnerRun {
  const { words } = command;
  const [name, ...args] = words;
  if (!name) return undefined;
  if (SHELLS.has(name.text)) return runShell(command, context);
  if (name.text === "source" || name.text === ".") return runFile(args, context);
  const script = INTERPRETERS.test(name.text) && args.find(({ text }) => !text.startsWith("-"));
  if (script && (script.stream ?? fileText(script, context.state))?.startsWith(HOLE))
    return runFile([script], context);
  if (INTERPRETERS.test(name.text)) {
    // `python -m twine upload` is twine.
    if (args[0]?.text === "-m" && args.length > 1 && /^i?py/.test(name.text))
      context.shell.runPrepared({ ...command, words: args.slice(1) }, within(`${name.text} -m`, context));
    const given = args.flatMap(({ text }) => (/[\s"'`(]/.test(text) ? text : []));
    const texts = [...given, fedTo(args, context).text].filter((text) => text !== "");
    readCode(name.text, texts.join("\n"), context);
  }
  if (/^(?:find|fd|fdfind)$/.test(name.text)) return runFind(command, context);
  if (name.text === "git") runGit(command, context);
  // `gh alias set x 'pr merge --admin'`: what it will run.
  else if (args[0]?.text === "alias")
    for (const text of [...args.map((word) => word.text), ...fedTo(args, context).text.split(/^[\w-]+: */m)])
      if (/\w\s/.test(text))
        runInside(
          `${name.text} alias`,
          text.startsWith("!") ? text.slice(1) : `${name.text} ${text}`,
          context,
        );
  const found = runnerOf(words);
  if (found) {
    const output = unwrap(found, words.slice(found.next), command, context);
    return name.text === "git" ? undefined : { output };
  }
  // A program without a path is never a file that the text wrote.
  return program.text.includes("/") ? runFile([program, ...args], context) : undefined;
}

/** `sh -c TEXT`, `sh FILE`, and a shell that reads its input. */
function runShell({ words, environment }: PreparedCommand, context: RunContext): InnerRun {
  const [{ text: shell } = UNKNOWN, ...args] = words;
  const inner = inSubshell(context);
  for (const { name, value } of environment) {
    inner.state.variables.set(name, value);
    inner.state.exported.add(name);
  }
  const at = args.findIndex(
    ({ text }, i) =>
      args[i - 1]?.text === "--" || (!/^[-+]./.test(text) && !TAKES_NEXT_WORD.test(args[i - 1]?.text ?? "")),
  );
  const options = args.slice(0, at < 0 ? undefined : at);
  const operands = args.slice(options.length);
  const [first, ...rest] = operands;
  const has = (option: RegExp): boolean => options.some(({ text }) => option.test(text));
  const isStarted = environment.some(
    ({ name, value }) => name === "BASH_ENV" || (name === "ENV" && !/^\w+$/.test(value.text)),
  );
  if (isStarted || has(/^--(?:rcfile|init-file)$/))
    context.shell.blind(`${shell} starts with a script that only the shell knows`);
  if (first && has(/^-[a-zA-Z]*c[a-zA-Z]*$/))
    return { output: runInside(`${shell} -c`, first.text, inner, { positionals: rest.slice(1) }) };
  if (first && first.text !== "-" && !has(/^-[a-z]*s$/)) return runFile(operands, inner);
  // An interactive shell, or one that is fed by a command, may read anything.
  const input = { ...inner, input: "" };
  const positionals = first?.text === "-" ? rest : operands;
  return { output: runInside(`input of ${shell}`, context.input ?? HOLE, input, { positionals }) };
}

const TAKES_NEXT_WORD = /^(?:--rcfile|--init-file|[-+][a-zA-Z]*[oO])$/;

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
  const isEither = args.some(({ text }) => /^-or?$/.test(text));
  const asks = /^-(?:path|wholename|name)$/;
  const at = args.findIndex(
    ({ text }, i) => asks.test(text) && !/^(?:!|-not)$/.test(args[i - 1]?.text ?? ""),
  );
  const [how = "-name", asked = ""] = at < 0 || isEither ? [] : args.slice(at).map(({ text }) => text);
  // What is passed over is not found.
  const isOpen = args.some(({ text }) => text === "-prune");
  const bases = program?.text !== "find" || isOpen ? [HOLE] : roots.length > 0 ? roots : ["."];
  const found = bases.map((base) =>
    how === "-name"
      ? `${base}/**${asked && "/"}${asked}`
      : `${asked.startsWith("*") ? `${base}/` : ""}${asked.replace(/\*+/g, "**").replace(/^\*\*(?!\/)/, "**/*")}`,
  );
  const all = found.flatMap((text) => (asked === "" ? [text, `${text}/.*`] : text));
  return all.map((text) => ({ text, isMany: true, isOperand: true, isGlob: true }));
}

/** Finds the command among the words of a runner, after its options, their values and its own operands. */
function unwrap(
  { label, runner }: { label: string; runner: Runner },
  args: readonly ShellWord[],
  command: PreparedCommand,
  given: RunContext,
): string | undefined {
  const environment: ShellAssignment[] = [...command.environment];
  // In the folders of others.
  let context = label.endsWith(" foreach") ? within("", given, { cwd: undefined }) : given;
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
    else if (isMany && text === HOLE) environment.push({ name: HOLE, value: UNKNOWN });
    else if (/^-./.test(text)) {
      const isLong = text.startsWith("--");
      const end = isLong ? text.indexOf("=") : text.search(runner.valued) + 1;
      const hasOwn = end > 0 && end < text.length;
      const isValued = !isLong && end > 0;
      const role = optionRole(`${label} ${hasOwn ? text.slice(0, end) : text}`);
      const own = { ...args[i], text: text.slice(end + Number(isLong)), isMany: false };
      const next = hasOwn ? own : args[i + 1];
      if (role === "inert") return undefined;
      if (role === "variables") environment.push({ name: HOLE, value: UNKNOWN });
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
      if (!hasOwn && (isValued || /^(?:folder|input|delimiter|variables)$/.test(role ?? ""))) i += 1;
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
  const each = items.length > MAX_EACH ? [{ ...UNKNOWN_WORDS, isOperand: true }] : items;
  return each.map((item) =>
    words.map((word) => (isNamed(word) ? { ...item, text: word.text.replaceAll(place, item.text) } : word)),
  );
}

/** Among the variables of a command: what `git config` set before it in the same text. */
export const SET_BEFORE = "git config ";

/**
 * The settings given by options, by the environment and by `git config` earlier in the text; the last wins. Their names
 * are in small letters as far as git takes them for equal.
 */
export function gitSettings({ words, environment }: Omit<PreparedCommand, "writes">): ShellAssignment[] {
  const found: ShellAssignment[] = [];
  const add = (text: string, isMany = false): void => {
    const [, key = text, value = "true"] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    // The section and the name of a key ignore case; what is between them does not.
    const name = key.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
    found.push({ name, value: { text: value, isMany } });
  };
  const valueOf = (name: string): ShellWord =>
    environment.findLast((item) => item.name === name)?.value ?? UNKNOWN;
  for (const { name, value } of environment) {
    if (name.startsWith(SET_BEFORE)) add(`${name.slice(SET_BEFORE.length)}=${value.text}`);
    else if (/^GIT_CONFIG_KEY_\d+$/.test(name))
      add(`${value.text}=${valueOf(name.replace("KEY", "VALUE")).text}`);
  }
  for (const { name, value } of globalOptions(words).options) {
    if (name === "-c") add(value.text, value.isMany);
    else if (name === "--config-env") {
      const [key = "", variable = ""] = value.text.split("=");
      add(`${key}=${valueOf(variable).text}`);
    }
  }
  return found;
}

/** Git's options before its subcommand, and the subcommand's index. */
export function globalOptions(words: readonly ShellWord[]): { options: ShellAssignment[]; next: number } {
  const options: ShellAssignment[] = [];
  let next = 1;
  for (; next < words.length; next++) {
    const word = words[next];
    if (!word || !/^-./.test(word.text)) break;
    const read = readOption(word, words[next + 1], optionsOf("git"));
    for (const { names, value } of read.options) if (value) options.push({ name: names[0] ?? "", value });
    if (read.isNextTaken) next += 1;
  }
  return { options, next };
}

/** The folder in which git works, by its `-C` options or its work tree. */
export function gitFolder(words: readonly ShellWord[], cwd: string | undefined): string | undefined {
  let folder = cwd;
  for (const { name, value } of globalOptions(words).options)
    if (name === "-C" || name === "--work-tree")
      folder = isKnown(value) ? absolutePath(value.text, folder) : undefined;
  return folder;
}

/** Records what git changes for the commands after it, and follows aliases that the text sets. */
function runGit(command: PreparedCommand, context: RunContext): void {
  const { words } = command;
  const settings = gitSettings(command);
  const [sub, ...rest] = words.slice(globalOptions(words).next);
  if (!sub || !isKnown(sub)) return;
  if (sub.text === "config") readSetting(rest, context);
  const texts = rest.map(({ text }) => text);
  if (/^remote (?:add|rename|set-url)\b|^clone .*--mirror\b/.test([sub.text, ...texts].join(" ")))
    for (const text of texts) context.state.settings.set(`remote.${text}.url`, UNKNOWN);
  const label = `git alias ${sub.text}`;
  const text = settings.findLast(({ name }) => name === `alias.${sub.text}`)?.value.text;
  if (text === undefined || context.route.includes(label)) return;
  runAlias(label, text.startsWith("!") ? text.slice(1) : `git ${text}`, rest, context);
}

/** `git config [--global] KEY VALUE`, in its old and new spelling. */
function readSetting(args: readonly ShellWord[], { state }: RunContext): void {
  const { operands } = readArguments([knownWord("git"), knownWord("config"), ...args]);
  const [key, value] = operands.slice(1).filter(({ text }) => text !== "set");
  if (key && value && key.text.includes(".")) state.settings.set(key.text, value);
}

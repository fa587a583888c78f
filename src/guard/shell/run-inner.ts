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
import type { ShellAssignment } from "./shell-command.ts";
import { runGit } from "./run-git.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";
import type { Runner } from "./programs.ts";
import { FOLDER_OPTION, INERT_OPTION, runnerOf, SCRIPT_OPTION, SHELLS } from "./programs.ts";

/** Whether what a command runs was read, and what that prints. */
interface InnerRun {
  isFollowed: boolean;
  output?: string | undefined;
}

const NOT_FOLLOWED: InnerRun = { isFollowed: false };

/** Follows the commands that a command runs: of shells, wrappers, `find -exec`, git's own ways. @param program as it is called. */
export function runInner(command: PreparedCommand, program: ShellWord, context: RunContext): InnerRun {
  const { words } = command;
  const [name, ...args] = words;
  if (!name) return NOT_FOLLOWED;
  if (SHELLS.has(name.text)) return runShell(command, args, context);
  if (name.text === "source" || name.text === ".") return runFile(args, context);
  if (name.text === "find") return runFind(command, context);
  if (name.text === "git") runGit(command, context);
  const found = runnerOf(words);
  const output = found && unwrap(found, words.slice(found.next), command, context);
  if (found) return { isFollowed: name.text !== "git", output };
  // A program by name is never a file that the text wrote, unless it is called by a path.
  return program.text.includes("/") ? runFile([program, ...args], context) : NOT_FOLLOWED;
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
    inner.state.variables.set(name, { words: [value], isArray: false });
    inner.state.exported.add(name);
    if (name === "BASH_ENV" || name === "ENV")
      context.shell.blind(`${shell} starts with a script that only the shell knows`);
  }
  const at = args.findIndex(({ text }, i) => !/^[-+]./.test(text) && !VALUED.test(args[i - 1]?.text ?? ""));
  const operands = at < 0 ? [] : args.slice(at);
  const isText = args
    .slice(0, args.length - operands.length)
    .some(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  const [first, ...rest] = operands;
  if (first && isText) {
    const [self = knownWord("sh"), ...positionals] = rest;
    const output = runInside(`${shell} -c`, first.text, inner, { self, positionals });
    return { isFollowed: true, output };
  }
  if (first && first.text !== "-") return runFile(operands, inner);
  // An interactive shell, or one that is fed by a command, may read what nobody knows.
  const input = { ...inner, input: "" };
  const output = runInside(`input of ${shell}`, context.input ?? HOLE, input, { positionals: rest });
  return { isFollowed: true, output };
}

/** Options of shells that take the next word. */
const VALUED = /^(?:--rcfile|--init-file|[-+][a-zA-Z]*[oO])$/;

/** A script file, where the text itself wrote it; other files are not looked into. */
function runFile(words: readonly ShellWord[], context: RunContext): InnerRun {
  const [file, ...rest] = words;
  if (!file) return NOT_FOLLOWED;
  const isInput = /^\/dev\/(?:stdin|fd\/0)$/.test(file.text);
  const text = file.stream ?? (isInput ? context.input : fileText(file, context.state));
  if (text === undefined) return NOT_FOLLOWED;
  const label = file.stream === undefined ? file.text : "a substituted script";
  const output = runInside(label, text, context, { positionals: rest, self: file });
  return { isFollowed: true, output };
}

/** `find … -exec CMD {} ;` and its variants, with what is found: files below the first folder of the name that is asked. */
function runFind(command: PreparedCommand, context: RunContext): InnerRun {
  const { words } = command;
  const found = foundBy(words);
  for (const [i, { text }] of words.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = words.slice(i + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    const inner = (end < 0 ? rest : rest.slice(0, end)).map((word) =>
      word.text === "{}"
        ? found
        : word.text.includes("{}")
          ? { ...word, text: word.text.replaceAll("{}", HOLE), isOperand: true }
          : word,
    );
    context.shell.runPrepared({ words: inner, environment: [], writes: [] }, within(`find ${text}`, context));
  }
  return { isFollowed: true };
}

/** What `find` finds, as a glob. */
export function foundBy([, ...args]: readonly ShellWord[]): ShellWord {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = end < 0 ? args : args.slice(0, end);
  const at = args.findIndex(({ text }) => text === "-name") + 1;
  const name = at > 0 && args[at] ? `/${args[at].text}` : "";
  // Several folders are asked: which of them is not told.
  const base = roots.length > 1 ? HOLE : (roots[0]?.text ?? ".");
  return { text: `${base}/**${name}`, isMany: true, isOperand: true, isGlob: true };
}

/** The command among the words of a runner: behind its options, their values and its own operands. */
function unwrap(
  { label, runner }: { label: string; runner: Runner },
  args: readonly ShellWord[],
  command: PreparedCommand,
  given: RunContext,
): string | undefined {
  const environment: ShellAssignment[] = [...command.environment];
  let context = given;
  let { operands } = runner;
  let replaced: string | undefined;
  let i = 0;
  for (; i < args.length; i++) {
    const { text = "", isMany = false } = args[i] ?? {};
    if (text === "--") {
      i += 1;
      break;
    }
    // `--setenv=A=1` sets a variable as `A=1` does; of words that cannot be told nobody knows what they set.
    const [, name, value = ""] = /^(?:--[\w-]+=)?([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined) environment.push({ name, value: { text: value, isMany: false } });
    else if (isMany && text === HOLE) environment.push({ name: HOLE, value: knownWord(HOLE) });
    else if (/^-./.test(text)) {
      const [, option = text, own] = /^(--[^=]+)=(.*)$/s.exec(text) ?? /^(-\w*?S)(.+)$/s.exec(text) ?? [];
      const isValued = !option.startsWith("--") && runner.valued.includes(option.at(-1) ?? "");
      const at = `${label} ${option}`;
      const next = own === undefined ? args[i + 1] : { ...args[i], text: own, isMany: false };
      if (INERT_OPTION.test(at)) return undefined;
      if (label === "xargs" && /^(?:-[IJi]|--replace)/.test(text))
        replaced = /^-[IJ]$|^--replace$/.test(text)
          ? next?.text
          : text.replace(/^-[IJi]|^--replace=/, "") || "{}";
      if (next && !isValued && SCRIPT_OPTION.test(at))
        return runAlias(label, next.text, args.slice(i + (own === undefined ? 2 : 1)), inSubshell(context));
      if (next && FOLDER_OPTION.test(at)) {
        context = inSubshell(context);
        context.state.cwd = isKnown(next) ? absolutePath(next.text, context.state.cwd) : undefined;
      }
      if (own === undefined && (isValued || FOLDER_OPTION.test(at))) i += 1;
    } else if (operands > 0) operands -= 1;
    else break;
  }
  let inner: readonly ShellWord[] = args.slice(i);
  if (inner.length === 0) return undefined;
  if (runner.isScript) return runInside(label, inner.map(({ text }) => text).join(" "), inSubshell(context));
  const behind = inner.findIndex(({ text }) => text === "--") + 1;
  if (behind > 0) noteForeign(inner.slice(behind), label, context);
  if (runner.hasInput) inner = withInput(inner, replaced, context.input);
  return context.shell.runPrepared({ words: inner, environment, writes: [] }, within(label, context));
}

/** The words of an inner command with what comes in by the input. */
function withInput(
  words: readonly ShellWord[],
  replaced: string | undefined,
  input: string | undefined,
): ShellWord[] {
  const unknown: ShellWord = { text: HOLE, isMany: true, isOperand: true };
  const come = (input ?? HOLE)
    .split(/\s+/)
    .filter((text) => text !== "")
    .map((text) => (text.includes(HOLE) ? unknown : knownWord(text)));
  if (replaced === undefined) return [...words, ...come];
  const text = come.length === 1 && come[0] && isKnown(come[0]) ? come[0].text : HOLE;
  return words.map((word) =>
    word.text.includes(replaced)
      ? { text: word.text.replaceAll(replaced, text), isMany: false, isOperand: text === HOLE }
      : word,
  );
}

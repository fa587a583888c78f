import { scriptPositionals } from "./run-builtin.ts";
import type { PreparedCommand, RunContext, ShellRuntime } from "./run-context.ts";
import { asScript, fileText, inSubshell, runAlias } from "./run-context.ts";
import type { ShellAssignment } from "./shell-command.ts";
import { runGit } from "./run-git.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";
import type { Wrapper } from "./wrappers.ts";
import { SHELLS, WRAPPERS } from "./wrappers.ts";

/** Whether a command runs others, and what they print. */
interface InnerRun {
  isWrapper: boolean;
  output?: string | undefined;
}

const NO_WRAPPER: InnerRun = { isWrapper: false };

/** Follows the commands that a command runs: of shells, wrappers, `find -exec`, git's own ways. */
export function runInner(command: PreparedCommand, context: RunContext, runtime: ShellRuntime): InnerRun {
  const [name, ...args] = command.words;
  if (!name) return NO_WRAPPER;
  if (SHELLS.has(name.text)) return { isWrapper: true, output: runShell(command, args, context, runtime) };
  if (name.text === "source" || name.text === ".") return runFile(args, context, runtime);
  if (name.text === "find") return runFind(command, context, runtime);
  if (name.text === "git") runGit(command, context, runtime);
  const sub = args[0] && isKnown(args[0]) ? `${name.text} ${args[0].text}` : "";
  const subSub = sub !== "" && args[1] && isKnown(args[1]) ? `${sub} ${args[1].text}` : "";
  for (const [key, used] of [
    [subSub, 2],
    [sub, 1],
    [name.text, 0],
  ] as const) {
    const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
    if (wrapper)
      return { isWrapper: true, output: unwrap(key, wrapper, args.slice(used), command, context, runtime) };
  }
  // A program by name is never a file that the text wrote, unless it is called by a path.
  const { program } = command;
  return program?.text.includes("/") ? runFile([program, ...args], context, runtime) : NO_WRAPPER;
}

/** `sh -c TEXT`, `sh FILE`, and a shell that reads its input. */
function runShell(
  { words, environment }: PreparedCommand,
  args: readonly ShellWord[],
  context: RunContext,
  runtime: ShellRuntime,
): string | undefined {
  const shell = words[0]?.text ?? "";
  let isText = false;
  let i = 0;
  for (; i < args.length; i++) {
    const { text = "" } = args[i] ?? {};
    if (text === "--") {
      i += 1;
      break;
    }
    if (text !== "-" && !/^[-+]./.test(text)) break;
    if (text === "--rcfile" || text === "--init-file" || /^[-+][a-zA-Z]*[oO]$/.test(text)) i += 1;
    else if (/^-[a-zA-Z]+$/.test(text) && text.includes("c")) isText = true;
  }
  const operands = args.slice(i);
  const [first, ...rest] = operands;
  if (isText && first) {
    const label = `${shell} -c`;
    if (!isReadable(first)) return blind(runtime, `${label} runs a text that only the shell knows`);
    const inner = {
      ...inShell(context, environment),
      route: [...context.route, label],
      depth: context.depth + 1,
    };
    Object.assign(inner.state, scriptPositionals(rest));
    return runtime.runText(asScript(first.text), inner);
  }
  if (first) return runFile(operands, inShell(context, environment), runtime).output;
  if (context.input === undefined) {
    // An interactive shell, or one that is fed by a command whose output nobody knows.
    return blind(runtime, `${shell} reads a script that only the shell knows`);
  }
  const inner = {
    ...inShell(context, environment),
    route: [...context.route, `input of ${shell}`],
    depth: context.depth + 1,
  };
  inner.state.positionals = rest;
  return runtime.runText(asScript(context.input), { ...inner, input: undefined });
}

/** A shell of its own, which passes its environment on. */
function inShell(context: RunContext, environment: readonly ShellAssignment[]): RunContext {
  const inner = inSubshell(context);
  for (const { name, value } of environment) {
    inner.state.variables.set(name, { words: [value], isArray: false });
    inner.state.exported.add(name);
  }
  return inner;
}

/** A script file, where the text itself wrote it; other files are not looked into. */
function runFile(words: readonly ShellWord[], context: RunContext, runtime: ShellRuntime): InnerRun {
  const [file, ...rest] = words;
  const text =
    file &&
    (file.stream ??
      (/^\/dev\/(?:stdin|fd\/0)$/.test(file.text)
        ? context.input
        : isKnown(file)
          ? fileText(file.text, context.state)
          : undefined));
  if (file === undefined || text === undefined) return NO_WRAPPER;
  const label = file.stream === undefined ? file.text : "a substituted script";
  const inner = { ...context, route: [...context.route, label], depth: context.depth + 1 };
  inner.state = { ...context.state, positionals: rest, self: file };
  return { isWrapper: true, output: runtime.runText(asScript(text), inner) };
}

/** `find … -exec CMD {} ;` and its variants. */
function runFind(command: PreparedCommand, context: RunContext, runtime: ShellRuntime): InnerRun {
  const { words } = command;
  for (const [i, { text }] of words.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = words.slice(i + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    const inner = (end < 0 ? rest : rest.slice(0, end)).map((word) =>
      word.text.includes("{}") ? { ...word, text: word.text.replaceAll("{}", HOLE), isOperand: true } : word,
    );
    runWords(inner, [], `find ${text}`, context, runtime);
  }
  return { isWrapper: true };
}

function unwrap(
  key: string,
  wrapper: Wrapper,
  args: readonly ShellWord[],
  command: PreparedCommand,
  context: RunContext,
  runtime: ShellRuntime,
): string | undefined {
  const environment: ShellAssignment[] = [...command.environment];
  let operands = wrapper.operands ?? 0;
  let replaced: string | undefined;
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i];
    if (!word) break;
    const { text } = word;
    if (text === "--") {
      i += 1;
      break;
    }
    const assignment = wrapper.hasAssignments ? /^([A-Za-z_]\w*)=(.*)$/s.exec(text) : null;
    if (assignment?.[1] !== undefined) {
      environment.push({ name: assignment[1], value: { text: assignment[2] ?? "", isMany: false } });
    } else if (text.startsWith("-") && text !== "-") {
      if (wrapper.inert?.includes(text)) return undefined;
      const script = scriptOption(wrapper, args, i);
      if (script) return runScript(key, script, args.slice(script.next), context, runtime);
      if (key === "xargs") replaced = replacementOf(args, i) ?? replaced;
      if (takesNext(wrapper, text)) i += 1;
    } else if (operands > 0) operands -= 1;
    else break;
  }
  let inner: readonly ShellWord[] = args.slice(i);
  if (wrapper.isScript) {
    if (inner.length === 0) return undefined;
    const script = { text: inner.map(({ text }) => text).join(" "), next: 0 };
    return runScript(key, script, [], context, runtime);
  }
  if (wrapper.hasInput) inner = withInput(inner, replaced, context.input);
  return runWords(inner, environment, key, context, runtime);
}

function runWords(
  words: readonly ShellWord[],
  environment: readonly ShellAssignment[],
  label: string,
  context: RunContext,
  runtime: ShellRuntime,
): string | undefined {
  if (words.length === 0) return undefined;
  const inner = { ...context, route: [...context.route, label], depth: context.depth + 1 };
  return runtime.runPrepared({ words, environment, writes: [] }, inner);
}

/** The value of an option that is a whole script: `env -S TEXT`, `npx -c TEXT`, `flock FILE -c TEXT`. */
function scriptOption(
  { script }: Wrapper,
  args: readonly ShellWord[],
  at: number,
): { text: string; next: number } | undefined {
  const text = args[at]?.text ?? "";
  for (const option of script ?? []) {
    if (text === option) return { text: args[at + 1]?.text ?? "", next: at + 2 };
    if (option.startsWith("--") && text.startsWith(`${option}=`))
      return { text: text.slice(option.length + 1), next: at + 1 };
    if (!option.startsWith("--") && text.startsWith(option)) return { text: text.slice(2), next: at + 1 };
  }
  return undefined;
}

function runScript(
  label: string,
  script: { text: string },
  rest: readonly ShellWord[],
  context: RunContext,
  runtime: ShellRuntime,
): string | undefined {
  if (script.text.replaceAll(HOLE, "").trim() === "")
    return blind(runtime, `${label} runs a text that only the shell knows`);
  return runAlias(label, asScript(script.text), rest, { ...inSubshell(context), input: undefined }, runtime);
}

function takesNext(wrapper: Wrapper, text: string): boolean {
  if (text.startsWith("--")) return !text.includes("=") && (wrapper.valuedLong ?? []).includes(text);
  // In a cluster of short options only the last can take the next word.
  const letters = text.slice(1).split("");
  const at = letters.findIndex((letter) => wrapper.valued?.includes(letter));
  return at >= 0 && at === letters.length - 1;
}

/** `xargs -I {}`: the text that stands for each line of input. */
function replacementOf(args: readonly ShellWord[], at: number): string | undefined {
  const text = args[at]?.text ?? "";
  if (text === "-I" || text === "-J" || text === "--replace") return args[at + 1]?.text ?? "{}";
  if (text.startsWith("-I")) return text.slice(2);
  return text === "-i" ? "{}" : undefined;
}

/** The words of an inner command with what comes in by the input. */
function withInput(
  words: readonly ShellWord[],
  replaced: string | undefined,
  input: string | undefined,
): ShellWord[] {
  const unknown: ShellWord = { text: HOLE, isMany: true, isOperand: true };
  const come =
    input === undefined
      ? [unknown]
      : input
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

/** Whether anything of a script's text is known. */
function isReadable(word: ShellWord): boolean {
  return word.text.replaceAll(HOLE, "").trim() !== "" || !word.text.includes(HOLE);
}

function blind(runtime: ShellRuntime, reason: string): undefined {
  runtime.blind(reason);
  return undefined;
}

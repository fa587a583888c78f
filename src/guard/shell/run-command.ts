import { outputOf } from "./command-output.ts";
import { runBuiltin } from "./run-builtin.ts";
import type { PreparedCommand, RunContext } from "./run-context.ts";
import { fedTo, fileText, keepFile, noteForeign, runAlias, within } from "./run-context.ts";
import { gitFolder, SET_BEFORE } from "./run-git.ts";
import { gitUse, runnableWords, SHELLS, wordUse } from "./programs.ts";
import { runInner } from "./run-inner.ts";
import type { ShellAssignment } from "./shell-command.ts";
import type { ShellState } from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** Scripts in scripts, functions that call themselves, wrappers of wrappers: deeper ones are not followed. */
const MAX_DEPTH = 12;

/**
 * Follows one command: notes it, and what it would run in turn. Returns what it prints, where that can be told.
 */
export function runCommand(command: PreparedCommand, context: RunContext): string | undefined {
  const { state, depth } = context;
  if (depth > MAX_DEPTH) return (context.shell.blind("commands are nested too deeply"), undefined);
  const environment = [...exportedOf(state), ...command.environment];
  context.shell.budget.spend(2 + command.words.length + environment.length / 4);
  const isFound = state.variables.has("PATH") || environment.some(({ name }) => name === "PATH");
  const words = withoutPath(command.words, isFound ? [...state.files.keys()] : []);
  const [name, ...rest] = words;
  context.shell.note({
    words,
    environment,
    writes: command.writes,
    fed: fedTo(command.words, context),
    cwd: name?.text === "git" ? gitFolder(words, state.cwd) : state.cwd,
    route: context.route,
  });
  if (!name || !isKnown(name) || name.stream !== undefined) {
    // A program that cannot be told may be none, `$SUDO git …`, or one that runs its words.
    if (rest.length > 0 || name?.isMany) noteForeign(words, "", context);
    return undefined;
  }
  const asAlias = state.aliases.get(name.text);
  if (asAlias !== undefined && !context.route.includes(`alias ${name.text}`)) {
    return runAlias(`alias ${name.text}`, asAlias, rest, context);
  }
  const body = state.functions.get(name.text);
  if (body && !context.route.includes(`${name.text}()`)) {
    const inner = within(`${name.text}()`, context, { positionals: rest, self: knownWord(name.text) });
    const output = context.shell.runBody(body, inner);
    state.cwd = inner.state.cwd;
    return output;
  }
  if (runBuiltin(name.text, rest, context)) return "";
  const inner = runInner({ ...command, words, environment }, command.words[0] ?? name, context);
  if (!/^(?:plain|writes)$/.test(wordUse(name.text) ?? "")) {
    // A program may run what a variable holds: `EDITOR='git commit -n #' crontab -e`.
    const values = environment.flatMap(({ value }) => (/\S\s+\S/.test(value.text) ? value : []));
    const own = inner ? [] : runnableWords(name.text, rest);
    if (!inner || values.length > 0) noteForeign([...own, ...values], name.text, context);
  }
  keepMade(name.text, rest, context);
  if (name.text === "pwd") return state.cwd;
  return inner?.output ?? outputOf(words, context.input, (file) => fileText(file, state));
}

/** Programs that leave the text of a file alone that they are given. */
const KEEPS_TEXT = /^(?:ch(?:mod|own|grp|attr)|setfacl|rm|touch|git)$/;
/** Scripts and settings of git, by name. */
const MADE = /[\w.-]+\.(?:[a-z]*sh|bash)$|(?:^|\/)(?:\.gitconfig|\.git\/config)$/;
const COPIES = /^(?:cp|mv|ln|install)$/;

/** Remembers what a command makes: what is fed to `tee`, what is copied, a script that another program may write. */
function keepMade(program: string, args: readonly ShellWord[], context: RunContext): void {
  const { input, source, state } = context;
  const files = args.filter(({ text }) => !/^-./.test(text));
  const [from, to, more] = files;
  if (/^(?:tee|sponge)$/.test(program))
    for (const file of files) keepFile(file, input ?? [HOLE, source].join("\n"), context);
  else if (COPIES.test(program) && from && to && !more) keepFile(to, fileText(from, state) ?? HOLE, context);
  else if (wordUse(program) !== "plain" && !SHELLS.has(program) && !KEEPS_TEXT.test(program))
    for (const { text } of args) {
      const named = MADE.exec(text.slice(-200));
      const file = named && knownWord(named[0]);
      if (file && fileText(file, state) === undefined) keepFile(file, HOLE, context);
    }
}

/** `/usr/bin/git` is `git`, `git-commit` is `git commit`, `yarn workspace x add` is `yarn add`. @param made files that a path of the text's own may lead to. */
function withoutPath(words: readonly ShellWord[], made: readonly string[]): readonly ShellWord[] {
  const [name, ...rest] = words;
  if (!name) return words;
  if (name.isGlob || made.some((path) => path.endsWith(`/${name.text}`)))
    return [{ text: HOLE, isMany: false }, ...rest];
  const file = name.text.slice(name.text.lastIndexOf("/") + 1).replace(/\.exe$|(?<=\w)@[\w.^~-]+$/i, "");
  if (file === "" || file.includes(HOLE)) return words;
  const [, owner = "", plumbing = ""] = /^(git|docker)-([a-z][a-z-]*)$/.exec(file) ?? [];
  // Programs of others are called git-something too; only git's own are its subcommands.
  if (owner === "git" ? gitUse(plumbing) : plumbing === "compose")
    return [{ ...name, text: owner }, knownWord(plumbing), ...rest];
  if (file === "yarn" && /^workspace |^workspaces run$/.test(`${rest[0]?.text} ${rest[1]?.text}`))
    return [knownWord(file), ...rest.slice(2)];
  return file === name.text ? words : [{ ...name, text: file, isMany: false }, ...rest];
}

function exportedOf(state: ShellState): ShellAssignment[] {
  const variables = Array.from(state.exported, (name) => ({
    name,
    value: state.variables.get(name)?.[0] ?? knownWord(HOLE),
  }));
  return [...variables, ...Array.from(state.settings, ([key, value]) => ({ name: SET_BEFORE + key, value }))];
}

import { outputOf } from "./command-output.ts";
import { runBuiltin } from "./run-builtin.ts";
import type { PreparedCommand, RunContext, ShellRuntime } from "./run-context.ts";
import { fedTo, fileText, keepFile, noteForeign, runAlias } from "./run-context.ts";
import { gitFolder } from "./run-git.ts";
import type { WordUse } from "./programs.ts";
import { runnableWords, wordUse } from "./programs.ts";
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
export function runCommand(
  command: PreparedCommand,
  context: RunContext,
  runtime: ShellRuntime,
): string | undefined {
  const { state, depth } = context;
  runtime.budget.spend(2 + command.words.length);
  if (depth > MAX_DEPTH) {
    runtime.blind("commands are nested too deeply");
    return undefined;
  }
  const words = withoutPath(command.words);
  const [name, ...rest] = words;
  const environment = [...exportedOf(state), ...command.environment];
  runtime.note({
    words,
    environment,
    writes: command.writes,
    fed: fedTo(command.words, context),
    cwd: name?.text === "git" ? gitFolder(words, state.cwd) : state.cwd,
    route: context.route,
  });
  if (!name || !isKnown(name) || name.stream !== undefined) {
    // A program that cannot be told may be none, `$SUDO git …`, or one that runs its words.
    if (rest.length > 0 || name?.isMany) noteForeign(words, "", context, runtime);
    return undefined;
  }
  const asAlias = state.aliases.get(name.text);
  if (asAlias !== undefined && !context.route.includes(`alias ${name.text}`)) {
    return runAlias(`alias ${name.text}`, asAlias, rest, context, runtime);
  }
  const body = state.functions.get(name.text);
  if (body && !context.route.includes(`${name.text}()`)) {
    const inside: ShellState = { ...state, positionals: rest, self: knownWord(name.text) };
    const inner = {
      ...context,
      state: inside,
      route: [...context.route, `${name.text}()`],
      depth: depth + 1,
    };
    const output = runtime.runBody(body, inner);
    state.cwd = inside.cwd;
    return output;
  }
  if (runBuiltin(name.text, rest, context, runtime)) return "";
  const inner = runInner({ ...command, words }, command.words[0] ?? name, context, runtime);
  if (!RUNS_NONE.has(wordUse(name.text))) {
    // A program may run what a variable holds: `EDITOR='git commit -n #' crontab -e`.
    const values = environment.flatMap(({ value }) => (/\S\s+\S/.test(value.text) ? value : []));
    const own = inner.isFollowed ? [] : runnableWords(name.text, rest);
    if (!inner.isFollowed || values.length > 0) noteForeign([...own, ...values], name.text, context, runtime);
    if (!inner.isFollowed && !KEEPS_TEXT.test(name.text)) keepNamed(rest, state);
  }
  if (name.text === "tee") keepInput(rest, context);
  else if (COPIES.has(name.text)) keepCopy(rest, context);
  return inner.output ?? outputOf(words, context.input, (path) => fileText(path, state));
}

const RUNS_NONE: ReadonlySet<WordUse | undefined> = new Set<WordUse>(["plain", "writes"]);
/** Programs that change no text of the file that they are given. */
const KEEPS_TEXT = /^(?:ch(?:mod|own|grp|attr)|setfacl|rm|touch|git)$/;

/** A script that a program is given by name may be one that it makes: `curl -o a.sh URL; sh a.sh`. */
function keepNamed(args: readonly ShellWord[], state: ShellState): void {
  for (const { text } of args) {
    const name = /[\w.-]+\.(?:[a-z]*sh|bash)$/.exec(text)?.[0];
    if (name !== undefined && fileText(name, state) === undefined) keepFile(knownWord(name), HOLE, state);
  }
}

/** What `tee` writes is a file that the text itself wrote. */
function keepInput(args: readonly ShellWord[], { input, state }: RunContext): void {
  if (input === undefined) return;
  for (const word of args) if (!word.text.startsWith("-")) keepFile(word, input, state);
}

const COPIES = new Set(["cp", "mv", "ln", "install"]);

/** What is copied is what was there: a text that is known, or one that nobody has read. */
function keepCopy(args: readonly ShellWord[], { state }: RunContext): void {
  const [from, to, more] = args.filter(({ text }) => !/^-./.test(text));
  if (from && to && !more) keepFile(to, fileText(from.text, state) ?? HOLE, state);
}

/** `/usr/bin/git` is `git`, and `git-commit` is `git commit`. */
function withoutPath(words: readonly ShellWord[]): readonly ShellWord[] {
  const [name, ...rest] = words;
  if (!name) return words;
  if (name.isGlob) return [{ text: HOLE, isMany: false }, ...rest];
  const file = name.text.slice(name.text.lastIndexOf("/") + 1).replace(/\.exe$|(?<=\w)@[\w.^~-]+$/i, "");
  if (file === "" || file.includes(HOLE)) return words;
  const plumbing = /^git-([a-z][a-z-]*)$/.exec(file)?.[1];
  // Programs of others are called git-something too; only git's own are its subcommands.
  if (plumbing !== undefined && GIT_PROGRAMS.has(plumbing))
    return [{ ...name, text: "git" }, knownWord(plumbing), ...rest];
  return file === name.text ? words : [{ ...name, text: file, isMany: false }, ...rest];
}

const GIT_PROGRAMS = new Set(
  "add am branch checkout cherry-pick clean commit commit-tree fetch merge pull push rebase reset restore revert rm stash switch tag update-ref worktree".split(
    " ",
  ),
);

function exportedOf(state: ShellState): ShellAssignment[] {
  return [...state.exported].flatMap((name) => {
    const value = state.variables.get(name);
    return value === undefined || value.words[0] ? [{ name, value: value?.words[0] ?? knownWord(HOLE) }] : [];
  });
}

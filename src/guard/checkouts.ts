import type { GuardCall } from "./guard-call.ts";
import { absolutePath } from "./shell/run-context.ts";
import { readArguments } from "./shell/read-arguments.ts";
import { globalOptions } from "./shell/run-inner.ts";
import { type ShellCommand, type ShellWord, HOLE, isKnown, knownWord } from "./shell/shell-command.ts";

const UNKNOWN = knownWord(HOLE);
/** A branch that only git's records know, or an operand that may be a file. */
const UNTOLD = /^-$|^@\{-|^\.|\.[a-z]+$/;

/** The branches that are checked out in the working trees of a machine while a shell text runs. */
export class Checkouts {
  readonly #call: Pick<GuardCall, "cwd" | "branch" | "roots" | "treeOf">;
  /** Branches that the text itself checked out, by the root of the working tree. */
  readonly #went = new Map<string, ShellWord>();
  /** Whether it may have made further working trees. */
  #hasMade = false;

  constructor(call: Pick<GuardCall, "cwd" | "branch" | "roots" | "treeOf">) {
    this.#call = call;
  }

  /** Returns the branch that a git command finds, and records what it checks out for the commands after it. */
  pass(command: ShellCommand): ShellWord {
    const folder = repositoryFolder(command);
    if (folder === undefined) return UNKNOWN;
    const found = this.#branchAt(folder);
    const [sub, ...args] = command.words.slice(globalOptions(command.words).next);
    const went = sub && checkedOut(sub.text, args);
    if (went) this.#went.set(this.#treeOf(folder)?.root ?? folder, went);
    this.#hasMade ||= /^(?:clone|init|worktree)$/.test(sub?.text ?? "");
    return found;
  }

  #branchAt(folder: string): ShellWord {
    const { cwd, branch } = this.#call;
    const isOpen = this.#went.size === 0 && folder === cwd;
    const went = isOpen ? undefined : this.#went.get(this.#treeOf(folder)?.root ?? folder);
    if (went) return isKnown(went) && !UNTOLD.test(went.text) ? went : UNKNOWN;
    if (this.#hasMade && folder !== cwd) return UNKNOWN;
    const name = isOpen ? branch : this.#treeOf(folder)?.branch;
    return name === undefined ? UNKNOWN : knownWord(name);
  }

  #treeOf(folder: string): { root: string; branch: string | undefined } | undefined {
    const { branch, roots, treeOf } = this.#call;
    if (treeOf) return treeOf(folder);
    const [root] = roots.filter((one) => `${folder}/`.startsWith(`${one}/`));
    return root === undefined ? undefined : { root, branch };
  }
}

function repositoryFolder({ words, environment, cwd }: ShellCommand): string | undefined {
  const given = globalOptions(words).options.findLast(({ option }) => option === "--git-dir")?.value;
  const directory = given ?? environment.findLast(({ name }) => name === "GIT_DIR")?.value;
  if (!directory) return cwd;
  const isGitDirectory = isKnown(directory) && /(?:^|\/)\.git\/?$/.test(directory.text);
  return isGitDirectory ? absolutePath(`${directory.text}/..`, cwd) : undefined;
}

/** The branch that a command of git goes to; unknown where it makes or renames it otherwise. */
function checkedOut(sub: string, given: readonly ShellWord[]): ShellWord | undefined {
  if (/^(?:symbolic-ref|init)$/.test(sub)) return UNKNOWN;
  if (sub === "branch")
    return given.some(({ text }) => /^(?:-[mM]|--move)$/.test(text)) ? UNKNOWN : undefined;
  const { options, operands } = readArguments([knownWord("git"), knownWord(sub), ...given]);
  const has = (flags: RegExp): boolean => options.some(({ names }) => names.some((name) => flags.test(name)));
  if (!/^(?:checkout|switch)$/.test(sub) || has(/^(?:--|--patch)$/)) return undefined;
  const made = options.find(({ names: [name = ""] }) => /^(?:-[bBcC]|--orphan)$/.test(name));
  return (made ? made.value : operands[1]) ?? UNKNOWN;
}

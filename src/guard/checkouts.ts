import type { GuardCall } from "./guard-call.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { absolutePath } from "./shell/run-context.ts";
import { type CommandArguments, readArguments } from "./shell/read-arguments.ts";
import { type ShellCommand, type ShellWord, isKnown, knownWord, UNKNOWN } from "./shell/shell-command.ts";

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
    const args = readArguments(command.words);
    const folder = repositoryFolder(command, args);
    if (folder === undefined) return UNKNOWN;
    const found = this.#branchAt(folder);
    const went = checkedOut(args);
    if (went) this.#went.set(this.#treeOf(folder)?.root ?? folder, went);
    this.#hasMade ||= /^(?:clone|init|worktree)$/.test(args.operands[0]?.text ?? "");
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

function repositoryFolder({ environment, cwd }: ShellCommand, args: CommandArguments): string | undefined {
  const given = optionValues({ args }, /^--git-dir$/).at(-1);
  const directory = given ?? environment.findLast(({ name }) => name === "GIT_DIR")?.value;
  if (!directory) return cwd;
  const isGitDirectory = isKnown(directory) && /(?:^|\/)\.git\/?$/.test(directory.text);
  return isGitDirectory ? absolutePath(`${directory.text}/..`, cwd) : undefined;
}

/** The branch that a command of git goes to; unknown where it makes or renames it otherwise. */
function checkedOut(args: CommandArguments): ShellWord | undefined {
  const [{ text: sub } = UNKNOWN, first] = args.operands;
  if (/^(?:symbolic-ref|init)$/.test(sub)) return UNKNOWN;
  if (sub === "branch") return hasOption({ args }, /^(?:-M|--move)$/) ? UNKNOWN : undefined;
  if (!/^(?:checkout|switch)$/.test(sub) || hasOption({ args }, /^--(?:patch)?$/)) return undefined;
  return optionValues({ args }, /^(?:-[bB]|--(?:force-)?create|--orphan)$/)[0] ?? first ?? UNKNOWN;
}

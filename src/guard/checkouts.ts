import type { GuardCall } from "./guard-call.ts";
import { absolutePath } from "./shell/run-context.ts";
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
  readonly #madeRoots: string[] = [];

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
    if (!went) return found;
    const { tree, branch } = went;
    const root = tree === undefined ? this.#rootOf(folder) : absolutePath(tree, folder);
    if (tree !== undefined && root !== undefined) this.#madeRoots.push(root);
    if (root !== undefined) this.#went.set(root, branch);
    return found;
  }

  #branchAt(folder: string): ShellWord {
    const { cwd, branch } = this.#call;
    const isOpen = this.#went.size === 0 && folder === cwd;
    const went = isOpen ? undefined : this.#went.get(this.#rootOf(folder));
    if (went) return isKnown(went) && !UNTOLD.test(went.text) ? went : UNKNOWN;
    const name = isOpen ? branch : this.#treeOf(folder)?.branch;
    return name === undefined ? UNKNOWN : knownWord(name);
  }

  #rootOf(folder: string): string {
    const made = this.#madeRoots.findLast((root) => `${folder}/`.startsWith(`${root}/`));
    return made ?? this.#treeOf(folder)?.root ?? folder;
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

function checkedOut(
  sub: string,
  given: readonly ShellWord[],
): { branch: ShellWord; tree?: string | undefined } | undefined {
  const args = given.flatMap((word) => {
    const [, name, value = ""] = /^(--[\w-]+)=(.*)$/.exec(word.text) ?? [];
    return name === undefined ? [word] : [knownWord(name), { ...word, text: value }];
  });
  const has = (test: RegExp): boolean => args.some(({ text }) => test.test(text));
  const made =
    sub === "switch"
      ? /^-\w*[cC]$|^--(?:force-)?create$|^--orphan$/
      : /^-\w*[bB]$|^--(?:initial-)?branch$|^--orphan$/;
  const at = args.findIndex(({ text }) => made.test(text)) + 1;
  const own = at > 0 ? args[at] : undefined;
  const operands = args.filter((word) => word !== own && !/^-./.test(word.text));
  const [first = UNKNOWN, second] = operands;
  const nameOf = ({ text }: ShellWord): string =>
    text.replace(/(?:\/?\.git)?\/*$/, "").replace(/^.*[/:]/, "");
  switch (sub) {
    case "checkout":
    case "switch":
      return has(/^(?:--|-p|--patch)$/) ? undefined : { branch: own ?? first };
    case "symbolic-ref":
      return first.text === "HEAD" && second
        ? { branch: { ...second, text: second.text.replace(/^refs\/heads\//, "") } }
        : undefined;
    case "branch":
      return has(/^(?:-[mM]|--move)$/) ? { branch: second ? UNKNOWN : first } : undefined;
    case "worktree": {
      const [, path = UNKNOWN, branch = knownWord(nameOf(path))] = operands;
      return first.text === "add" ? { branch: own ?? branch, tree: path.text } : undefined;
    }
    case "init":
      return { branch: own ?? UNKNOWN, tree: operands.length > 0 ? first.text : "." };
    case "clone":
      return { branch: own ?? UNKNOWN, tree: (second ?? knownWord(nameOf(first))).text };
    default:
      return undefined;
  }
}

import type { GuardCall } from "./guard-call.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { readArguments } from "./shell/read-arguments.ts";
import { type ShellCommand, absolutePath, isKnown } from "./shell/shell-command.ts";

/** The branches that are checked out in the working trees of a machine while a shell text runs. */
export class Checkouts {
  readonly #call: Pick<GuardCall, "cwd" | "branch" | "roots" | "treeOf">;
  /** Branches to which the text itself goes, by the root of the working tree. */
  readonly #went = new Map<string, string | undefined>();
  /** Whether it may have made further working trees. */
  #hasMade = false;

  constructor(call: Pick<GuardCall, "cwd" | "branch" | "roots" | "treeOf">) {
    this.#call = call;
  }

  /** Returns the branch that a git command finds, where that is known, and records to which one it goes. */
  pass(command: ShellCommand): string | undefined {
    const args = readArguments(command.words);
    const given =
      optionValues({ args }, /^--git-dir$/).at(-1) ??
      command.environment.findLast(({ name }) => name === "GIT_DIR")?.value;
    const folder =
      given && isKnown(given)
        ? absolutePath(`${given.text}/..`, command.cwd)
        : given
          ? undefined
          : command.cwd;
    if (folder === undefined) return undefined;
    const tree = this.#treeOf(folder);
    const root = tree?.root ?? folder;
    const isMade = this.#hasMade && folder !== this.#call.cwd;
    const found = this.#went.has(root) ? this.#went.get(root) : isMade ? undefined : tree?.branch;
    const [sub, first] = args.operands;
    this.#hasMade ||= /^(?:clone|init|worktree)$/.test(sub?.text ?? "");
    const isGoing = /^(?:checkout|switch)$/.test(sub?.text ?? "") && !hasOption({ args }, /^--(?:patch)?$/);
    const made = optionValues({ args }, /^(?:-[bB]|--(?:force-)?create|--orphan)$/)[0];
    const isRenamed = sub?.text === "branch" && hasOption({ args }, /^(?:-M|--move)$/);
    // The words of a checkout may be a file, and a name such as `-` only git knows.
    const name = made ?? (sub?.text === "switch" || !/[./]\w+$/.test(first?.text ?? "") ? first : undefined);
    if (isGoing || isRenamed)
      this.#went.set(
        root,
        name && isKnown(name) && /^[^-@]/.test(name.text) && isGoing ? name.text : undefined,
      );
    return found;
  }

  #treeOf(folder: string): { root: string; branch: string | undefined } | undefined {
    const { branch, roots, treeOf } = this.#call;
    if (treeOf) return treeOf(folder);
    const [root] = roots.filter((one) => `${folder}/`.startsWith(`${one}/`));
    return root === undefined ? undefined : { root, branch };
  }
}

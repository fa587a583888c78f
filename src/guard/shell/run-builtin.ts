import { outputOf } from "./command-output.ts";
import { absolutePath, asScript, runInside } from "./run-context.ts";
import type { RunContext } from "./run-context.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** Among the exported names: `set -a`, by which each variable is one. */
export const ALL_EXPORTED = "set -a";
const DECLARATIONS = new Set(["export", "declare", "typeset", "local", "readonly"]);

/**
 * What a builtin of the shell changes for the commands after it. True when nothing else is to be known of it.
 * Assignments that stand as arguments of `export` and its like are handled where the text has them.
 */
export function runBuiltin(name: string, args: readonly ShellWord[], context: RunContext): boolean {
  const { state } = context;
  if (DECLARATIONS.has(name)) {
    for (const word of args) declare(name, word, args, context);
    return true;
  }
  switch (name) {
    case "cd":
    case "pushd":
    case "popd": {
      const target = args.find(({ text }) => text === "-" || !text.startsWith("-"));
      const isTold = target && isKnown(target) && target.text !== "-" && name !== "popd";
      if (isTold) state.cwd = absolutePath(target.text, state.cwd);
      else state.cwd = target || name !== "cd" ? undefined : context.shell.home;
      return true;
    }
    case "unset":
    case "unalias":
      for (const { text } of args)
        for (const names of name === "unset" ? [state.variables, state.exported] : [state.aliases])
          names.delete(text);
      return true;
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
      for (const { text } of args) if (!text.startsWith("-")) state.variables.delete(text);
      // One line stands for all of a list.
      if (/^.*\0.*\n?$/.test(context.input ?? ""))
        state.variables.set(args.at(-1)?.text ?? "", [knownWord((context.input ?? "").trim())]);
      // `mapfile -C` runs a text.
      return !args.some(({ text }) => text === "-C");
    case "printf": {
      const [option, variable, ...format] = args;
      if (option?.text !== "-v" || !variable) return false;
      const text = outputOf([knownWord("printf"), ...format], undefined, () => undefined) ?? HOLE;
      state.variables.set(variable.text, [knownWord(text)]);
      return true;
    }
    case "hash":
      if (args[0]?.text === "-p" && args[1] && args[2])
        state.aliases.set(args[2].text, asScript(args[1].text));
      return true;
    case "set": {
      const [, sign] = /^([-+])(?:[b-z]*a|o allexport)/.exec(args.map(({ text }) => text).join(" ")) ?? [];
      if (sign === "-") state.exported.add(ALL_EXPORTED);
      else if (sign === "+") state.exported.delete(ALL_EXPORTED);
      const at = args.findIndex(({ text }) => text === "--");
      if (at >= 0) state.positionals = args.slice(at + 1);
      return true;
    }
    case "shift": {
      const count = Number(args[0]?.text ?? "1");
      state.positionals = Number.isInteger(count) ? state.positionals?.slice(count) : undefined;
      return true;
    }
    case "alias":
      for (const word of args) {
        const [, alias, text] = /^([^=]+)=(.*)$/s.exec(word.text) ?? [];
        if (alias !== undefined && text !== undefined) state.aliases.set(alias, asScript(text));
      }
      return true;
    case "eval":
      // eval runs in the shell itself: what it sets stays.
      runInside("eval", args.map(({ text }) => text).join(" "), context);
      return true;
    case "trap": {
      const [script] = args[0]?.text === "--" ? args.slice(1) : args;
      if (script && isKnown(script) && !script.text.startsWith("-")) runInside("trap", script.text, context);
      return true;
    }
    default:
      return false;
  }
}

/** What `declare` and its like say of one variable; the text's own assignments were made before. */
function declare(name: string, word: ShellWord, args: readonly ShellWord[], { state }: RunContext): void {
  const [, variable = word.text, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word.text) ?? [];
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  const isExported = name === "export" || has(/^-[a-z]*x/);
  // `export $(cat x)` sets what nobody knows.
  if (isExported && word.text.startsWith(HOLE)) state.exported.add(HOLE);
  if (!/^[A-Za-z_]\w*$/.test(variable)) return;
  // A reference, or a value that is changed on its way.
  if (has(/^-[a-z]*[nlui]/)) state.variables.delete(variable);
  else if (value !== undefined) state.variables.set(variable, [{ text: value, isMany: false }]);
  if (isExported) state.exported.add(variable);
}

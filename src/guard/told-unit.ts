import type { GuardUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import { HOLE } from "./shell/shell-word.ts";

/** A command without the options that may be values of others, or be taken back by what only the shell knows. */
export function asTold(unit: GuardUnit): GuardUnit {
  if (unit.kind !== "command") return unit;
  const { operands, options } = unit.args;
  const isOpen = operands.some(({ text, isOperand }) => text.startsWith(HOLE) && !isOperand);
  const told = isOpen ? [] : options.filter(({ isDoubtful }) => isDoubtful !== true);
  return { ...unit, args: { ...unit.args, options: told } };
}

/** A command as it may be meant: where a part of a word is told, what is not told is nothing before it, or any name. */
export function asMeant(unit: GuardUnit, branch: string | undefined): GuardUnit[] {
  if (unit.kind !== "command") return [unit];
  const { words, environment, writes } = unit.command;
  return commandUnits(
    {
      ...unit.command,
      words: words.map(meant),
      environment: environment.map(({ name, value }) => ({ name, value: meant(value) })),
      writes: writes.map(meant),
    },
    branch,
  );
}

function meant(word: ShellWord): ShellWord {
  if (word.text === HOLE || !word.text.includes(HOLE)) return word;
  return { ...word, text: word.text.replace(/^\0\/?/, "").replaceAll(HOLE, "x"), isMany: false };
}

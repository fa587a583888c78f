import type { GuardUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import type { ShellCommand } from "./shell/shell-command.ts";
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

/** Every rule asks for the same of a unit. */
const meantBy = new WeakMap<GuardUnit, readonly GuardUnit[]>();

/** A command as it may be meant: where a part of a word is told, what is not told is nothing before it, or any name. */
export function asMeant(unit: GuardUnit): readonly GuardUnit[] {
  if (unit.kind !== "command" || !isPartlyTold(unit.command)) return [unit];
  const { words, environment, writes } = unit.command;
  const known = meantBy.get(unit);
  if (known) return known;
  const command: ShellCommand = {
    ...unit.command,
    words: words.map(meant),
    environment: environment.map(({ name, value }) => ({ name, value: meant(value) })),
    writes: writes.map(meant),
  };
  const units = commandUnits(command, unit.current);
  meantBy.set(unit, units);
  return units;
}

function isPartlyTold({ words, environment, writes }: ShellCommand): boolean {
  return [...words, ...writes, ...environment.map(({ value }) => value)].some((word) => meant(word) !== word);
}

function meant(word: ShellWord): ShellWord {
  if (word.text === HOLE || !word.text.includes(HOLE)) return word;
  return { ...word, text: word.text.replace(/^\0\/?/, "").replaceAll(HOLE, "x"), isMany: false };
}

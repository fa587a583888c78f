import type { ParameterExpansionPart, Word } from "unbash";
import type { ShellState, ShellVariable } from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, knownWord } from "./shell-word.ts";

/** The words behind `$name`, or undefined when the text did not set it. */
export function simpleValue(name: string, state: ShellState): readonly ShellWord[] | undefined {
  const { positionals, self, variables } = state;
  if (name === "@" || name === "*") return positionals;
  if (name === "0") return [self];
  if (name === "#") return positionals && [knownWord(String(positionals.length))];
  if (/^[1-9]\d?$/.test(name)) {
    if (!positionals) return undefined;
    const word = positionals[Number(name) - 1];
    return word ? [word] : [];
  }
  const variable = variables.get(name);
  if (variable) return variable.isArray ? variable.words.slice(0, 1) : variable.words;
  if (name === "IFS") return [knownWord(" \t\n")];
  return name === "PWD" && state.cwd !== undefined ? [knownWord(state.cwd)] : undefined;
}

/** The words behind `${…}`; what is done to the value is followed for defaults and elements only. */
export function parameterValue(
  part: ParameterExpansionPart,
  state: ShellState,
  expand: (word: Word) => readonly ShellWord[],
): readonly ShellWord[] | undefined {
  if (part.prefix !== undefined) return undefined;
  const { parameter, operation } = part;
  const base = part.index
    ? elementsOf(state.variables.get(parameter), part.index.text)
    : simpleValue(parameter, state);
  if (!operation) return base;
  if (operation.type !== "Default") return undefined;
  const { operator, operand } = operation;
  const isSet = base?.[0] !== undefined && !(operator.startsWith(":") && base[0].text === "");
  if (isSet) return operator.endsWith("+") ? expand(operand) : base;
  // A variable that the text does not set may be set in the session: its default stands behind a hole.
  const words = /[-=]$/.test(operator)
    ? expand(operand).map((word) => ({ ...word, text: HOLE + word.text }))
    : [];
  if (operator.endsWith("=") && words.length > 0) state.variables.set(parameter, { words, isArray: false });
  return words.length > 0 ? words : undefined;
}

function elementsOf(variable: ShellVariable | undefined, index: string): readonly ShellWord[] | undefined {
  if (!variable) return undefined;
  if (index === "@" || index === "*") return variable.words;
  if (!/^\d{1,4}$/.test(index)) return undefined;
  const word = variable.words[Number(index)];
  return word ? [word] : [];
}

import type { Assignment } from "unbash";
import type { Expansion } from "./expand-word.ts";
import { expandWhole, expandWord } from "./expand-word.ts";
import { ALL_EXPORTED } from "./run-builtin.ts";
import { MAX_SHELL_CHARS } from "./shell-limits.ts";
import { HOLE } from "./shell-word.ts";

/** Sets a variable as the text says; of an element of an array only that it is not known any more. */
export function assignVariable({ name, value, append, index }: Assignment, expansion: Expansion): void {
  const { variables, exported } = expansion.state;
  const before = append ? variables.get(name) : undefined;
  if (exported.has(ALL_EXPORTED)) exported.add(name);
  if (index) {
    expandWord(index, expansion);
    variables.delete(name);
  } else if (value.type === "ArrayValue") {
    const words = value.elements.flatMap((element) => expandWord(element, expansion));
    variables.set(name, { words: [...(before?.words ?? []), ...words], isArray: true });
  } else {
    const word = expandWhole(value, expansion);
    const text = (append && !before ? HOLE : (before?.words[0]?.text ?? "")) + word.text;
    if (text.length > MAX_SHELL_CHARS) variables.delete(name);
    else variables.set(name, { words: [{ ...word, text }], isArray: false });
  }
}

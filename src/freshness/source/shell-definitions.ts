import type { Definition } from "./definition.ts";

/** `name() {`, `function name {`, and what is set at the beginning of a line or by export, readonly, declare, alias. */
const SHELL =
  /^(?<indent>[ \t]*)(?:(?:function[ \t]+(?<named>[\w:.-]+)|(?<called>[\w:.-]+)[ \t]*\([ \t]*\))|(?<lead>(?:(?:export|readonly|declare|typeset|alias)(?:[ \t]+-\w+)*[ \t]+)?)(?<set>[\w.-]+)\+?=|(?:export|readonly|declare|typeset)(?:[ \t]+-\w+)*[ \t]+(?<declared>\w+)[ \t]*$)/gm;

/** The functions of a shell script and what it sets outside of them. */
export function shellDefinitions(code: string): Definition[] {
  const found: Definition[] = [];
  let functionEnd = 0;
  for (const match of code.matchAll(SHELL)) {
    const { indent = "", named, called, lead = "", set, declared } = match.groups ?? {};
    const start = match.index;
    const name = named ?? called;
    if (name !== undefined) {
      const end = functionEndOf(code, start, indent);
      functionEnd = Math.max(functionEnd, end);
      found.push({ name, container: [], kind: "function", start, end });
      continue;
    }
    // Within a function only what it exports outlives the call.
    if (
      start < functionEnd &&
      !/^(?:export|readonly|alias|declare[ \t]+-\w*g)/.test(lead.trim() || match[0].trim())
    )
      continue;
    const variable = set ?? declared;
    const end = code.indexOf("\n", start);
    if (variable !== undefined)
      found.push({
        name: variable,
        container: [],
        kind: "variable",
        start,
        end: end < 0 ? code.length : end,
      });
  }
  return found;
}

function functionEndOf(code: string, start: number, indent: string): number {
  const stop = code.indexOf("\n", start);
  const line = code.slice(start, stop < 0 ? code.length : stop);
  if (stop < 0 || /\}[ \t;]*$/.test(line)) return stop < 0 ? code.length : stop;
  const close = new RegExp(`^${indent}[})]`, "gm");
  close.lastIndex = stop;
  const match = close.exec(code);
  return match ? match.index + match[0].length : code.length;
}

import type { Definition } from "./definition.ts";
import { braceDefinitions } from "./brace-definitions.ts";
import { indentDefinitions } from "./indent-definitions.ts";
import { languageOf } from "./language-of.ts";
import { maskSource } from "./mask-source.ts";
import { shellDefinitions } from "./shell-definitions.ts";

/**
 * The definitions of a source file, in the order of the text; undefined for a file in no known language.
 *
 * Written for one question, "does this file still define that name", which a hook asks while the user waits: no
 * grammar is loaded, and time is linear in the text. Locals of functions do not count.
 */
export function findDefinitions(path: string, text: string): Definition[] | undefined {
  const language = languageOf(path, text);
  if (language === undefined) return undefined;
  // Positions stay: a line break of two characters becomes a blank and one.
  const source = maskSource(text.replaceAll("\r\n", " \n"), language);
  switch (language) {
    case "python":
    case "ruby":
      return indentDefinitions(source, language);
    case "shell":
      return shellDefinitions(source.code);
    default:
      return braceDefinitions(source, language);
  }
}

/** The definition that a symbol such as `match` or `Router.match` means, if there is one. */
export function findSymbol(definitions: readonly Definition[], symbol: string): Definition | undefined {
  const parts = symbol.split(/\.|::|#/).filter((part) => part !== "");
  const name = parts.at(-1) ?? "";
  const outer = parts.slice(0, -1);
  return definitions.find((definition) => definition.name === name && isWithin(definition.container, outer));
}

/** Whether the names stand in the container in this order, gaps allowed: a module may be left out. */
function isWithin(container: readonly string[], outer: readonly string[]): boolean {
  let at = 0;
  for (const name of container) if (name === outer[at]) at += 1;
  return at === outer.length;
}

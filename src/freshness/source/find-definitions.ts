import { type Definition, type Found, languageOf, maskSource } from "./mask-source.ts";
import { blockDefinitions, indentDefinitions } from "./block-definitions.ts";

/** Definitions in text order, locals aside; undefined for an unknown language. No grammar is loaded; linear in the text. */
export function findDefinitions(path: string, text: string): Definition[] | undefined {
  const language = languageOf(path, text);
  if (language === undefined) return undefined;
  // Positions stay: a line break of two characters becomes a blank and one.
  const source = text.replaceAll("\r\n", " \n");
  const code = maskSource(source, language);
  const isIndented = language === "python" || language === "ruby" || language === "shell";
  const found = isIndented ? indentDefinitions(code, language) : blockDefinitions(code, language);
  if (language === "php") found.push(...phpConstants(maskSource(source, language, true)));
  return contained(found);
}

/** `define('NAME', …)` of PHP holds its name in a string. */
function phpConstants(source: string): Found[] {
  return [...source.matchAll(/\bdefine\s*\(\s*['"](\w+)['"]\s*,/g)].map(
    ({ 0: text, 1: name = "", index }) => ({
      name,
      kind: "variable",
      container: [],
      start: index,
      end: index + text.length,
    }),
  );
}

/** The definition that a symbol such as `match` or `Router.match` means, if there is one. */
export function findSymbol(definitions: readonly Definition[], symbol: string): Definition | undefined {
  const parts = symbol.split(/\.|::|#/).filter((part) => part !== "");
  const name = parts.at(-1) ?? "";
  const outer = parts.slice(0, -1);
  return definitions.find((definition) => definition.name === name && isWithin(definition.container, outer));
}

/** Whether the container has the names in this order, gaps allowed: a module may be left out. */
function isWithin(container: readonly string[], outer: readonly string[]): boolean {
  let at = 0;
  for (const name of container) if (name === outer[at]) at += 1;
  return at === outer.length;
}

/** Deeper nesting is not followed: nobody writes it, and hostile files do. */
const MAX_DEPTH = 50;

function contained(found: Found[]): Definition[] {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const around: Found[] = [];
  const definitions: Definition[] = [];
  for (const one of found) {
    for (let outer = around.at(-1); outer && outer.end <= one.start; outer = around.at(-1)) around.pop();
    const { name, kind, start, end } = one;
    if (kind !== "scope") {
      // Names of one statement do not contain each other.
      const names = around.flatMap((outer) => (outer.start < start ? [...outer.container, outer.name] : []));
      definitions.push({ name, kind, container: [...names, ...one.container], start, end });
    }
    if (around.length < MAX_DEPTH) around.push(one);
  }
  return definitions;
}

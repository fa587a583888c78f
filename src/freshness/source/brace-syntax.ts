import type { Definition } from "./definition.ts";
import type { MaskedSource } from "./mask-source.ts";

/**
 * What a block is, as far as it decides which of its statements define a name that counts.
 *
 * - `top`: the file, a namespace, a module. `type`: members of a class or interface. `enum`: its cases.
 * - `object`: keys of an object literal. `local`: one inside a function, where methods alone count.
 * - `pattern`: names that a destructuring binds. `function`: locals, which do not count.
 */
export type Place = "top" | "type" | "enum" | "object" | "local" | "pattern" | "function";

/** A name that a statement defines, with what it stands in besides the open blocks. */
export interface NamedThing {
  name: string;
  kind: Definition["kind"];
  container?: readonly string[];
}

/** Where a statement stands and how it ended. */
export interface Surroundings {
  place: Place;
  ended: ";" | "," | "}" | "{" | "\n";
  /** It stands between the brackets of a call or a list. */
  isInCall: boolean;
  /** The name and the header of the block around it. */
  outer: string | undefined;
  outerHeader: string;
}

/** How one language, or several that are alike, define names in statements and blocks. */
export interface BraceGrammar {
  endsAtLineBreak: boolean;
  /** Where a comma ends a statement: between cases, keys, fields. */
  commaEnds: readonly Place[];
  /** The text to walk, and what is defined outside of statements (macros). */
  preprocess?: (source: MaskedSource, found: Definition[]) => string;
  define: (header: string, where: Surroundings) => NamedThing[];
  placeOf: (header: string, outer: Place, isInCall: boolean) => Place;
  /** Whether a header goes on behind the block: one among its type arguments. */
  goesOn?: (header: string) => boolean;
  /** What the block of a header adds to the container; default: the names that the header defines. */
  containerOf?: (header: string) => readonly string[] | undefined;
  /** What is named behind a block: `typedef struct { … } name;`. */
  trailing?: (blockHeader: string, text: string) => NamedThing[];
}

/** Parts of a list at its commas, those inside brackets left whole. */
export function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if ("([{<".includes(char)) depth += 1;
    else if (")]}".includes(char) || (char === ">" && !/[=-]/.test(text.charAt(i - 1))))
      depth = Math.max(0, depth - 1);
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** The text without attributes in front of a declaration: `@Name(…)`, `[Name(…)]`, `#[name]`. */
export function withoutAttributes(text: string, open: RegExp): string {
  let rest = text.trimStart();
  for (let round = 0; round < 30; round++) {
    const match = open.exec(rest);
    if (!match || match.index !== 0) break;
    let at = match[0].length;
    const last = match[0].at(-1) ?? "";
    if ("([".includes(last)) at = closingOf(rest, at);
    rest = rest.slice(at).trimStart();
    // `@Name` before its own bracket, with a blank between.
  }
  return rest;
}

/** The position behind the bracket that closes what was opened before `from`. */
export function closingOf(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char) && --depth === 0) return i + 1;
  }
  return text.length;
}

/** The name in front of a bracket, past type arguments: of `Foo.bar<T>(` at its bracket, `Foo.bar` and where it begins. */
export function nameBefore(
  text: string,
  bracket: number,
  name: RegExp,
): { name: string; at: number } | undefined {
  let end = bracket;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  if (text.charAt(end - 1) === ">") {
    let depth = 0;
    for (let i = end - 1; i >= 0 && end - i < 1000; i--) {
      const char = text.charAt(i);
      if (char === ">") depth += 1;
      else if (char === "<" && --depth === 0) {
        end = i;
        break;
      }
    }
    while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  }
  const from = Math.max(0, end - 200);
  const match = name.exec(text.slice(from, end));
  return match ? { name: match[0], at: from + match.index } : undefined;
}

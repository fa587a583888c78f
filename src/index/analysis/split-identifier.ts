import { CharacterClass, characterClassOf } from "./character-class.ts";

/** Bounds the work on minified or generated names. */
const MAX_PARTS = 32;
/** `URLs`, `APIs`: the plural of an acronym is one word, not `UR` + `Ls`. */
const PLURAL_ACRONYM = /^[A-Z]{2,}s$/;

/** Splits at case changes: `parseHTTPHeader` → `parse`, `HTTP`, `Header`; digits stay with the letters before them. */
function splitCase(word: string, parts: string[]): void {
  if (PLURAL_ACRONYM.test(word)) {
    parts.push(word);
    return;
  }
  let start = 0;
  let previous = characterClassOf(word.charCodeAt(0));
  for (let at = 1; at < word.length; at++) {
    const current = characterClassOf(word.charCodeAt(at));
    const isHump = current === CharacterClass.upper && previous !== CharacterClass.upper;
    const isAcronymEnd =
      current === CharacterClass.lower && previous === CharacterClass.upper && at - 1 > start;
    if (isHump || isAcronymEnd) {
      const end = isHump ? at : at - 1;
      parts.push(word.slice(start, end));
      start = end;
    }
    previous = current;
  }
  parts.push(word.slice(start));
}

/** The words of one identifier (no slash in it), in order, case kept, at most 32: `foo_bar-baz.Qux` → foo, bar, baz, Qux. */
export function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= identifier.length && parts.length < MAX_PARTS; at++) {
    const character = identifier[at];
    if (character !== undefined && character !== "_" && character !== "-" && character !== ".") continue;
    if (at > start) splitCase(identifier.slice(start, at), parts);
    start = at + 1;
  }
  return parts.length > MAX_PARTS ? parts.slice(0, MAX_PARTS) : parts;
}

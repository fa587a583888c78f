import type { BraceGrammar, NamedThing } from "./brace-syntax.ts";
import { splitAtCommas } from "./brace-syntax.ts";

const METHOD = /^\s*func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*(\w+)/;
const FUNCTION = /^\s*func\s+(\w+)/;

/** Go. */
export const GO_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: true,
  commaEnds: [],
  define(header, { place, outerHeader }) {
    const [, receiver, method] = METHOD.exec(header) ?? [];
    if (method !== undefined && receiver !== undefined)
      return [{ name: method, kind: "function", container: [receiver] }];
    const name = FUNCTION.exec(header)?.[1];
    if (name !== undefined) return [{ name, kind: "function" }];
    if (place === "type") return members(header);
    if (place !== "top") return [];
    const group = /^\s*(var|const|type)\s*$/.exec(outerHeader)?.[1];
    const [, word = group, rest = header] = /^\s*(var|const|type)\s+([^]*)$/.exec(header) ?? [];
    if (word === "type") {
      const type = /^\s*(\w+)/.exec(rest)?.[1];
      return type === undefined ? [] : [{ name: type, kind: "type" }];
    }
    return word === undefined ? [] : names(rest).map((variable) => ({ name: variable, kind: "variable" }));
  },
  placeOf(header, outer) {
    if (/^\s*(?:var|const|type)\s*$/.test(header) && outer === "top") return "top";
    if (/\b(?:struct|interface)\s*$/.test(header)) return outer === "function" ? "function" : "type";
    return "function";
  },
};

/** `a, b int = 1, 2`: the names in front. */
function names(text: string): string[] {
  const list = /^\s*(\w+(?:\s*,\s*\w+)*)/.exec(text)?.[1] ?? "";
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "_" && !/^\d/.test(name));
}

/** A field or a method of an interface; an embedded type is no name of its own. */
function members(header: string): NamedThing[] {
  const method = /^\s*(\w+)\s*\(/.exec(header)?.[1];
  if (method !== undefined) return [{ name: method, kind: "function" }];
  if (!/^\s*\w+(?:\s*,\s*\w+)*\s+[^\s`"]/.test(header)) return [];
  const [list = ""] = splitAtCommas(header).length > 0 ? (/^\s*\w+(?:\s*,\s*\w+)*/.exec(header) ?? []) : [];
  return names(list).map((name) => ({ name, kind: "variable" }));
}

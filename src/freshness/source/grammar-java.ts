import type { BraceGrammar, NamedThing, Place, Surroundings } from "./brace-syntax.ts";
import { closingOf, nameBefore, splitAtCommas, withoutAttributes } from "./brace-syntax.ts";

const ANNOTATION = /^@(?!interface\b)[\w.]+(?:\s*\()?/;
const ATTRIBUTE = /^\[/;
const WORDS =
  "public|private|protected|internal|static|final|abstract|sealed|non-sealed|partial|readonly|ref|unsafe|file|new|default|synchronized|native|transient|volatile|strictfp|override|virtual|async|extern|const|required|event|implicit|explicit";
const MODIFIERS = new RegExp(`^(?:(?:${WORDS})\\s+)*`);
const TYPE =
  /^(class|interface|@interface|enum|record|struct|namespace|package|module)\s+(?:(?:class|struct)\s+)?([\w.]+)/;
const NO_NAME = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "throw",
  "new",
  "synchronized",
  "else",
  "do",
  "try",
  "using",
  "lock",
  "foreach",
  "case",
  "default",
  "assert",
  "super",
  "this",
  "base",
  "import",
  "fixed",
  "when",
  "yield",
  "await",
  "unchecked",
  "checked",
  "goto",
  "where",
]);

const ACCESSORS = new Set(["get", "set", "init", "add", "remove"]);

/** Java. */
export const JAVA_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: false,
  commaEnds: ["enum"],
  define: (header, where) => define(withoutAnnotations(header), where),
  placeOf: (header, outer) => placeOf(withoutAnnotations(header), outer),
};

/** Annotations stand in front of a declaration and also between its words. */
function withoutAnnotations(header: string): string {
  return withoutAttributes(header, ANNOTATION)
    .replace(/@(?!interface\b)[\w.]+(?:\([^()]*\))?/g, " ")
    .trimStart();
}

/** C#. */
export const CSHARP_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: false,
  commaEnds: ["enum"],
  define: (header, where) => define(withoutAttributes(withoutDirectives(header), ATTRIBUTE), where),
  placeOf: (header, outer) => placeOf(withoutAttributes(withoutDirectives(header), ATTRIBUTE), outer),
};

function withoutDirectives(header: string): string {
  return header.replace(/^[ \t]*#[^\n]*$/gm, "");
}

function define(text: string, where: Surroundings): NamedThing[] {
  const { place, ended } = where;
  const rest = text.replace(MODIFIERS, "");
  const type = typeThing(rest);
  if (type.length > 0) return type;
  if (place === "enum") return enumCase(rest, where);
  if (place !== "type" && place !== "top") return [];
  const delegate = /^delegate\s+[^(]*?(\w+)\s*(?:<[^(]*>)?\s*\(/.exec(rest)?.[1];
  if (delegate !== undefined) return [{ name: delegate, kind: "type" }];
  if (place === "top") return [];
  const called = calledName(rest);
  if (called) {
    // A constructor has no type before it; anything else without one is a call.
    const isBare = rest.slice(0, called.at).trim() === "";
    const isNamed = !isBare || called.name === where.outer || ended === "{";
    const isAccessor = isBare && ACCESSORS.has(called.name);
    return !isNamed || isAccessor || NO_NAME.has(called.name)
      ? []
      : [{ name: called.name, kind: "function" }];
  }
  return fields(rest, ended);
}

/** The name before the first bracket that follows one, before any `=`; the brackets of a tuple type follow none. */
function calledName(rest: string): { name: string; at: number } | undefined {
  for (let i = 0; i < rest.length; i++) {
    const char = rest.charAt(i);
    if (char === "=" || char === "{") return undefined;
    if (char !== "(") continue;
    const found = nameBefore(rest, i, /\w+$/);
    if (found) return found;
    i = closingOf(rest, i + 1) - 1;
  }
  return undefined;
}

function typeThing(rest: string): NamedThing[] {
  const [, word, path] = TYPE.exec(rest) ?? [];
  if (path === undefined || word === "package" || word === "module") return [];
  // `record` is also a fine name for a variable.
  if (
    word === "record" &&
    !/^record\s+(?:(?:class|struct)\s+)?[A-Z]\w*\s*[<({:;]|^record\s+(?:(?:class|struct)\s+)?[A-Z]\w*\s*$/.test(
      rest,
    )
  )
    return [];
  const parts = path.split(".");
  return [
    { name: parts.at(-1) ?? path, kind: "type", container: parts.slice(0, -1) },
    ...(word === "record" ? components(rest, parts) : []),
  ];
}

/** `record Point(int x, int y)`: its components are members. */
function components(rest: string, container: readonly string[]): NamedThing[] {
  const open = /^record\s+(?:(?:class|struct)\s+)?[\w.]+\s*(?:<[^()]*>)?\s*\(/.exec(rest)?.[0].length;
  if (open === undefined) return [];
  return splitAtCommas(rest.slice(open, closingOf(rest, open) - 1)).flatMap((part): NamedThing[] => {
    const name = /[\w>\])?]\s+(\w+)\s*$/.exec(part.split("=")[0] ?? "")?.[1];
    return name === undefined ? [] : [{ name, kind: "variable", container }];
  });
}

/** Cases stand before the first `;` of a Java enum; what follows are members. */
function enumCase(rest: string, where: Surroundings): NamedThing[] {
  const name = /^(\w+)\s*(?:\(|=|$)/.exec(rest)?.[1];
  if (name !== undefined && !NO_NAME.has(name)) return [{ name, kind: "variable" }];
  return define(rest, { ...where, place: "type" });
}

function fields(rest: string, ended: Surroundings["ended"]): NamedThing[] {
  const parts = splitAtCommas(rest);
  const first = (parts[0] ?? "").split("=")[0] ?? "";
  // A type and a name; for a property (`int Size { get; }`) likewise.
  const name = /^[\w.<>,?[\]\s*&@()]*[\w>\])?*]\s+(?:[\w.<>]+\.)?(\w+)\s*(?:\[[^\]]*\]\s*)*$/.exec(
    first,
  )?.[1];
  if (
    name === undefined ||
    NO_NAME.has(name) ||
    /^(?:return|throw|using|import|case|else|goto|yield)\b/.test(first.trim())
  )
    return [];
  const further =
    ended === "{" ? [] : parts.slice(1).flatMap((part) => /^\s*(\w+)\s*(?:=|$|\[)/.exec(part)?.[1] ?? []);
  return [name, ...further].map((variable) => ({ name: variable, kind: "variable" }));
}

function placeOf(text: string, outer: Place): Place {
  const rest = text.replace(MODIFIERS, "");
  const [, word] = TYPE.exec(rest) ?? [];
  if (word === "enum") return "enum";
  if (word === "namespace") return "top";
  if (word !== undefined && (word !== "record" || typeThing(rest).length > 0)) return "type";
  // The body of an enum's case, and of an anonymous class.
  return outer === "enum" && /^\w+\s*(?:\([^]*\))?\s*$/.test(rest) && rest !== "" ? "type" : "function";
}

import type { BraceGrammar, NamedThing, Place, Surroundings } from "./brace-syntax.ts";
import { closingOf, splitAtCommas, withoutAttributes } from "./brace-syntax.ts";

const DECORATOR = /^@[\w$.]+(?:\()?/;
const TYPE =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(class|interface|enum|namespace|module)\s+([\w$.]+)/;
const FUNCTION = /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\b\s*\*?\s*([\w$]+)/;
const ALIAS = /^(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)\s*[=<]/;
const VARIABLES = /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+(?!enum\b)([^]*)$/;
const MODIFIERS =
  /^(?:(?:public|private|protected|static|async|override|readonly|abstract|get|set|declare|accessor)\s+(?![=:(?;,]))*\*?\s*/;
const METHOD = /^(#?[\w$]+)\s*\??\s*(?:<[^()]*>)?\s*\(/;
const FIELD = /^(#?[\w$]+)\s*[?!]?\s*(?::|=(?!>)|$)/;
const CONTROL = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "function",
  "return",
  "with",
  "super",
  "await",
]);
const FUNCTION_VALUE = /^(?:[^:=]*)[:=]\s*(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>)/;

/** JavaScript and TypeScript. */
export const JAVASCRIPT_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: true,
  commaEnds: ["enum", "object", "local"],
  define(header, where) {
    const text = withoutAttributes(header, DECORATOR);
    if (where.place === "pattern") return bound(text);
    if (where.place === "enum") return named(/^([\w$]+)\s*(?:=|$)/.exec(text)?.[1], "variable");
    const declared = declaredThing(text);
    if (declared.length > 0) return declared;
    const assigned = assignedThing(text);
    if (assigned.length > 0) return assigned;
    if (where.place === "top") return variables(text);
    return member(text, where);
  },
  goesOn: hasOpenAngle,
  placeOf(header, outer, isInCall) {
    const text = withoutAttributes(header, DECORATOR);
    if (hasOpenAngle(text)) return "type";
    const [, word] = TYPE.exec(text) ?? [];
    if (word === "class" || word === "interface") return "type";
    if (word === "enum") return "enum";
    if (word !== undefined || /^declare\s+(?:global|module)\b/.test(text)) return "top";
    if (/\bclass\b[^()]*$/.test(text)) return "type";
    if (ALIAS.test(text)) return /=>\s*$/.test(text) ? "function" : "type";
    if (/\b(?:const|let|var)\s*$/.test(text)) return outer === "function" ? "function" : "pattern";
    if (outer === "pattern") return "pattern";
    if (/=>\s*$/.test(text) || text === "") return text === "" && isInCall ? objectIn(outer) : "function";
    if (outer === "type" && /^[\w$\s]*[?!]?\s*:\s*$/.test(text)) return "type";
    return /(?:[=(,:[?&|]|\b(?:return|default|yield|await))\s*$/.test(text) ? objectIn(outer) : "function";
  },
};

/** Whether the type arguments of a declaration are still open at its end; elsewhere `<` compares. */
function hasOpenAngle(header: string): boolean {
  if (!/(?:[<,&|:=]|\bextends)\s*$/.test(header.slice(-40)) || !header.includes("<")) return false;
  if (/&&|\|\||;/.test(header)) return false;
  let depth = 0;
  for (let i = 0; i < header.length; i++) {
    const char = header.charAt(i);
    if (char === "<" && /[\w$\s]/.test(header.charAt(i - 1))) depth += 1;
    else if (char === ">" && header.charAt(i - 1) !== "=") depth = Math.max(0, depth - 1);
  }
  return depth > 0;
}

function objectIn(outer: Place): Place {
  return outer === "function" || outer === "local" ? "local" : "object";
}

function declaredThing(text: string): NamedThing[] {
  const [, , type] = TYPE.exec(text) ?? [];
  if (type !== undefined && type !== "extends" && type !== "implements") {
    const parts = type.split(".");
    return [{ name: parts.at(-1) ?? type, kind: "type", container: parts.slice(0, -1) }];
  }
  const name = FUNCTION.exec(text)?.[1];
  if (name !== undefined) return named(name, "function");
  return named(ALIAS.exec(text)?.[1], "type");
}

/** `exports.a = …`, `A.prototype.b = …`, `A.b = …`. */
function assignedThing(text: string): NamedThing[] {
  const [, path] = /^([\w$]+(?:\.[\w$]+){1,3})\s*=(?![=>])/.exec(text) ?? [];
  if (path === undefined) return [];
  const parts = path.split(".").filter((part) => part !== "prototype");
  const name = parts.at(-1) ?? "";
  const container = parts.slice(0, -1).filter((part) => part !== "module" && part !== "exports");
  const isShared =
    path.includes(".prototype.") || /^(?:module\.)?exports\./.test(path) || /^[A-Z]/.test(path);
  return isShared && name !== "exports" && name !== "prototype"
    ? [{ name, kind: "variable", container }]
    : [];
}

function variables(text: string): NamedThing[] {
  const list = VARIABLES.exec(text)?.[1];
  if (list === undefined) return [];
  if (list.trimStart().startsWith("[")) return bound(/^\s*\[([^\]]*)\]/.exec(list)?.[1] ?? "");
  // Behind the first value commas may belong to it: only what is plainly declared further on is taken.
  return splitAtCommas(list).flatMap((part, i) => {
    const name = /^\s*([\w$]+)\s*(?:[=:!]|$)/.exec(part)?.[1];
    return i === 0 || !/\n\s*\n/.test(part) ? named(name, "variable") : [];
  });
}

/** Names in a destructuring: `a`, `b: c`, `d = 1`, `...rest`. */
function bound(list: string): NamedThing[] {
  return splitAtCommas(list).flatMap((part) => {
    const [name] = /[\w$]+\s*$/.exec(part.split("=")[0] ?? "") ?? [];
    return named(name?.trim(), "variable");
  });
}

function member(text: string, { place, ended, isInCall }: Surroundings): NamedThing[] {
  if (place !== "type" && place !== "object" && place !== "local") return [];
  const rest = text.replace(MODIFIERS, "");
  const method = METHOD.exec(rest)?.[1];
  if (method !== undefined) {
    // Statements have no place among members; in what looks like an object there may be some after all.
    if (isInCall || (place !== "type" && (CONTROL.has(method) || ended !== "{"))) return [];
    return [...named(method, "function"), ...(method === "constructor" ? parameterProperties(rest) : [])];
  }
  const field = FIELD.exec(rest)?.[1];
  if (field === undefined) return [];
  const isFunction = FUNCTION_VALUE.test(rest);
  if (place === "local" && !isFunction) return [];
  if (place === "object" && !/^[\w$]+\s*\??\s*:/.test(rest)) return [];
  return named(field, isFunction ? "function" : "variable");
}

/** `constructor(private readonly db: Database)` declares members too. */
function parameterProperties(rest: string): NamedThing[] {
  const open = rest.indexOf("(") + 1;
  return splitAtCommas(rest.slice(open, closingOf(rest, open) - 1)).flatMap((part) =>
    named(
      /^(?:(?:public|private|protected|readonly|override)\s+)+([\w$]+)/.exec(
        withoutAttributes(part, DECORATOR),
      )?.[1],
      "variable",
    ),
  );
}

function named(name: string | undefined, kind: NamedThing["kind"]): NamedThing[] {
  return name === undefined || name === "" || /^\d/.test(name)
    ? []
    : [{ name: name.replace(/^#/, ""), kind }];
}

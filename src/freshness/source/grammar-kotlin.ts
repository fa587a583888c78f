import type { BraceGrammar, NamedThing, Place } from "./brace-syntax.ts";
import { closingOf, splitAtCommas, withoutAttributes } from "./brace-syntax.ts";

const ANNOTATION = /^@(?:\w+:)?[\w.]+(?:\()?/;
const KOTLIN_WORDS =
  /^(?:(?:public|private|protected|internal|open|abstract|final|sealed|data|inner|enum|annotation|value|inline|noinline|crossinline|override|lateinit|const|suspend|tailrec|operator|infix|external|expect|actual|companion|fun(?=\s+interface))\s+)*/;
const SWIFT_WORDS =
  /^(?:(?:public|private|fileprivate|internal|open|package|static|class(?=\s+(?:func|var|let|override|final))|final|override|mutating|nonmutating|lazy|weak|unowned|dynamic|optional|required|convenience|indirect|prefix|postfix|infix|isolated|nonisolated|distributed|async|consuming|borrowing)(?:\((?:set|safe|unsafe)\))?\s+)*/;

/** Kotlin. */
export const KOTLIN_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: true,
  commaEnds: ["enum"],
  define(header, { place, ended, outerHeader }) {
    const text = withoutAttributes(header, ANNOTATION);
    const rest = text.replace(KOTLIN_WORDS, "");
    const [, word, type] = /^(class|interface|object|typealias|fun\s+interface)\s+`?(\w+)/.exec(rest) ?? [];
    if (type !== undefined && word !== undefined) {
      return [{ name: type, kind: "type" }, ...constructorProperties(rest, type)];
    }
    const name = kotlinFunction(rest);
    if (name !== undefined) return [name];
    if (place === "function") return [];
    const variable = /^va[lr]\s+(?:<[^>]*>\s*)?(?:[\w<>?, ]+\.)?`?(\w+)`?/.exec(rest)?.[1];
    if (variable !== undefined) return [{ name: variable, kind: "variable" }];
    const isEnum = place === "enum" && !/^(?:init|constructor)\b/.test(rest) && /\benum\b/.test(outerHeader);
    const entry = isEnum && ended !== "\n" ? /^`?(\w+)`?\s*(?:\(|$)/.exec(rest)?.[1] : undefined;
    const last = isEnum && ended === "\n" ? /^`?([A-Z]\w*)`?\s*(?:\([^]*\))?\s*$/.exec(rest)?.[1] : undefined;
    const found = entry ?? last;
    return found === undefined ? [] : [{ name: found, kind: "variable" }];
  },
  placeOf(header, outer) {
    const text = withoutAttributes(header, ANNOTATION);
    if (/\benum\s+class\b/.test(text)) return "enum";
    const rest = text.replace(KOTLIN_WORDS, "");
    if (/^(?:class|interface|object|fun\s+interface)\b/.test(rest) && !kotlinFunction(rest)) return "type";
    if (/^companion\s+object\b/.test(text)) return "type";
    if (/(?:^|[=(,])\s*object\b[^()]*(?:\([^]*\))?\s*$/.test(rest)) return "type";
    return outer === "enum" && /^\w+\s*(?:\([^]*\))?\s*$/.test(rest) ? "type" : "function";
  },
};

function kotlinFunction(rest: string): NamedThing | undefined {
  const match = /^fun\s+(?:<[^()]*?>\s*)?((?:[\w<>?,* ]+\.)*)\s*(?:`([^`\n]+)`|(\w+))\s*\(/.exec(rest);
  if (!match) return undefined;
  const receiver = /(\w+)(?:<[^]*>)?\??\.$/.exec(match[1] ?? "")?.[1];
  const name = match[2] ?? match[3] ?? "";
  return { name, kind: "function", ...(receiver !== undefined && { container: [receiver] }) };
}

/** `class User(val name: String)`: the properties that a constructor declares. */
function constructorProperties(rest: string, type: string): NamedThing[] {
  const open = /^\w+\s+\w+\s*(?:<[^()]*>)?\s*(?:[\w@ ]*constructor\s*)?\(/.exec(rest)?.[0].length;
  if (open === undefined) return [];
  return splitAtCommas(rest.slice(open, closingOf(rest, open) - 1)).flatMap((part): NamedThing[] => {
    const name = /(?:^|\s)va[lr]\s+`?(\w+)/.exec(part.split(":")[0] ?? "")?.[1];
    return name === undefined ? [] : [{ name, kind: "variable", container: [type] }];
  });
}

/** Swift. */
export const SWIFT_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: true,
  commaEnds: [],
  define(header, { place }) {
    const text = withoutAttributes(header, ANNOTATION);
    const rest = text.replace(SWIFT_WORDS, "");
    const type = /^(?:class|struct|enum|protocol|actor|typealias|associatedtype|macro)\s+`?(\w+)/.exec(
      rest,
    )?.[1];
    if (type !== undefined) return [{ name: type, kind: "type" }];
    const name = /^func\s+(?:`?(\w+)`?|([^\s\w(]+))\s*[(<]/.exec(rest);
    const called = name?.[1] ?? name?.[2];
    if (called !== undefined) return [{ name: called, kind: "function" }];
    if (place === "function") return [];
    const special = /^(init|deinit|subscript)\b/.exec(rest)?.[1];
    if (special !== undefined) return [{ name: special, kind: "function" }];
    const cases = /^case\s+([^]*)$/.exec(rest)?.[1];
    if (cases !== undefined && place === "enum") {
      return splitAtCommas(cases).flatMap((part) => {
        const found = /^\s*`?(\w+)/.exec(part)?.[1];
        return found === undefined ? [] : [{ name: found, kind: "variable" as const }];
      });
    }
    const list = /^(?:let|var)\s+([^]*)$/.exec(rest)?.[1];
    if (list === undefined) return [];
    if (list.startsWith("("))
      return splitAtCommas(list.slice(1, closingOf(list, 1) - 1)).map((part) => ({
        name: part.trim(),
        kind: "variable",
      }));
    return splitAtCommas(list).flatMap((part, i): NamedThing[] => {
      const found = /^\s*`?(\w+)`?\s*(?:[:=]|$)/.exec(part)?.[1];
      return found === undefined || (i > 0 && !/[:=]/.test(part)) ? [] : [{ name: found, kind: "variable" }];
    });
  },
  placeOf: (header) => swiftPlace(header),
  containerOf(header) {
    const rest = withoutAttributes(header, ANNOTATION).replace(SWIFT_WORDS, "");
    const path = /^extension\s+([\w.]+)/.exec(rest)?.[1];
    return path?.split(".");
  },
};

function swiftPlace(header: string): Place {
  const rest = withoutAttributes(header, ANNOTATION).replace(SWIFT_WORDS, "");
  if (/^enum\b/.test(rest)) return "enum";
  return /^(?:class|struct|protocol|actor|extension)\b/.test(rest) ? "type" : "function";
}

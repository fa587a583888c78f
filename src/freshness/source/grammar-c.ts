import type { BraceGrammar, NamedThing, Surroundings } from "./brace-syntax.ts";
import { nameBefore, splitAtCommas } from "./brace-syntax.ts";
import type { Definition } from "./definition.ts";
import { levelBranches } from "./level-branches.ts";
import type { MaskedSource } from "./mask-source.ts";

const TYPE =
  /(?:^|\s)(class|struct|union|enum(?:\s+(?:class|struct))?|namespace)\s+((?:[A-Z_][A-Z0-9_]*(?:\([^)]*\))?\s+(?=\w)(?!final\b))?)([\w:]+)\s*(final\b)?\s*(?=[:{;<]|$)/;
const ATTRIBUTE =
  /\[\[[^\]]*\]\]|\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\b(?:alignas|__declspec)\s*\((?:[^()]|\([^()]*\))*\)/g;
const NO_NAME = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "sizeof",
  "throw",
  "noexcept",
  "decltype",
  "alignas",
  "alignof",
  "__attribute__",
  "__declspec",
  "defined",
  "else",
  "do",
  "case",
  "goto",
  "new",
  "delete",
  "static_assert",
  "_Static_assert",
  "requires",
  "explicit",
  "struct",
  "union",
  "class",
  "enum",
  "void",
  "int",
  "char",
  "long",
  "auto",
  "const",
  "static",
  "inline",
  "unsigned",
  "using",
  "typedef",
  "co_await",
  "co_return",
  "asm",
  "__asm__",
  "typeof",
  "__typeof__",
]);
const LABEL = /^\s*(?:public|private|protected|signals|slots|Q_SIGNALS)(?:\s+(?:slots|Q_SLOTS))?\s*:(?!:)/;

/** C and C++. */
export const C_GRAMMAR: BraceGrammar = {
  endsAtLineBreak: false,
  commaEnds: ["enum"],
  preprocess,
  define(header, where) {
    const text = clean(header);
    const { place, ended } = where;
    if (place === "enum") {
      const name = /^(\w+)\s*(?:=|$|\w+\s*\()/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, kind: "variable" }];
    }
    if (place === "function") return [];
    const typedef = /^typedef\b/.test(text);
    const type = typeThing(text, ended);
    if (type.length > 0 && (ended === "{" || !typedef)) return type;
    const using = /^using\s+(\w+)\s*=/.exec(text)?.[1];
    if (using !== undefined) return [{ name: using, kind: "type" }];
    if (/^(?:using|friend|goto|return|extern\s*"[^"]*"\s*$|#)/.test(text)) return [];
    if (typedef) return ended === "{" ? [] : declared(text, "type");
    const called = functionThing(text);
    if (called) return [called];
    return ended === "{" && !/=\s*$/.test(text)
      ? declared(text.replace(/[^\w\s*&:<>,[\]]+$/, ""), "variable")
      : declared(text, "variable");
  },
  placeOf(header, outer) {
    const text = clean(header);
    if (/^extern\s*"[^"]*"\s*$/.test(text) || /(?:^|\s)namespace\b[^()=]*$/.test(text)) return "top";
    if (/(?:^|\s)enum\b[^()=;]*$/.test(text)) return "enum";
    if (isTypeHeader(text)) return "type";
    return outer === "enum" ? "enum" : "function";
  },
  containerOf(header) {
    const text = clean(header);
    if (/^typedef\b/.test(text) && !TYPE.test(text)) return [];
    const [, , , path] = TYPE.exec(text) ?? [];
    return path === undefined ? undefined : path.split("::").filter((part) => part !== "");
  },
  trailing(blockHeader, text) {
    const header = clean(blockHeader);
    if (!isTypeHeader(header) && !/(?:^|\s)enum\b/.test(header)) return [];
    const isType = /^typedef\b/.test(header);
    return splitAtCommas(text).flatMap((part): NamedThing[] => {
      const name = /^[\s*]*(\w+)/.exec(part.replace(/__attribute__\s*\(\([^]*?\)\)/g, ""))?.[1];
      return name === undefined || NO_NAME.has(name) ? [] : [{ name, kind: isType ? "type" : "variable" }];
    });
  },
};

/** Preprocessor lines are blanked; what they define is taken down, and of branches the first counts. */
function preprocess({ code }: MaskedSource, found: Definition[]): string {
  const blank = code.replace(/^[ \t]*#(?:[^\n\\]|\\(?:\r?\n)?)*/gm, (line, offset: number) => {
    const name = /^[ \t]*#[ \t]*define[ \t]+(\w+)(\()?/.exec(line);
    if (name?.[1] !== undefined) {
      const kind = name[2] === undefined ? "variable" : "function";
      found.push({ name: name[1], container: [], kind, start: offset, end: offset + line.length });
    }
    return line.replace(/[^\n]/g, " ");
  });
  return levelBranches(code, blank);
}

function clean(header: string): string {
  let text = header.trim();
  while (LABEL.test(text)) text = text.replace(LABEL, "").trimStart();
  text = text.replace(ATTRIBUTE, " ").trimStart();
  for (let round = 0; round < 5 && /^template\s*</.test(text); round++)
    text = text.slice(angleEnd(text, text.indexOf("<"))).trimStart();
  return text.replace(/^requires\s*\([^)]*\)\s*/, "");
}

function angleEnd(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "<" || char === "(") depth += 1;
    else if ((char === ">" && text.charAt(i - 1) !== "-") || char === ")") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function isTypeHeader(text: string): boolean {
  return (
    /(?:^|\s)(?:class|struct|union)\b[^=;]*$/.test(text) &&
    (!text.includes("(") ||
      TYPE.test(text) ||
      /(?:^|\s)(?:struct|union|class)\s+(?:__attribute__|alignas|__declspec|[A-Z_]+)\s*\(/.test(text)) &&
    !/\)\s*(?:const|noexcept|override)?\s*$/.test(text)
  );
}

/** A class, struct, union, enum or namespace with its body; without one it is only announced. */
function typeThing(text: string, ended: Surroundings["ended"]): NamedThing[] {
  if (ended !== "{") {
    const announced =
      /^(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:[A-Z_][A-Z0-9_]*\s+)?(\w+)\s*(?::[^]*)?$/.exec(
        text,
      )?.[1];
    return announced === undefined ? [] : [{ name: announced, kind: "type" }];
  }
  const [, , , path] = TYPE.exec(text) ?? [];
  if (path === undefined || /\(/.test(text.slice(0, text.search(TYPE)))) return [];
  if (!isTypeHeader(text) && !/(?:^|\s)(?:enum|namespace)\b[^(=]*$/.test(text)) return [];
  const parts = path.split("::").filter((part) => part !== "");
  const name = parts.at(-1);
  return name === undefined ? [] : [{ name, kind: "type", container: parts.slice(0, -1) }];
}

/** A function or its prototype: the first name before a bracket that is no macro of attributes. */
function functionThing(text: string): NamedThing | undefined {
  const operator = /^[^(=]*?\b((?:\w+::)*)operator\s*([^\s\w(]{1,3}|\(\)|\w+(?:\[\])?)\s*\(/.exec(text);
  if (operator)
    return { name: `operator${operator[2]}`, kind: "function", container: containers(operator[1] ?? "") };
  const calls: { path: string; at: number }[] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "(") {
      const path = depth === 0 ? nameBefore(text, i, /(?:\w+(?:<[^<>()]*>)?::)*~?\w+$/)?.name : undefined;
      if (path !== undefined && !NO_NAME.has(path)) calls.push({ path, at: i });
      depth += 1;
    } else if (char === ")") depth -= 1;
    else if (
      depth === 0 &&
      (char === "=" ||
        char === "{" ||
        (char === ":" && text.charAt(i + 1) !== ":" && text.charAt(i - 1) !== ":"))
    )
      break;
  }
  const [first, second] = calls;
  if (!first) return undefined;
  const isMacro = second !== undefined && /^[A-Z][A-Z0-9_]*$/.test(first.path);
  const { path } = isMacro ? second : first;
  // A pointer to a function as a variable: `int (*handler)(int)`.
  if (/^\s*\(?\s*\*/.test(text.slice(first.at + 1, first.at + 4)) && NO_NAME.has(path)) return undefined;
  const parts = path.replace(/<[^<>]*>/g, "").split("::");
  const name = (parts.at(-1) ?? "").replace(/^~/, "");
  // `int (*name)(…)` names what is in the first bracket.
  return name === "" || /^\d/.test(name)
    ? undefined
    : { name, kind: "function", container: parts.slice(0, -1) };
}

function containers(path: string): string[] {
  return path.split("::").filter((part) => part !== "");
}

/** The names of a declaration of variables or of a typedef. */
function declared(text: string, kind: NamedThing["kind"]): NamedThing[] {
  const pointer = /\(\s*(?:[\w:]+::)?[*^&]\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\])*\s*\)/.exec(text)?.[1];
  if (pointer !== undefined) return [{ name: pointer, kind }];
  const called = kind === "type" ? functionThing(text.replace(/^typedef\b/, "")) : undefined;
  if (called) return [{ ...called, kind }];
  return splitAtCommas(text).flatMap((part, i): NamedThing[] => {
    const before = (part.split("=")[0] ?? "")
      .replace(/(?<!:):(?!:)[^]*$/, "")
      .replace(/__attribute__\s*\(\([^]*$/, "")
      .trim();
    const name = /([\w:]*\w)\s*(?:\[[^\]]*\]\s*)*$/.exec(before)?.[1];
    if (name === undefined || NO_NAME.has(name) || /^\d/.test(name)) return [];
    // The first needs a type before it, else it is a macro or a label.
    if (i === 0 && !/[\w>*&\]]\s*[\s*&>]\s*[\w:]*\w\s*(?:\[[^\]]*\]\s*)*$/.test(before)) return [];
    const parts = name.split("::");
    return [{ name: parts.at(-1) ?? name, kind, container: parts.slice(0, -1) }];
  });
}

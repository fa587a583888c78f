import type { Definition } from "./definition.ts";
import type { MaskedSource } from "./mask-source.ts";

/** A block that is open at a line, by the indent of the line that opened it. */
interface OpenBlock {
  indent: number;
  /** Undefined for `if`, `try` and the like, which open no scope. */
  definition: Definition | undefined;
  names: readonly string[];
}

const PYTHON = {
  block: /^(?:async[ \t]+)?(?:def[ \t]+(?<function>[^\W\d]\w*)|class[ \t]+(?<type>[^\W\d]\w*))/u,
  variable:
    /^(?<names>[^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*)*)[ \t]*(?::(?!=)[^=\n]*)?(?:=(?!=)|(?<=:[^=\n]*)$)/u,
  alias: /^type[ \t]+(?<alias>[^\W\d]\w*)\b[^=\n]*=/u,
};

const RUBY = {
  block:
    /^(?:(?:private|protected|public|module_function|private_class_method|memoize)[ \t]+)?(?:def[ \t]+(?:self\.|[A-Z]\w*\.)?(?<function>[^\W\d]\w*[!?=]?|[+\-*/%<=>!~^&|[\]]+)|(?:class|module)[ \t]+(?<type>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*))/u,
  variable: /^(?<names>[A-Z]\w*)[ \t]*(?:\|\|)?=(?![=~>])/,
  made: /^(?:(?:private|protected|public)[ \t]+)?(?:attr_(?:accessor|reader|writer)|mattr_accessor|cattr_accessor|class_attribute|alias_method|define_method|delegate)[ \t(]+(?<made>.+)$/,
  alias: /^alias[ \t]+:?(?<alias>[^\W\d]\w*[!?=]?)/u,
};

const ATTRIBUTE = /^self\.(?<name>[^\W\d]\w*)[ \t]*(?::(?!=)[^=\n]*)?=(?!=)/u;

/** A line is looked at to this length: what it defines stands at its beginning. */
const MAX_LINE_CHARS = 2_000;

/** The definitions of a Python or Ruby file, whose layout shows what stands in what. */
export function indentDefinitions(source: MaskedSource, language: "python" | "ruby"): Definition[] {
  const { code } = source;
  const found: Definition[] = [];
  const open: OpenBlock[] = [];
  for (const { start, end } of logicalLines(code)) {
    const line = code.slice(start, Math.min(end, start + MAX_LINE_CHARS));
    const text = line.trimStart();
    if (
      text === "" ||
      (language === "ruby" && /^end\b/.test(text) && closes(open, line.length - text.length, end))
    )
      continue;
    const indent = widthOf(line.slice(0, line.length - text.length));
    for (let block = open.at(-1); block && block.indent >= indent; block = open.at(-1)) {
      if (
        language === "ruby" &&
        block.indent === indent &&
        /^(?:else|elsif|rescue|ensure|when|in)\b/.test(text)
      )
        break;
      if (block.definition && language === "python")
        block.definition.end = Math.min(block.definition.end, start);
      open.pop();
    }
    for (const statement of language === "ruby" ? [text] : text.split(/;[ \t]*/)) {
      read(statement, { found, open, indent, start, end, size: code.length }, language);
    }
  }
  return found;
}

interface Place {
  found: Definition[];
  open: OpenBlock[];
  indent: number;
  start: number;
  end: number;
  size: number;
}

function read(text: string, place: Place, language: "python" | "ruby"): void {
  const { found, open, indent, start, end } = place;
  const container = open.flatMap(({ names }) => names);
  const isLocal = open.some(({ definition }) => definition?.kind === "function");
  const grammar = language === "python" ? PYTHON : RUBY;
  const block = grammar.block.exec(text)?.groups;
  const name = block?.["function"] ?? block?.["type"];
  if (name !== undefined) {
    const names = name.split("::").filter((part) => part !== "");
    const kind = block?.["function"] === undefined ? "type" : "function";
    const definition: Definition = {
      name: names.at(-1) ?? name,
      container: [...container, ...names.slice(0, -1)],
      kind,
      start,
      end: place.size,
    };
    found.push(definition);
    const isOneLine =
      language === "ruby" &&
      (/\bend[ \t]*$/.test(text) || /^def[ \t]+[\w.!?]+(?:\([^)]*\))?[ \t]*=/.test(text));
    if (isOneLine) definition.end = end;
    else open.push({ indent, definition, names });
    return;
  }
  if (isLocal) {
    // What a method gives its object is a member of the class.
    const attribute = language === "python" ? ATTRIBUTE.exec(text)?.groups?.["name"] : undefined;
    const method = open.findIndex(({ definition }) => definition?.kind === "function");
    const owner = open.slice(0, method).flatMap(({ names }) => names);
    if (attribute !== undefined && owner.length > 0)
      found.push({ name: attribute, container: owner, kind: "variable", start, end });
    return;
  }
  const add = (variable: string, kind: Definition["kind"] = "variable"): void => {
    found.push({ name: variable, container, kind, start, end });
  };
  const variables = grammar.variable.exec(text)?.groups?.["names"];
  if (variables !== undefined && !/^(?:else|try|finally|lambda|return|yield|print)\b/.test(variables)) {
    for (const variable of variables.split(",")) add(variable.trim());
    // `a = b = 1`
    for (const [, further = ""] of text.matchAll(/=[ \t]*([^\W\d]\w*)[ \t]*(?==[^=])/gu))
      if (language === "python") add(further);
    // `Point = Struct.new(:x) do` and `class << self` open blocks of their own.
    if (language === "ruby" && /\bdo(?:[ \t]*\|[^|]*\|)?[ \t]*$/.test(text))
      open.push({ indent, definition: undefined, names: [variables] });
    return;
  }
  const alias = grammar.alias.exec(text)?.groups?.["alias"];
  if (alias !== undefined) add(alias, language === "python" ? "type" : "function");
  if (language === "ruby") {
    const made = RUBY.made.exec(text)?.groups?.["made"];
    for (const [, symbol = ""] of (made ?? "").matchAll(/:([^\W\d]\w*[!?=]?)/gu)) add(symbol, "function");
  }
}

/** Lines joined where a bracket is still open or a backslash says so. */
function* logicalLines(code: string): Generator<{ start: number; end: number }> {
  let start = 0;
  let depth = 0;
  const telling = /[\n([{)\]}]/g;
  for (let match = telling.exec(code); match; match = telling.exec(code)) {
    const char = match[0];
    if (char !== "\n") depth = Math.max(0, depth + ("([{".includes(char) ? 1 : -1));
    else if (code.charAt(match.index - 1) === "\\") continue;
    // A line that begins a definition ends whatever bracket seems open: one that was never closed hides no more.
    else if (
      depth === 0 ||
      /^[ \t]*(?:async def|def|class|module)\b/.test(code.slice(match.index + 1, match.index + 40))
    ) {
      depth = 0;
      yield { start, end: match.index };
      start = match.index + 1;
    }
  }
  if (start < code.length) yield { start, end: code.length };
}

/** Ruby: an `end` at the indent of an open block closes it. */
function closes(open: OpenBlock[], indent: number, end: number): boolean {
  const at = open.findLastIndex((block) => block.indent === indent);
  if (at < 0) return true;
  for (const { definition } of open.splice(at)) if (definition) definition.end = end;
  return true;
}

function widthOf(blanks: string): number {
  let width = 0;
  for (const char of blanks) width += char === "\t" ? 8 - (width % 8) : 1;
  return width;
}

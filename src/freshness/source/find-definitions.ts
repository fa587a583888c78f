import { type Found, type Language, type Definition, languageOf, maskSource } from "./mask-source.ts";
import { type Block, type BlockLanguage, blockOf, definedBy, flatten, STYLES } from "./read-statement.ts";

interface OpenBlock {
  kind: Block;
  definitions: readonly Found[];
  depth: number;
  closer: "}" | ")";
  /** Where the statement around the block began, when it goes on behind it. */
  resumeAt: number | undefined;
  /** Precedes each statement in the block: `const ( … )` of Go. */
  prefix: string;
  /** Precedes the statement behind the block: `typedef struct { … } name;`. */
  trailing: string;
}

/** A header is looked at to this length: a declaration names itself early, and its end tells what block follows. */
const MAX_HEADER_CHARS = 800;
const HEADER_TAIL_CHARS = 200;
/** Deeper nesting is not followed: nobody writes it, and hostile files do. */
const MAX_DEPTH = 500;
const DIRECTIVE = /^[ \t]*#(?:[^\n\\]|\\\n?)*/gm;
const EVENT = /[{}()[\];,\n]/g;
const EVENT_OR_DIRECTIVE = new RegExp(`${DIRECTIVE.source}|${EVENT.source}`, "gm");
const HAS_DIRECTIVES: readonly Language[] = ["c", "cpp", "csharp"];

function blockDefinitions(code: string, language: BlockLanguage): Found[] {
  return new BlockWalker(code, language).run();
}

class BlockWalker {
  /** With directives, and with blanks in their place. */
  readonly #source: string;
  readonly #code: string;
  readonly #language: BlockLanguage;
  readonly #events: RegExp;
  readonly #found: Found[] = [];
  readonly #open: OpenBlock[] = [];
  /** What was open at each `#if`: every branch begins from there. */
  readonly #branches: { open: OpenBlock[]; depth: number }[] = [];
  #depth = 0;
  #start = 0;
  #prefix = "";

  constructor(code: string, language: BlockLanguage) {
    const hasDirectives = HAS_DIRECTIVES.includes(language);
    this.#source = code;
    this.#code = hasDirectives ? code.replace(DIRECTIVE, (line) => line.replace(/[^\n]/g, " ")) : code;
    this.#language = language;
    this.#events = new RegExp(hasDirectives ? EVENT_OR_DIRECTIVE : EVENT);
  }

  run(): Found[] {
    const style = STYLES[this.#language];
    for (let match = this.#next(); match; match = this.#next()) {
      const at = match.index;
      const isOutermost = this.#depth === 0;
      switch (match[0]) {
        case "{":
          this.#openBlock(at);
          break;
        case "(":
          if (this.#language === "go" && /^(?:var|const|type)$/.test(this.#header(at)))
            this.#openBlock(at, ")");
          else this.#depth += 1;
          break;
        case "[":
          this.#depth += 1;
          break;
        case ")":
        case "]":
          if (!isOutermost) this.#depth -= 1;
          else if (match[0] === ")" && this.#open.at(-1)?.closer === ")") this.#closeBlock(at);
          break;
        case "}":
          this.#closeBlock(at);
          break;
        case ";":
          if (isOutermost) this.#endStatement(at);
          break;
        case ",":
          // In a trait of Rust it is part of a signature.
          if (isOutermost && style.commaEnds.includes(this.#block()) && !/\bfn\b/.test(this.#header(at)))
            this.#endStatement(at);
          break;
        case "\n":
          if (isOutermost && style.hasLineEnds && !this.#goesOn(at)) this.#endStatement(at);
          break;
        default:
          this.#direct(match[0], at);
      }
    }
    this.#endStatement(this.#code.length);
    for (const block of this.#open) endAt(block, this.#code.length);
    return this.#found;
  }

  #next(): RegExpExecArray | null {
    return this.#events.exec(this.#source);
  }

  #block(): Block {
    return this.#open.at(-1)?.kind ?? "top";
  }

  #header(end: number): string {
    const code = this.#code;
    if (end - this.#start > MAX_HEADER_CHARS) this.#start = this.#firstChar(end);
    const start = this.#start;
    const text =
      end - start <= MAX_HEADER_CHARS
        ? code.slice(start, end)
        : `${code.slice(start, start + MAX_HEADER_CHARS - HEADER_TAIL_CHARS)} ${code.slice(end - HEADER_TAIL_CHARS, end)}`;
    return text.trim() === "" ? "" : this.#prefix + text.trim();
  }

  #firstChar(end: number): number {
    const visible = /\S/g;
    visible.lastIndex = this.#start;
    return Math.min(visible.exec(this.#code)?.index ?? end, end);
  }

  #openBlock(at: number, closer: OpenBlock["closer"] = "}"): void {
    const header = this.#header(at);
    const outer = this.#block();
    const { kind, goesOn = false } =
      this.#open.length >= MAX_DEPTH
        ? { kind: "function" as const }
        : closer === ")"
          ? { kind: outer }
          : blockOf(flatten(header), outer, this.#language);
    const isInside = this.#depth > 0 || goesOn;
    const isType = kind === "type" || kind === "enum";
    const isDeclarator = /^c(?:pp)?$/.test(this.#language) && isType;
    this.#open.push({
      kind,
      definitions: isInside ? [] : this.#define(header, at, "{"),
      depth: this.#depth,
      closer,
      resumeAt: isInside ? this.#start : undefined,
      prefix: closer === ")" ? `${header} ` : "",
      trailing: isDeclarator ? (/^typedef\b/.test(header) ? "typedef T " : "T ") : "",
    });
    this.#depth = 0;
    this.#begin(at + 1);
  }

  #closeBlock(at: number): void {
    this.#endStatement(at);
    const block = this.#open.pop();
    if (!block) return;
    endAt(block, at + 1);
    this.#depth = block.depth;
    this.#begin(block.resumeAt ?? at + 1);
    this.#prefix ||= block.trailing;
  }

  #endStatement(at: number): void {
    const header = this.#header(at);
    if (header !== "") this.#define(header, at, this.#source.charAt(at));
    this.#begin(at + 1);
  }

  #define(header: string, at: number, ended: string): readonly Found[] {
    const things = definedBy({ header, block: this.#block(), ended, language: this.#language });
    const start = this.#firstChar(at);
    const found = things.map((thing): Found => ({ ...thing, start, end: at }));
    this.#found.push(...found);
    return found;
  }

  /** Whether a line cannot be the end of a statement, or the next one cannot begin one. */
  #goesOn(at: number): boolean {
    const line = this.#code.slice(Math.max(this.#start, at - 40), at);
    const next = /^\s*/.exec(this.#code.slice(at, at + 200))?.[0].length ?? 0;
    return (
      (/(?:[=+\-*/%&|^<>,.?:]|\b(?:extends|implements|where|in|is|as|throws|async))[ \t]*$/.test(line) &&
        !/(?:\+\+|--|[\w\])]>|[\w\])][?!])[ \t]*$/.test(line)) ||
      /^(?:[,.?:=&|+*/>{]|(?:extends|implements|where|throws|else|satisfies)\b|->)/.test(
        this.#code.slice(at + next, at + next + 12),
      )
    );
  }

  /** A directive of the preprocessor: branches of `#if` begin alike, what is not compiled is passed over. */
  #direct(line: string, at: number): void {
    const [, word = "", rest = ""] = /^\s*#\s*(\w+)[ \t]*([^]*)$/.exec(line) ?? [];
    const name = word === "define" ? /^\w+/.exec(rest)?.[0] : undefined;
    if (name !== undefined) {
      const kind = rest.charAt(name.length) === "(" ? "function" : "variable";
      this.#found.push({ name, kind, container: [], start: at, end: at + line.length });
    } else if (word.startsWith("if")) {
      this.#branches.push({ open: this.#open.slice(0, MAX_DEPTH), depth: this.#depth });
      if (!/^if 0\b/.test(`${word} ${rest}`)) return;
      const end = /^[ \t]*#[ \t]*(?:el|endif)/gm;
      end.lastIndex = at + line.length;
      this.#begin(end.exec(this.#source)?.index ?? this.#source.length);
      this.#events.lastIndex = this.#start;
    } else if (word.startsWith("el")) {
      const branch = this.#branches.at(-1);
      if (!branch) return;
      for (const [i, block] of this.#open.entries()) if (branch.open[i] !== block) endAt(block, at);
      if (this.#open.length !== branch.open.length || this.#depth !== branch.depth) this.#begin(at);
      this.#open.splice(0, this.#open.length, ...branch.open);
      this.#depth = branch.depth;
    } else if (word === "endif") this.#branches.pop();
  }

  #begin(at: number): void {
    this.#start = at;
    this.#prefix = this.#open.at(-1)?.prefix ?? "";
  }
}

function endAt(block: OpenBlock, end: number): void {
  for (const definition of block.definitions) definition.end = end;
}

interface IndentGrammar {
  block: RegExp;
  variable: RegExp;
  /** What is set for good inside a function too. */
  shared?: RegExp;
  /** Names made by a call, as symbols. */
  made?: RegExp;
}

const GRAMMARS: Readonly<Record<"python" | "ruby" | "shell", IndentGrammar>> = {
  python: {
    block: /^(?:async[ \t]+)?(?:def[ \t]+(?<function>[^\W\d]\w*)|class[ \t]+(?<type>[^\W\d]\w*))/u,
    variable:
      /^(?:type[ \t]+)?(?<names>[^\W\d]\w*(?:[ \t]*[,=][ \t]*[^\W\d]\w*(?=[ \t]*[,=]))*)(?:\[[^\]\n]*\])?[ \t]*(?::(?!=)[^=\n]*(?:=(?!=)|$)|=(?!=))/u,
    shared: /^self\.(?<names>[^\W\d]\w*)[ \t]*(?::(?!=)[^=\n]*)?=(?!=)/u,
  },
  ruby: {
    block:
      /^(?:(?:private|protected|public|module_function|private_class_method|memoize)[ \t]+)?(?:def[ \t]+(?:self\.|[A-Z]\w*\.)?(?<function>[^\W\d]\w*[!?=]?)|(?:class|module)[ \t]+(?<type>[A-Z]\w*(?:::[A-Z]\w*)*))/u,
    variable: /^(?<names>[A-Z]\w*)[ \t]*(?:\|\|)?=(?![=~>])|^alias[ \t]+:?(?<alias>[^\W\d]\w*[!?=]?)/u,
    made: /^(?:(?:private|protected|public)[ \t]+)?(?:attr_(?:accessor|reader|writer)|mattr_accessor|cattr_accessor|class_attribute|alias_method|define_method|delegate)[ \t(]+(?<made>.+)$/,
  },
  shell: {
    block: /^(?:function[ \t]+(?<function>[\w:.-]+)|(?<called>[\w:.-]+)[ \t]*\([ \t]*\))/,
    variable: /^(?<names>[\w.-]+)\+?=|^(?:declare|typeset)(?:[ \t]+-\w+)*[ \t]+(?<alias>[\w.-]+)(?:$|=)/,
    shared:
      /^(?:export|readonly|alias|declare[ \t]+-\w*g\w*)(?:[ \t]+-\w+)*[ \t]+(?<names>[\w.-]+)(?:$|=|[ \t])/,
  },
};

/** Lines are read to this length: they begin with what they define. */
const MAX_LINE_CHARS = 2_000;
/** A line that begins a definition ends whatever bracket seems open: one that was never closed hides no more. */
const BEGINS = /^[ \t]*(?:async def|def|class|module)\b/;

function indentDefinitions(code: string, language: "python" | "ruby" | "shell"): Found[] {
  const grammar = GRAMMARS[language];
  const found: Found[] = [];
  const open: { indent: number; block: Found }[] = [];
  for (const { start, end } of logicalLines(code, language)) {
    const line = code.slice(start, Math.min(end, start + MAX_LINE_CHARS));
    const text = line.trim();
    if (text === "") continue;
    const indent = widthOf(line);
    const isEnd = /^(?:end\b|\}|\)|rescue\b|ensure\b|else\b)/.test(text) && language !== "python";
    for (let last = open.at(-1); last && last.indent >= indent; last = open.at(-1)) {
      last.block.end = isEnd ? end : start;
      open.pop();
      if (isEnd && last.indent === indent) break;
    }
    for (const statement of text.split(/;[ \t]*/)) {
      const isMember = open.some(({ block }) => block.kind === "type");
      if (statement.startsWith("self.") && !isMember) continue;
      const { container, kind, names } = read(
        statement,
        grammar,
        open.some(({ block }) => block.kind === "function"),
      );
      const things = names.map((name): Found => ({ name, kind, container, start, end }));
      found.push(...things);
      const [block] = things;
      if (block && kind !== "variable" && !/\bend$/.test(text)) open.push({ indent, block });
    }
  }
  for (const { block } of open) block.end = code.length;
  return found;
}

function read(
  text: string,
  { block, variable, shared, made }: IndentGrammar,
  isLocal: boolean,
): { names: string[]; kind: Found["kind"]; container: string[] } {
  const groups = block.exec(text)?.groups;
  const type = groups?.["type"]?.split("::");
  if (type) return { names: type.slice(-1), kind: "type", container: type.slice(0, -1) };
  const name = groups?.["function"] ?? groups?.["called"];
  if (name !== undefined) return { names: [name], kind: "function", container: [] };
  const set = shared?.exec(text)?.groups ?? (isLocal ? undefined : variable.exec(text)?.groups);
  const symbols = isLocal
    ? []
    : [...(made?.exec(text)?.groups?.["made"] ?? "").matchAll(/:([^\W\d]\w*[!?=]?)/gu)];
  const list = set?.["names"] ?? set?.["alias"] ?? symbols.map(([, symbol]) => symbol).join();
  const names = list
    .split(/[ \t]*[,=][ \t]*/)
    .filter((word) => word !== "" && !/^(?:else|try|finally|lambda)$/.test(word));
  return { names, kind: "variable", container: [] };
}

/** Lines joined where a bracket is still open or a backslash says so. */
function* logicalLines(code: string, language: string): Generator<{ start: number; end: number }> {
  let start = 0;
  let depth = 0;
  for (const match of code.matchAll(language === "shell" ? /\n/g : /[\n([{)\]}]/g)) {
    const char = match[0];
    if (char !== "\n") depth = Math.max(0, depth + ("([{".includes(char) ? 1 : -1));
    else if (code.charAt(match.index - 1) === "\\") continue;
    else if (depth === 0 || BEGINS.test(code.slice(match.index + 1, match.index + 40))) {
      depth = 0;
      yield { start, end: match.index };
      start = match.index + 1;
    }
  }
  if (start < code.length) yield { start, end: code.length };
}

function widthOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char !== " " && char !== "\t") break;
    width += char === "\t" ? 8 - (width % 8) : 1;
  }
  return width;
}

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
const MAX_NESTING = 50;

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
    if (around.length < MAX_NESTING) around.push(one);
  }
  return definitions;
}

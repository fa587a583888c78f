import type { Definition } from "./definition.ts";
import type { NamedThing, Place } from "./brace-syntax.ts";
import type { MaskedSource } from "./mask-source.ts";
import type { BraceGrammar } from "./brace-syntax.ts";
import { C_GRAMMAR } from "./grammar-c.ts";
import { CSHARP_GRAMMAR, JAVA_GRAMMAR } from "./grammar-java.ts";
import { GO_GRAMMAR } from "./grammar-go.ts";
import { JAVASCRIPT_GRAMMAR } from "./grammar-javascript.ts";
import { KOTLIN_GRAMMAR, SWIFT_GRAMMAR } from "./grammar-kotlin.ts";
import type { Language } from "./language-of.ts";
import { PHP_GRAMMAR } from "./grammar-php.ts";
import { RUST_GRAMMAR } from "./grammar-rust.ts";

/** A block that is open: what it belongs to, and what was open around it. */
interface Block {
  place: Place;
  names: readonly string[];
  definitions: Definition[];
  /** Brackets that were open outside. */
  depth: number;
  closer: "}" | ")";
  /** Where the statement began that goes on behind the block, when it stands between brackets. */
  resumeAt: number | undefined;
  /** Its header, for what is named behind its end (`typedef struct { … } name;`). */
  header: string;
}

/** A header is looked at to this length: a declaration names itself early. */
const MAX_HEADER_CHARS = 1500;
const HEADER_TAIL_CHARS = 200;
/** Deeper nesting is not followed: nobody writes it, and hostile files do. */
const MAX_DEPTH = 500;

/** The definitions of a file in a language whose blocks stand in braces. */
export function braceDefinitions(source: MaskedSource, language: BraceLanguage): Definition[] {
  return new BraceWalker(source, language).run();
}

class BraceWalker {
  readonly #code: string;
  readonly #language: BraceLanguage;
  readonly #found: Definition[] = [];
  readonly #atStart = new Map<number, Definition[]>();
  readonly #open: Block[] = [];
  #place: Place = "top";
  #depth = 0;
  #start = 0;
  /** The statement that a line break ended last: a brace on the next line is its block. */
  #before: { header: string; definitions: Definition[]; end: number } | undefined;
  /** The header of the block that was closed last, while nothing followed it. */
  #closed: Block | undefined;

  constructor(source: MaskedSource, language: BraceLanguage) {
    const grammar = BRACE_GRAMMARS[language];
    this.#language = language;
    this.#code = grammar.preprocess ? grammar.preprocess(source, this.#found) : source.code;
  }

  run(): Definition[] {
    const code = this.#code;
    const telling = /[{}()[\];,\n]/g;
    for (let match = telling.exec(code); match; match = telling.exec(code)) {
      const at = match.index;
      switch (match[0]) {
        case "{":
          this.#openBlock(at, "}");
          break;
        case "(":
        case "[":
          if (match[0] === "(" && this.#isGroup(at)) this.#openBlock(at, ")");
          else this.#depth += 1;
          break;
        case ")":
        case "]":
          if (this.#depth > 0) this.#depth -= 1;
          else if (match[0] === ")" && this.#open.at(-1)?.closer === ")") this.#closeBlock(at);
          break;
        case "}":
          this.#closeBlock(at);
          break;
        case ";":
          if (this.#depth === 0) this.#statement(at, ";");
          break;
        case ",":
          if (this.#depth === 0 && BRACE_GRAMMARS[this.#language].commaEnds.includes(this.#place))
            this.#statement(at, ",");
          break;
        default:
          if (this.#depth === 0) this.#lineBreak(at);
      }
    }
    this.#statement(code.length, ";");
    for (const { definitions } of this.#open)
      for (const definition of definitions) definition.end = code.length;
    return this.#found;
  }

  #header(end: number): string {
    const code = this.#code;
    if (end - this.#start <= MAX_HEADER_CHARS) return code.slice(this.#start, end);
    // A long comment before it is blank by now, and no part of it.
    const start = this.#firstChar(end);
    this.#start = start;
    if (end - start <= MAX_HEADER_CHARS) return code.slice(start, end);
    // Its beginning names it and its end tells what follows.
    return `${code.slice(start, start + MAX_HEADER_CHARS - HEADER_TAIL_CHARS)} ${code.slice(end - HEADER_TAIL_CHARS, end)}`;
  }

  /** Where the statement begins, past blanks. */
  #firstChar(end: number): number {
    const telling = /\S/g;
    telling.lastIndex = this.#start;
    return Math.min(telling.exec(this.#code)?.index ?? end, end);
  }

  #isGroup(at: number): boolean {
    return this.#language === "go" && /^\s*(?:var|const|type)\s*$/.test(this.#header(at));
  }

  #openBlock(at: number, closer: Block["closer"]): void {
    const grammar = BRACE_GRAMMARS[this.#language];
    let header = this.#header(at);
    let definitions: Definition[] = [];
    if (header.trim() === "" && this.#before && this.#depth === 0) {
      ({ header, definitions } = this.#before);
      // What was a declaration without a body has one.
    }
    // `struct { … } table[] = {`
    if (this.#closed && this.#depth === 0 && /=\s*$/.test(header.slice(-40)))
      definitions = this.#add(grammar.trailing?.(this.#closed.header, header) ?? [], at);
    const place =
      this.#open.length >= MAX_DEPTH ? "function" : grammar.placeOf(header, this.#place, this.#depth > 0);
    const things = definitions.length > 0 ? [] : this.#things(header, "{");
    if (definitions.length === 0) definitions = this.#add(things, at);
    const own = definitions.at(0);
    const names =
      closer === ")"
        ? []
        : (grammar.containerOf?.(header) ?? (own ? [...(things[0]?.container ?? []), own.name] : []));
    const resumeAt = this.#depth > 0 || grammar.goesOn?.(header) ? this.#start : undefined;
    this.#open.push({ place: this.#place, names, definitions, depth: this.#depth, closer, header, resumeAt });
    this.#place = place;
    this.#depth = 0;
    this.#begin(at + 1);
  }

  #closeBlock(at: number): void {
    this.#statement(at, "}");
    const block = this.#open.pop();
    if (!block) {
      this.#begin(at + 1);
      return;
    }
    for (const definition of block.definitions) definition.end = at + 1;
    this.#place = block.place;
    this.#depth = block.depth;
    this.#begin(block.resumeAt ?? at + 1);
    if (block.resumeAt === undefined) this.#closed = block;
  }

  #lineBreak(at: number): void {
    const grammar = BRACE_GRAMMARS[this.#language];
    if (!grammar.endsAtLineBreak) return;
    const header = this.#header(at);
    if (header.trim() === "") {
      this.#start = at + 1;
      return;
    }
    // A line that cannot be the end of a statement, or a next one that cannot begin one, goes on.
    if (
      /(?:[=+\-*/%&|^<>,.?:([]|=>|\b(?:extends|implements|where|in|is|as|throws|async))[ \t]*$/.test(
        header.slice(-40),
      ) &&
      !/(?:\+\+|--|[\w\])]>|[?!])[ \t]*$/.test(header)
    )
      return;
    if (
      /^\s*(?:[,.?:=&|+*/>]|extends\b|implements\b|where\b|throws\b|else\b|satisfies\b|->)/.test(
        this.#code.slice(at, at + 60),
      )
    )
      return;
    this.#statement(at, "\n");
  }

  #statement(at: number, ended: ";" | "," | "}" | "\n"): void {
    const header = this.#header(at);
    const closed = this.#closed;
    const isBlank = header.trim() === "";
    if (!isBlank || (closed && ended === ";")) {
      const things = isBlank ? [] : this.#things(header, ended);
      const trailing = closed ? (BRACE_GRAMMARS[this.#language].trailing?.(closed.header, header) ?? []) : [];
      const definitions = this.#add([...things, ...trailing], at);
      this.#begin(at + 1);
      if (ended === "\n") this.#before = { header, definitions, end: at };
    } else this.#start = at + 1;
  }

  #things(header: string, ended: ";" | "," | "}" | "{" | "\n"): NamedThing[] {
    if (header.length > 0 && header.trim() === "") return [];
    return BRACE_GRAMMARS[this.#language].define(header, {
      place: this.#place,
      ended,
      isInCall: this.#depth > 0,
      outer: this.#open.at(-1)?.names.at(-1),
      outerHeader: this.#open.at(-1)?.header ?? "",
    });
  }

  #add(things: readonly NamedThing[], end: number): Definition[] {
    if (things.length === 0) return [];
    const outer = this.#open.slice(0, MAX_DEPTH).flatMap(({ names }) => names);
    const start = this.#firstChar(end);
    return things.map(({ name, kind, container = [] }): Definition => {
      // A statement with blocks between its brackets is read again behind each of them.
      const known = this.#atStart.get(start)?.find((definition) => definition.name === name);
      if (known) {
        known.end = end;
        return known;
      }
      const definition = { name, kind, container: [...outer, ...container], start, end };
      this.#found.push(definition);
      this.#atStart.set(start, [...(this.#atStart.get(start) ?? []), definition]);
      return definition;
    });
  }

  #begin(at: number): void {
    this.#start = at;
    this.#before = undefined;
    this.#closed = undefined;
  }
}

/** The languages whose blocks stand in braces. */
type BraceLanguage = Exclude<Language, "python" | "ruby" | "shell">;

/** How each of them defines names. */
const BRACE_GRAMMARS: Readonly<Record<BraceLanguage, BraceGrammar>> = {
  typescript: JAVASCRIPT_GRAMMAR,
  javascript: JAVASCRIPT_GRAMMAR,
  go: GO_GRAMMAR,
  rust: RUST_GRAMMAR,
  java: JAVA_GRAMMAR,
  csharp: CSHARP_GRAMMAR,
  c: C_GRAMMAR,
  cpp: C_GRAMMAR,
  php: PHP_GRAMMAR,
  kotlin: KOTLIN_GRAMMAR,
  swift: SWIFT_GRAMMAR,
};

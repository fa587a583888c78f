import type { ParameterExpansionPart, ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import { parse } from "unbash";
import type { Budget } from "./shell-limits.ts";
import type { ShellState } from "./shell-state.ts";
import type { ShellWord } from "./shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell-word.ts";

/** What expanding a word needs. */
export interface Expansion {
  state: ShellState;
  budget: Budget;
  home: string | undefined;
  /** Runs the substitutions inside of arithmetic, subscripts and operands. */
  runParts(node: SyntaxNode): void;
  /** Reads the script of a substitution, one that is fed perhaps, and tells what it prints, where that can be told. */
  runScript(script: ParsedScript, isFed?: boolean): string | undefined;
}

/** Words longer than this are cut: an option or path is never that long. */
const MAX_WORD_CHARS = 100_000;

/** Lists and ranges give so many words at most; a word with more braces is not told. */
const MAX_BRACED = 64;
const MAX_BRACES = 12;
/** A list or range without quotes and braces in it. */
const BRACES = /\{(?:([^{}'"`\\$()]*,[^{}'"`\\$()]*)|(-?\d{1,5})\.\.(-?\d{1,5}))\}/;

/** The words that a word of a script becomes: none, one or several. */
export function expandWord(word: Word, expansion: Expansion): ShellWord[] {
  const { parts } = word;
  expansion.budget.spend(1);
  const braces = parts?.some(({ type }) => type === "BraceExpansion")
    ? expandBraces(parts, word.pos, word.text)
    : undefined;
  if (braces) return braces.flatMap((text) => expandText(text, expansion));
  const fields = new Fields(expansion.budget);
  if (!parts) fields.add(expandTilde(word.text, word.value, expansion), true);
  else addParts(parts, fields, expansion, word.text.startsWith("~"));
  return fields.done();
}

/** The one word that a word becomes where the shell does not split: values of assignments, targets, patterns. */
export function expandWhole(word: Word, expansion: Expansion): ShellWord {
  const words = expandWord(word, expansion);
  if (words.length === 1 && words[0]) return { ...words[0], isMany: false };
  return words.some((part) => !isKnown(part))
    ? { text: HOLE, isMany: false }
    : knownWord(words.map(({ text }) => text).join(" "));
}

/** The text of a here-document's body whose delimiter is not quoted. */
export function expandBody(parts: readonly WordPart[], expansion: Expansion): ShellWord {
  const fields = new Fields(expansion.budget);
  addQuoted(parts, fields, expansion);
  return { text: fields.done()[0]?.text ?? "", isMany: false };
}

/**
 * The texts that a word with braces stands for, each still to be expanded: `a{b,c}` is `ab` and `ac`. One brace is
 * opened; the others when the texts are expanded in turn. Undefined when it cannot be told.
 */
function expandBraces(parts: readonly WordPart[], wordPos: number, text: string): string[] | undefined {
  const brace = parts.find(({ type }) => type === "BraceExpansion");
  if (!brace || text.split("{").length - 1 > MAX_BRACES) return undefined;
  const at = brace.pos - wordPos;
  const [found, list, from, to] = BRACES.exec(brace.text) ?? [];
  if (found === undefined) return undefined;
  const [first, last] = [Number(from), Number(to)];
  const count = Math.min(Math.abs(last - first), MAX_BRACED) + 1;
  const items =
    list?.split(",") ?? Array.from({ length: count }, (_, i) => String(first + (last < first ? -i : i)));
  if (items.length > MAX_BRACED) return undefined;
  const start = at + brace.text.indexOf(found);
  return items.map((item) => text.slice(0, start) + item + text.slice(start + found.length));
}

function expandText(text: string, expansion: Expansion): ShellWord[] {
  expansion.budget.spend(2 + text.length / 64);
  const [statement] = parse(`: ${text}`).commands;
  if (statement?.command.type !== "Command") return [knownWord(text)];
  return statement.command.suffix.flatMap((item) =>
    item.type === "Word" ? expandWord(item, expansion) : [],
  );
}

function addParts(
  parts: readonly WordPart[],
  fields: Fields,
  expansion: Expansion,
  isHomeFirst: boolean,
): void {
  for (const [i, part] of parts.entries()) {
    switch (part.type) {
      case "Literal":
        fields.add(i === 0 && isHomeFirst ? expandTilde(part.text, part.value, expansion) : part.value, true);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        fields.add(part.value, true);
        break;
      case "Glob":
      case "ExtendedGlob":
        fields.add(part.type === "Glob" ? part.value : "*", true);
        fields.isGlob = true;
        break;
      case "DoubleQuoted":
      case "LocaleString":
        addQuoted(part.parts, fields, expansion);
        break;
      case "ProcessSubstitution":
        fields.add("/dev/fd/63", true);
        fields.stream = (part.script && expansion.runScript(part.script, part.operator === ">")) ?? HOLE;
        break;
      default: {
        const value = valueOf(part, expansion);
        // Where the text sets IFS it is split elsewhere.
        if (!value || expansion.state.variables.has("IFS")) fields.addUnknown();
        else fields.addWords(value, false);
      }
    }
  }
}

function addQuoted(parts: readonly WordPart[], fields: Fields, expansion: Expansion): void {
  fields.add("", true);
  for (const part of parts) {
    if (part.type === "Literal") {
      fields.add(part.value, true);
      continue;
    }
    const value = valueOf(part, expansion);
    const isList = /^\$(?:@|\{@|\{\w+\[@\])/.test(part.text);
    if (!value) {
      if (isList) fields.addUnknown();
      else fields.add(HOLE, true);
    } else if (isList) fields.addWords(value, true);
    else
      fields.add(
        value.map(({ text, isMany }) => (isMany && !text.includes(HOLE) ? HOLE : text)).join(" "),
        true,
      );
  }
}

/** The words behind an expansion, or undefined when they cannot be told. */
function valueOf(part: WordPart, expansion: Expansion): readonly ShellWord[] | undefined {
  const { state, budget } = expansion;
  switch (part.type) {
    case "SimpleExpansion":
      return simpleValue(part.text.slice(1), state);
    case "ParameterExpansion":
      expansion.runParts(part);
      return parameterValue(part, state, (word) => expandWord(word, expansion));
    case "CommandExpansion": {
      budget.spend(1);
      const output = part.script && expansion.runScript(part.script);
      return output === undefined ? undefined : [knownWord(output.replace(/\n+$/, ""))];
    }
    default:
      expansion.runParts(part);
      return undefined;
  }
}

/** The words behind `$name`, or undefined when the text did not set it. */
function simpleValue(name: string, state: ShellState): readonly ShellWord[] | undefined {
  const { positionals, self, variables } = state;
  if (name === "@" || name === "*") return positionals;
  if (name === "0") return [self];
  if (name === "#") return positionals && [knownWord(String(positionals.length))];
  if (/^[1-9]\d?$/.test(name)) return positionals?.slice(Number(name) - 1, Number(name));
  const variable = variables.get(name);
  if (variable) return variable.slice(0, 1);
  if (name === "IFS") return [knownWord(" \t\n")];
  return name === "PWD" && state.cwd !== undefined ? [knownWord(state.cwd)] : undefined;
}

/** The words behind `${…}`; what is done to the value is followed for defaults and elements only. */
function parameterValue(
  part: ParameterExpansionPart,
  state: ShellState,
  expand: (word: Word) => readonly ShellWord[],
): readonly ShellWord[] | undefined {
  if (part.prefix !== undefined) return undefined;
  const { parameter, operation } = part;
  const base = part.index
    ? elementsOf(state.variables.get(parameter), part.index.text)
    : simpleValue(parameter, state);
  if (!operation) return base;
  if (operation.type !== "Default") return undefined;
  const { operator, operand } = operation;
  const isSet = base?.[0] !== undefined && !(operator.startsWith(":") && base[0].text === "");
  if (isSet) return operator.endsWith("+") ? expand(operand) : base;
  // A variable that the text does not set may be set in the session: its default stands behind a hole.
  const words = /[-=]$/.test(operator)
    ? expand(operand).map((word) => ({ ...word, text: HOLE + word.text.replace(/^\//, "//") }))
    : [];
  if (operator.endsWith("=") && words.length > 0) state.variables.set(parameter, words);
  return words.length > 0 ? words : undefined;
}

function elementsOf(
  variable: readonly ShellWord[] | undefined,
  index: string,
): readonly ShellWord[] | undefined {
  if (index === "@" || index === "*") return variable;
  return /^\d{1,4}$/.test(index) ? variable?.slice(Number(index), Number(index) + 1) : undefined;
}

function expandTilde(text: string, value: string, { home }: Expansion): string {
  if (home === undefined || !/^~(?:\/|$)/.test(text)) return value;
  return home + value.slice(1);
}

/** Collects the words that the parts of one word become. */
class Fields {
  readonly #budget: Budget;
  readonly #done: ShellWord[] = [];
  #text = "";
  #isMany = false;
  #isStarted = false;
  isGlob = false;
  stream: string | undefined;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Text that belongs to the word at hand. */
  add(text: string, isWord: boolean): void {
    this.#budget.spend(1 + text.length / 64);
    if (this.#text.length + text.length <= MAX_WORD_CHARS) this.#text += text;
    this.#isStarted ||= isWord;
  }

  /** What cannot be told, and may be none, one or several words. */
  addUnknown(): void {
    this.add(HOLE, true);
    this.#isMany = true;
  }

  /** Words of which the first joins what stands before and the last what follows; outside of quotes parted at blanks. */
  addWords(words: readonly ShellWord[], isQuoted: boolean): void {
    if (isQuoted && words.length === 0 && this.#text === "") this.#isStarted = false;
    for (const [i, word] of words.entries()) {
      if (i > 0) this.#end();
      for (const [j, piece] of (isQuoted ? [word.text] : word.text.split(/[ \t\n]+/)).entries()) {
        if (j > 0) this.#end();
        this.add(piece, isQuoted || piece !== "");
        // A quoted unknown may hold blanks too, once it is expanded without quotes.
        this.#isMany ||= isQuoted ? word.isMany : piece.includes(HOLE);
        this.isGlob ||= !isQuoted && word.isGlob === true && piece !== "";
      }
    }
  }

  done(): ShellWord[] {
    this.#end();
    return this.#done;
  }

  #end(): void {
    if (this.#isStarted)
      this.#done.push({ text: this.#text, isMany: this.#isMany, stream: this.stream, isGlob: this.isGlob });
    this.#text = "";
    this.#isMany = false;
    this.#isStarted = false;
    this.isGlob = false;
    this.stream = undefined;
  }
}

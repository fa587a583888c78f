import { type Budget, MAX_EACH, type ShellState } from "./run-context.ts";
import { type ShellWord, HOLE, isKnown, knownWord, UNKNOWN_WORDS } from "./shell-command.ts";
import type { ParsedScript, SyntaxNode, Word, WordPart } from "unbash";

/** What expanding a word needs. */
export interface Expansion {
  state: ShellState;
  budget: Budget;
  home: string | undefined;
  /** Runs the substitutions inside of arithmetic, subscripts and operands. */
  runParts(node: SyntaxNode): void;
  /** Reads the script of a substitution. Returns its output, where that is known. @param isFed `>(…)` reads input. */
  runScript(script: ParsedScript, isFed?: boolean): string | undefined;
}

/** Longer words are unknown: an option or path is never that long. */
const MAX_WORD_CHARS = 100_000;

/** Expands a word of a script into no word, one or several. What is not literal and not set by the text is a HOLE. */
export function expandWord(word: Word, expansion: Expansion): ShellWord[] {
  const { parts, text } = word;
  expansion.budget.spend(1 + text.length / 64);
  if (!parts) return [knownWord(expandTilde(text, word.value, expansion))];
  if (parts.some(({ type }) => type === "BraceExpansion")) {
    expansion.runParts(word);
    return expandBraces(text, expansion) ?? [UNKNOWN_WORDS];
  }
  const [only] = parts.length === 1 ? parts : [];
  const inner = only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0] : only;
  if (inner && /^\$\{?[@*]\}?$/.test(inner.text))
    return expansion.state.positionals?.slice() ?? [UNKNOWN_WORDS];
  const pieces = parts.map((part, i) => expandPart(part, i === 0 && text.startsWith("~"), expansion));
  const [piece] = pieces;
  if (piece && only && piece.isSplit) {
    const split = piece.text.split(/\s+/).filter((one) => one !== "");
    return split.map((one) => ({ ...piece, text: one, isMany: one.includes(HOLE) }));
  }
  const isMany = pieces.some((one) => one.isMany || (one.isSplit && /\s|^$/.test(one.text)));
  const whole = pieces.map((one) => (one.isSplit && /\s/.test(one.text) ? HOLE : one.text)).join("");
  if (whole.length > MAX_WORD_CHARS) return [UNKNOWN_WORDS];
  const stream = pieces.find((one) => one.stream !== undefined)?.stream;
  return [{ text: whole, isMany, stream, isGlob: pieces.some(({ isGlob }) => isGlob === true) }];
}

/** The one word that a word becomes where the shell does not split: values of assignments, targets, patterns. */
export function expandWhole(word: Word, expansion: Expansion): ShellWord {
  const words = expandWord(word, expansion);
  if (words.length === 1 && words[0]) return { ...words[0], isMany: false };
  return knownWord(words.every(isKnown) ? words.map(({ text }) => text).join(" ") : HOLE);
}

/** The text of quoted parts, as in the body of a here-document. */
export function expandQuoted(parts: readonly WordPart[], expansion: Expansion): string {
  return parts
    .map((part) => (part.type === "Literal" ? part.value : (valueOf(part, expansion)?.text ?? HOLE)))
    .join("");
}

/** One list of plain text in braces: `a{b,c}` is `ab` and `ac`. Undefined for others. */
function expandBraces(text: string, expansion: Expansion): ShellWord[] | undefined {
  const [, before = "", list, after = ""] =
    /^([^{}'"`\\$()]*)\{([^{}'"`\\$()]*,[^{}'"`\\$()]*)\}([^{}'"`\\$()]*)$/.exec(text) ?? [];
  const items = list?.split(",").filter((item) => before + item + after !== "");
  if (!items || items.length > MAX_EACH) return undefined;
  return items.map((item) => {
    const one = expandTilde(before + item + after, before + item + after, expansion);
    return { ...knownWord(one), isGlob: /[*?[]/.test(one) };
  });
}

/** A part of a word. `isSplit`: an unquoted value, which the shell splits at blanks. */
type Piece = ShellWord & { isSplit?: boolean };

function expandPart(part: WordPart, isHome: boolean, expansion: Expansion): Piece {
  switch (part.type) {
    case "Literal":
      return knownWord(isHome ? expandTilde(part.text, part.value, expansion) : part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return knownWord(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return {
        text: expandQuoted(part.parts, expansion),
        isMany: /\$\{?[@*]|\[@\]/.test(part.text),
        // One of the files that a loop goes over.
        isGlob: part.parts.some(({ text }) => expansion.state.variables.get(text.replace(/\W/g, ""))?.isGlob),
      };
    case "Glob":
      return { ...knownWord(part.value), isGlob: true };
    case "ExtendedGlob":
      return { ...knownWord("*"), isGlob: true };
    case "ProcessSubstitution": {
      const output = part.script && expansion.runScript(part.script, part.operator === ">");
      return { ...knownWord("/dev/fd/63"), stream: output ?? HOLE };
    }
    default: {
      const value = valueOf(part, expansion);
      // A text that sets IFS splits elsewhere.
      if (!value || expansion.state.variables.has("IFS")) return UNKNOWN_WORDS;
      return { ...value, isMany: value.isMany || value.text.includes(HOLE), isSplit: true };
    }
  }
}

function valueOf(part: WordPart, expansion: Expansion): ShellWord | undefined {
  switch (part.type) {
    case "SimpleExpansion":
      return variableValue(part.text.slice(1), expansion.state);
    case "ParameterExpansion": {
      expansion.runParts(part);
      const { prefix, index, operation, parameter } = part;
      if (prefix !== undefined || index) return undefined;
      const value = variableValue(parameter, expansion.state);
      if (!operation) return value;
      if (operation.type !== "Default" || operation.operator.includes("+")) return undefined;
      if (value && !(operation.operator.startsWith(":") && value.text === "")) return value;
      // The session may have set a variable that the text does not set: its default follows a hole.
      const { text } = expandWhole(operation.operand, expansion);
      if (operation.operator.includes("?")) return undefined;
      const word = knownWord(HOLE + text.replace(/^\//, "//"));
      if (operation.operator.includes("=")) expansion.state.variables.set(parameter, word);
      return word;
    }
    case "CommandExpansion": {
      expansion.budget.spend(1);
      const output = part.script && expansion.runScript(part.script);
      return output === undefined ? undefined : knownWord(output.replace(/\n+$/, ""));
    }
    default:
      expansion.runParts(part);
      return undefined;
  }
}

function variableValue(name: string, { variables, positionals, cwd }: ShellState): ShellWord | undefined {
  if (/^[1-9]\d?$/.test(name)) return positionals?.[Number(name) - 1];
  const value = variables.get(name);
  if (value) return value;
  if (name === "IFS") return knownWord(" \t\n");
  return name === "PWD" && cwd !== undefined ? knownWord(cwd) : undefined;
}

function expandTilde(text: string, value: string, { home, state }: Expansion): string {
  const [said, user = ""] = /^~([\w-]*)(?=\/|$)/.exec(text) ?? [];
  const isHome = said !== undefined && home !== undefined && (user === "" || home.endsWith(`/${user}`));
  if (/^~[+-]/.test(text))
    return (text[1] === "+" && state.cwd !== undefined ? state.cwd : HOLE) + value.slice(2);
  return isHome ? home + value.slice(said.length) : value;
}

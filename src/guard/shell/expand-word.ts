import type { Assignment, ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import { type ShellWord, HOLE, knownWord } from "./shell-command.ts";

const MAX_WORD_CHARS = 64 * 1024;
const MAX_EACH = 32;

export interface Expansion {
  variables: Map<string, ShellWord>;
  cwd: string | undefined;
  home: string | undefined;
  spend(steps: number): void;
  readLists(node: SyntaxNode): void;
  /** Reads a substitution. Returns what it prints, where that is literal. */
  readScript(script: ParsedScript): string | undefined;
}

/** Sets a variable. An array, an element of one, and a value that is too long are not literal. */
export function assignVariable({ name, value, append, index }: Assignment, expansion: Expansion): ShellWord {
  const { variables } = expansion;
  const before = append ? (variables.get(name)?.text ?? HOLE) : "";
  const word = expandWhole(value, expansion);
  const isOne = value.type === "Word" && !index && before.length + word.text.length <= MAX_WORD_CHARS;
  const set = isOne ? { ...word, text: before + word.text } : knownWord(HOLE);
  variables.set(name, set);
  return set;
}

/** The one word that a word becomes where the shell does not split: values of assignments, targets. */
export function expandWhole(value: Assignment["value"], expansion: Expansion): ShellWord {
  if (value.type === "ArrayValue") return knownWord(HOLE);
  const [word = knownWord(""), ...more] = expandWord(value, expansion);
  return more.length === 0 ? word : knownWord([word, ...more].map(({ text }) => text).join(" "));
}

export function expandWord(word: Word, expansion: Expansion): ShellWord[] {
  const { parts, text, value } = word;
  expansion.spend(1 + text.length / 64);
  if (!parts) return [knownWord(expandTilde(text, value, expansion))];
  if (parts.some(({ type }) => type === "BraceExpansion")) {
    expansion.readLists(word);
    return expandBraces(text, expansion) ?? [knownWord(HOLE)];
  }
  const pieces = parts.map((part, at) => expandPart(part, expansion, at === 0));
  const [only] = pieces;
  // `$X` alone is as many words as its value has.
  if (only && pieces.length === 1 && parts[0]?.type === "SimpleExpansion")
    return only.text.split(/\s+/).flatMap((one) => (one === "" ? [] : { ...only, text: one }));
  const whole = pieces.map((piece) => piece.text).join("");
  if (whole.length > MAX_WORD_CHARS) return [knownWord(HOLE)];
  return [{ text: whole, isGlob: pieces.some(({ isGlob }) => isGlob) }];
}

function expandPart(part: WordPart, expansion: Expansion, isFirst: boolean): ShellWord {
  switch (part.type) {
    case "Literal":
      return knownWord(isFirst ? expandTilde(part.text, part.value, expansion) : part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return knownWord(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return knownWord(expandQuoted(part.parts, expansion));
    case "Glob":
      return { text: part.value, isGlob: true };
    case "SimpleExpansion":
      return variableValue(part.text.slice(1), expansion);
    case "ParameterExpansion": {
      expansion.readLists(part);
      const { prefix, index, operation, parameter } = part;
      if (!prefix && !index && !operation) return variableValue(parameter, expansion);
      const isDefault = operation?.type === "Default" && /[-=]$/.test(operation.operator);
      if (!isDefault || prefix || index) return knownWord(HOLE);
      // `${X:-dist}`: what the text sets, or anything, or this.
      const value = expansion.variables.get(parameter);
      return value ?? knownWord(HOLE + expandWhole(operation.operand, expansion).text);
    }
    case "CommandExpansion": {
      const printed = part.script && expansion.readScript(part.script);
      return knownWord(printed?.replace(/\n+$/, "") ?? HOLE);
    }
    case "ProcessSubstitution":
      if (part.script) expansion.readScript(part.script);
      return knownWord(HOLE);
    default:
      expansion.readLists(part);
      return knownWord(HOLE);
  }
}

/** The text of quoted parts, as in the body of a here-document. */
export function expandQuoted(parts: readonly WordPart[], expansion: Expansion): string {
  return parts
    .map((part) => (part.type === "Literal" ? part.value : expandPart(part, expansion, false).text))
    .join("");
}

function variableValue(name: string, { variables, cwd }: Expansion): ShellWord {
  const value = variables.get(name);
  if (value) return value;
  return knownWord(name === "PWD" && cwd !== undefined ? cwd : HOLE);
}

function expandTilde(text: string, value: string, { home }: Expansion): string {
  return /^~(?:\/|$)/.test(text) && home !== undefined ? home + value.slice(1) : value;
}

/** One list of plain text in braces: `a{b,c}` is `ab` and `ac`. Undefined for others. */
function expandBraces(text: string, expansion: Expansion): ShellWord[] | undefined {
  const [, before = "", list, after = ""] =
    /^([^{}'"`\\$()]*)\{([^{}'"`\\$()]*,[^{}'"`\\$()]*)\}([^{}'"`\\$()]*)$/.exec(text) ?? [];
  const items = list?.split(",").filter((item) => before + item + after !== "");
  if (!items || items.length > MAX_EACH) return undefined;
  return items.map((item) => {
    const one = before + item + after;
    return { text: expandTilde(one, one, expansion), isGlob: /[*?[]/.test(one) };
  });
}

import type { Found } from "./definition.ts";

/** How a language whose layout shows what stands in what defines names. */
interface IndentGrammar {
  /** A definition with a block: `function` or `type`, with the names around it. */
  block: RegExp;
  /** One or several `names` that are set, outside of functions. */
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

/** Lines are looked at to this length: what they define stands at their beginning. */
const MAX_LINE_CHARS = 2_000;
/** A line that begins a definition ends whatever bracket seems open: one that was never closed hides no more. */
const BEGINS = /^[ \t]*(?:async def|def|class|module)\b/;

/** The definitions of a Python, Ruby or shell file. */
export function indentDefinitions(code: string, language: "python" | "ruby" | "shell"): Found[] {
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

import { Composer, type CST, type Document, Parser } from "yaml";

/** YAML that cannot be read, even repaired. */
export class BrokenYaml extends Error {
  readonly line: number;

  /** Where and why, in words: `line 3: …`. */
  get words(): string {
    return `line ${this.line + 1}: ${this.message.split("\n")[0]}`;
  }

  constructor(line: number, message: string) {
    super(message);
    this.name = "BrokenYaml";
    this.line = line;
  }
}

/** A real file nests three or four levels. */
const MAX_NESTING = 64;

/** Aliases in YAML (`*x`) are resolved at most this often: a real memory has none, a bomb has thousands. */
export const MAX_YAML_ALIASES: number = 16;

/** How the library says, by the names of its grammar, that a bracket is not closed. */
const UNCLOSED = /^Flow \w+ in block collection .* end with a (.)$/;

function isTooNested(token: CST.Token | null | undefined, depth = 0): boolean {
  if (token?.type === "document") return isTooNested(token.value);
  if (!token || !("items" in token)) return false;
  const items: readonly CST.CollectionItem[] = token.items;
  return (
    depth > MAX_NESTING ||
    items.some(({ key, value }) => isTooNested(key, depth + 1) || isTooNested(value, depth + 1))
  );
}

/** YAML with its errors. Keys may repeat unless `isStrict`. @throws BrokenYaml when it nests too deep. */
export function openYaml(text: string, isStrict = false): Document.Parsed {
  // The parser goes level by level; the composer calls itself for each, and a full stack ends the process.
  const tokens = [...new Parser().parse(text)];
  if (tokens.some((token) => isTooNested(token))) throw new BrokenYaml(0, "it nests too deep");
  // Pretty errors quote the text around each error, and take four times as long as finding them.
  const composer = new Composer({ uniqueKeys: isStrict, logLevel: "silent", prettyErrors: false });
  const [document] = composer.compose(tokens, true, text.length);
  return document!;
}

/** @throws BrokenYaml with the first error of a document, or when its aliases are too many. */
export function valueOf(document: Document.Parsed, text: string): unknown {
  const [error] = document.errors;
  const conflict = text.search(/^<{7} /m);
  if (error && conflict >= 0) throw new BrokenYaml(lineAt(text, conflict), "a merge conflict (<<<<<<<)");
  if (error)
    throw new BrokenYaml(lineAt(text, error.pos[0]), error.message.replace(UNCLOSED, "$1 is missing"));
  try {
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
  } catch (cause) {
    throw new BrokenYaml(0, cause instanceof Error ? cause.message : String(cause));
  }
}

/** YAML as plain data, aliases and nesting bounded. Bound the size first: broken YAML of 16 KiB takes 250 ms. @throws BrokenYaml */
export function parseYaml(text: string): unknown {
  return valueOf(openYaml(text, true), text);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

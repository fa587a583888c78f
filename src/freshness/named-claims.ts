import { parseClaim } from "../memory/claims/parse-claim.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import type { ClaimCheck, Tree } from "./verdict.ts";

const MAX_NAMES = 30;
/** What is no path of a repository although it has a slash and an ending: a host, a pattern, a placeholder. */
const NO_PATH = /^[^/.]+\.[^/]*[a-z]\/|[\s{}$…]|\]\(|\.\.\./;
/** An identifier that prose does not have: `maxItems`, `MAX_ITEMS`, `Router`, `match()`. */
const IDENTIFIER = /^(?=.*(?:[a-z]\p{Lu}|_|^\p{Lu}\p{Ll}|\)$))[\p{L}_$][\w$]*(?:\(\))?$/u;

/** Paths that a text names, there or not, and identifiers beside the only file of their paragraph. No promises: only shown when gone. */
export function namedClaims(markdown: string, tree: Tree, roots: readonly string[]): string[] {
  const { spans, paths, codeLines } = namedThings(markdown);
  const names = new Set<string>();
  const files = new Map<number, Set<string>>();
  for (const { text, paragraph } of [...spans, ...paths, ...codeLines])
    for (const word of text.split(/\s+/)) {
      const [written = "", symbol] = word.split("::");
      const path = namedPath(written, tree, roots);
      if (path === undefined) continue;
      names.add(`path:${path}`);
      files.set(paragraph, (files.get(paragraph) ?? new Set()).add(path));
      if (symbol !== undefined) names.add(`path:${path}::${symbol}`);
    }
  for (const { text, paragraph } of spans) {
    const [file, ...others] = files.get(paragraph) ?? [];
    if (file !== undefined && others.length === 0 && IDENTIFIER.test(text))
      names.add(`path:${file}::${text.replace("()", "")}`);
  }
  return [...names].filter((name) => parseClaim(name).claim).slice(0, MAX_NAMES);
}

/** A path that is there, or that a repository such as this may have: with an ending, or in a folder that is there. */
function namedPath(written: string, tree: Tree, roots: readonly string[]): string | undefined {
  const path = plainPath(written, roots).replace(/\/$/, "");
  if (NO_PATH.test(path) || !parseClaim(`path:${path}`).claim) return undefined;
  const { kind } = tree.look(path);
  if (!path.includes("/")) return kind === "file" && path.includes(".") ? path : undefined;
  const isLikely = /\.[A-Za-z]\w{0,9}$/.test(path) || tree.look(path.split("/")[0] ?? "").kind === "folder";
  return kind !== "missing" || isLikely ? path : undefined;
}

/** A path as written, from the repository's root, without line numbers and what follows `?` or `#`. */
export function plainPath(written: string, roots: readonly string[]): string {
  const text = written
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?:#L\d+(?:-L?\d+)?|:\d+(?::\d+)?|:\d+-\d+)$/, "")
    .replace(/[?#].*$/, "");
  const root = roots.find((one) => text.startsWith(`${one}/`));
  return root === undefined ? text : text.slice(root.length + 1);
}

/** Whether what a text names is gone, and not merely elsewhere: a file that mentions an identifier may use it only. */
export function isNameGone({ claim, state }: ClaimCheck, tree: Tree): boolean {
  const named = state === "broken" ? parseClaim(claim).claim : undefined;
  if (named?.kind !== "symbol") return named?.kind === "path";
  const read = tree.text(named.path);
  return "text" in read && !read.text.includes(named.symbol.split(/\.|::|#/).at(-1) ?? "");
}

export interface NamedThings {
  spans: CodeSpan[];
  /** Targets of links and what looks like a path outside of code. */
  paths: CodeSpan[];
  codeLines: CodeSpan[];
}

export interface CodeSpan {
  text: string;
  paragraph: number;
}

const MAX_CHARS = 50_000;
const MAX_THINGS = 200;
const MAX_SPAN_CHARS = 200;

/** What is quoted of the user or of a source claims nothing. */
export function namedThings(markdown: string): NamedThings {
  const things: NamedThings = { spans: [], paths: [], codeLines: [] };
  const text = withoutQuotations(markdown.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n"));
  let paragraph = 0;
  let fence: string | undefined;
  let prose: string[] = [];
  const flush = (): void => {
    if (prose.length > 0) readProse(prose.join("\n"), paragraph, things);
    prose = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\s{0,12}(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      else if (line.trim() !== "" && things.codeLines.length < MAX_THINGS)
        things.codeLines.push({ text: line.trim().slice(0, 400), paragraph });
    } else if (mark !== undefined) {
      flush();
      fence = mark;
    } else if (line.trim() === "") {
      flush();
      paragraph += 1;
    } else prose.push(line);
  }
  flush();
  return things;
}

function readProse(text: string, paragraph: number, things: NamedThings): void {
  let bare = text;
  for (const match of text.matchAll(/(`+)([^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g)) {
    const span = (match[2] ?? "").trim();
    bare = bare.replace(match[0], " ".repeat(match[0].length));
    if (span === "" || span.length > MAX_SPAN_CHARS || things.spans.length >= MAX_THINGS) continue;
    things.spans.push({ text: span, paragraph });
  }
  for (const match of bare.matchAll(/\]\(\s*<?([^)\s>]{1,300})/g))
    pushPath(match[1] ?? "", paragraph, things);
  // Bare words count only with a folder and a file ending: "and/or" and "client/server" are no paths.
  for (const match of bare.matchAll(
    /(?<![\w/.@:-])((?:[\w@.()[\]-]+\/)+[\w@.()[\]-]*\w\.[A-Za-z][\w]{0,9})(?![\w/])/g,
  ))
    pushPath(match[1] ?? "", paragraph, things);
}

function pushPath(text: string, paragraph: number, things: NamedThings): void {
  if (things.paths.length < MAX_THINGS && !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(text))
    things.paths.push({ text, paragraph });
}

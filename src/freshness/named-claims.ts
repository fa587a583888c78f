import { lastName, parseClaim } from "../memory/claims/parse-claim.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import type { ClaimCheck, Tree } from "./verdict.ts";

const MAX_NAMES = 30;
/** What is no path of a repository although it has a slash and an ending: a host, a pattern, a placeholder. */
const NO_PATH = /^[^/.]+\.[^/]*[a-z]\/|[\s{}$…]|\]\(|\.\.\./;
/** An identifier that prose does not have: `maxItems`, `MAX_ITEMS`, `Router`, `match()`. */
const IDENTIFIER = /^(?=.*(?:[a-z]\p{Lu}|_|^\p{Lu}\p{Ll}|\)$))[\p{L}_$][\w$]*(?:\(\))?$/u;

/** Paths that a text names, there or not, and identifiers beside the only file of their paragraph. No promises: only shown when gone. */
export function namedClaims(markdown: string, tree: Tree, roots: readonly string[]): string[] {
  const things = namedThings(markdown);
  const names = new Set<string>();
  const files = new Map<number, Set<string>>();
  for (const { text, paragraph } of things)
    for (const word of text.split(/\s+/)) {
      const [written = "", symbol] = word.split("::");
      const path = namedPath(written, tree, roots);
      if (path === undefined) continue;
      names.add(`path:${path}`);
      files.set(paragraph, (files.get(paragraph) ?? new Set()).add(path));
      if (symbol !== undefined) names.add(`path:${path}::${symbol}`);
    }
  for (const { kind, text, paragraph } of things) {
    const [file, ...others] = files.get(paragraph) ?? [];
    if (kind === "span" && file !== undefined && others.length === 0 && IDENTIFIER.test(text))
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
  return "text" in read && !read.text.includes(lastName(named.symbol));
}

/** A code span, a path in a link or in prose, or a line of a code block. */
export interface NamedThing {
  kind: "span" | "path" | "line";
  text: string;
  paragraph: number;
}

const MAX_CHARS = 50_000;
const MAX_THINGS = 300;
const MAX_SPAN_CHARS = 200;

/** What a text names. What is quoted of the user or of a source claims nothing. */
export function namedThings(markdown: string): NamedThing[] {
  const things: NamedThing[] = [];
  const text = withoutQuotations(markdown.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n"));
  let paragraph = 0;
  let fence: string | undefined;
  let prose: string[] = [];
  const flush = (): void => {
    things.push(...thingsOfProse(prose.join("\n")).map((thing) => ({ ...thing, paragraph })));
    prose = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\s{0,12}(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      else if (line.trim() !== "") things.push({ kind: "line", text: line.trim().slice(0, 400), paragraph });
    } else if (mark !== undefined) {
      flush();
      fence = mark;
    } else if (line.trim() === "") {
      flush();
      paragraph += 1;
    } else prose.push(line);
  }
  flush();
  return things.slice(0, MAX_THINGS);
}

const LINK = /\]\(\s*<?([^)\s>]{1,300})/g;
/** Bare words count only with a folder and a file ending: "and/or" and "client/server" are no paths. */
const PATH = /(?<![\w/.@:-])((?:[\w@.()[\]-]+\/)+[\w@.()[\]-]*\w\.[A-Za-z]\w{0,9})(?![\w/])/g;

function thingsOfProse(text: string): Omit<NamedThing, "paragraph">[] {
  const spans: string[] = [];
  const bare = text.replace(/(`+)([^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g, (whole, _, span: string) => {
    spans.push(span.trim());
    return " ".repeat(whole.length);
  });
  const paths = [...bare.matchAll(LINK), ...bare.matchAll(PATH)].map(([, path = ""]) => path);
  return [
    ...spans
      .filter((span) => span !== "" && span.length <= MAX_SPAN_CHARS)
      .map((span) => ({ kind: "span" as const, text: span })),
    ...paths
      .filter((path) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(path))
      .map((path) => ({ kind: "path" as const, text: path })),
  ];
}

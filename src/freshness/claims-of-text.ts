import { type Claim, lastName, parseClaim, formatClaim } from "../memory/claims/parse-claim.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import type { ClaimCheck, Tree, Machine } from "./verdict.ts";
import { assignedValues, isSameValue, checkClaim } from "./check-claim.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

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
function plainPath(written: string, roots: readonly string[]): string {
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
function namedThings(markdown: string): NamedThing[] {
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

interface ExtractionContext {
  tree: Tree;
  machine: Machine;
  /** Root of the repository as the writer may spell it in absolute paths. */
  roots: readonly string[];
  /** The files that git knows or would take in, by path; claims are made about nothing else. */
  files: ReadonlySet<string>;
}

const MAX_PROPOSED = 20;
/** A literal shorter than this is in too many places to mean anything. */
const MIN_LITERAL_CHARS = 6;

/**
 * Claims that a text makes and that hold now: paths, symbols, values, scripts, dependencies, keys.
 * Programs on the PATH differ by machine and are none.
 */
export async function proposeClaims(
  memory: { statement: string; body: string },
  context: ExtractionContext,
): Promise<string[]> {
  const things = namedThings(`${memory.statement}\n\n${memory.body}`);
  const named = things.flatMap(({ kind, text, paragraph }) => {
    const path = kind === "line" ? undefined : pathClaim(text, context)?.path;
    return path === undefined ? [] : [{ path, paragraph }];
  });
  const candidates = things.flatMap((thing): Claim[] => {
    if (thing.kind === "span") return fromSpan(thing, named, context);
    const found = thing.kind === "line" ? fromCommand(thing.text) : pathClaim(thing.text, context);
    return found ? [found] : [];
  });
  const kept = new Map<string, Claim>();
  for (const claim of candidates) {
    if (kept.size >= MAX_PROPOSED) break;
    const reading = parseClaim(formatClaim(claim));
    if (!reading.claim || kept.has(reading.text)) continue;
    if ((await checkClaim(reading.claim, context.tree, context.machine)).state === "kept")
      kept.set(reading.text, reading.claim);
  }
  return withoutImplied([...kept.values()]).map(formatClaim);
}

/** A claim on something inside a file says that the file is there. */
function withoutImplied(claims: readonly Claim[]): Claim[] {
  const inner = new Set(
    claims.flatMap((claim) =>
      claim.kind !== "path" && "path" in claim && !claim.isAbsent ? [claim.path] : [],
    ),
  );
  return claims.filter((claim) => claim.kind !== "path" || !inner.has(claim.path));
}

interface NamedPath {
  path: string;
  paragraph: number;
}

/** The files that a span may be about: those of its paragraph, else the only ones of the text. */
function filesNear(
  { paragraph }: NamedThing,
  named: readonly NamedPath[],
  files: ReadonlySet<string>,
): string[] {
  const own = named.filter((one) => one.paragraph === paragraph);
  const all = new Set((own.length > 0 ? own : named).map(({ path }) => path));
  return own.length > 0 || all.size <= 3 ? [...all].filter((path) => files.has(path)) : [];
}

function pathClaim(
  written: string,
  { roots, files }: ExtractionContext,
): Extract<Claim, { kind: "path" }> | undefined {
  const text = plainPath(written, roots);
  const path = text.replace(/\/$/, "");
  if (path === "" || !parseClaim(`path:${path}`).claim) return undefined;
  const claim = { kind: "path", path, isFolder: false, isAbsent: false } as const;
  if (files.has(path)) return text === path ? claim : undefined;
  // A folder is named with a slash, be it at its end; a lone word is not a folder.
  if (text.includes("/")) {
    for (const file of files) if (file.startsWith(`${path}/`)) return { ...claim, isFolder: true };
    return undefined;
  }
  if (!path.includes(".") || path.startsWith(".")) return undefined;
  const [only, ...others] = [...files].filter((file) => file.endsWith(`/${path}`));
  return only !== undefined && others.length === 0 ? { ...claim, path: only } : undefined;
}

function fromSpan(span: NamedThing, named: readonly NamedPath[], context: ExtractionContext): Claim[] {
  const { text } = span;
  const found = pathClaim(text, context);
  if (found) return [found];
  const [, outer = "", symbol = ""] = /^([^\s:]+\.[A-Za-z]\w*)::?([\w$.#]+)(?:\(\))?$/.exec(text) ?? [];
  const owner = outer === "" ? undefined : pathClaim(outer, context);
  if (owner && !/^\d+$/.test(symbol))
    return [{ kind: "symbol", path: owner.path, symbol, isAbsent: false }, owner];
  const one = fromCommand(text) ?? fromDependency(text);
  if (one) return [one];
  return filesNear(span, named, context.files).flatMap((path) => fromFile(text, path, context) ?? []);
}

function fromFile(text: string, path: string, { tree }: ExtractionContext): Claim | undefined {
  const read = tree.text(path);
  if (!("text" in read)) return undefined;
  const inFile = { path, isAbsent: false };
  const symbol = text.replace(/\(.{0,60}\)$/, "");
  if (/^[\p{L}_$@][\w$]*[!?]?(?:(?:\.|::|#)[\p{L}_$][\w$]*[!?]?)*$/u.test(symbol)) {
    const definitions = findDefinitions(path, read.text);
    if (definitions && findSymbol(definitions, symbol)) return { kind: "symbol", symbol, ...inFile };
    const keys = configKeys(symbol, path);
    if (keys) return { kind: "config", keys, ...inFile };
  }
  const [, name = "", value = ""] = /^["']?([\w$.@-]+)["']?\s*[:=]\s*(.*\S)\s*$/.exec(text) ?? [];
  if (name !== "") {
    const keys = configKeys(name, path);
    const plain = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
    if (keys) return { kind: "config", keys, value: plain, ...inFile };
    const values = assignedValues(path, read.text, name);
    if (values.some((written) => isSameValue(written, value)))
      return { kind: "value", name, value, ...inFile };
  }
  const isInformative = text.length >= MIN_LITERAL_CHARS && /[^\w\s]/.test(text);
  return isInformative && read.text.includes(text)
    ? { kind: "literal", literal: text, ...inFile }
    : undefined;
}

function configKeys(text: string, path: string): string[] | undefined {
  if (!/\.(?:json|jsonc|ya?ml|toml)$/i.test(path)) return undefined;
  const keys = text.split(".");
  return keys.every((key) => key !== "") ? keys : undefined;
}

const MAKE =
  /^(?:\$\s+)?(?:\w{1,60}=\S{0,100}\s+)*make\s+(?:-C\s+(\S{1,200})\s+)?(?:-\S{1,40}\s+)*(\w[\w./-]*)(?![\w./-]*=)/;

/** `npm run lint`, `pnpm test`, `yarn build`, `make lint`, `make -C web lint`. */
function fromCommand(text: string): Claim | undefined {
  const script = { kind: "script", folder: "", isAbsent: false } as const;
  const [, folder = "", target] = MAKE.exec(text) ?? [];
  if (target !== undefined)
    return { ...script, folder: folder.replace(/\/$/, ""), name: target, isMake: true };
  const [, runner, isRun, name] =
    /^(?:\$\s+)?(npm|pnpm|yarn|bun)\s+(?:(run(?:-script)?)\s+)?(?:--?[\w-]+\s+)*([\w@][\w:./@+-]*)/.exec(
      text,
    ) ?? [];
  if (name === undefined) return undefined;
  // npm runs `test` and `start` without being told to run; the others run any script.
  const isScript = isRun !== undefined || runner !== "npm" || /^(?:test|start|stop|restart)$/.test(name);
  return isScript ? { ...script, name } : undefined;
}

/** `react@^18`, `@scope/name@2`. */
function fromDependency(text: string): Claim | undefined {
  const [, name, range] = /^((?:@[\w.~-]+\/)?[A-Za-z][\w.~-]*)@([\^~<>=]*\d[\w.*-]*)$/.exec(text) ?? [];
  return name === undefined || range === undefined
    ? undefined
    : { kind: "dependency", folder: "", name, range, isAbsent: false };
}

import { type Claim, formatClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { assignedValues, isSameValue } from "./assigned-values.ts";
import type { Machine, Tree } from "./verdict.ts";
import { checkClaim } from "./check-claim.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";

interface ExtractionContext {
  tree: Tree;
  machine: Machine;
  /** Root of the repository as the writer may spell it in absolute paths. */
  roots: readonly string[];
  /** The files that git knows or would take in, by path; claims are made about nothing else. */
  files: ReadonlySet<string>;
}

const MAX_PROPOSED: number = 20;
/** A literal shorter than this is in too many places to mean anything. */
const MIN_LITERAL_CHARS = 6;

/**
 * The claims that a text makes about the repository at hand, as far as they hold now: paths that exist, symbols that a
 * file named with them defines, values that it sets, scripts, dependencies, configuration keys, branches. What does not
 * hold is no claim; nor is a program on the PATH, which differs from machine to machine. That a value must be so is said by
 * the writer alone, as a `must:` claim.
 */
export async function proposeClaims(
  memory: { description: string; body: string },
  context: ExtractionContext,
): Promise<string[]> {
  const things = namedThings(`${memory.description}\n\n${memory.body}`);
  const byBaseName = baseNames(context.files);
  const named = new NamedPaths(things, context, byBaseName);
  const candidates: Claim[] = [];
  for (const span of things.spans) candidates.push(...fromSpan(span, named, context));
  for (const { path, isFolder } of named.bare)
    candidates.push({ kind: "path", path, isFolder, isAbsent: false });
  for (const { text } of things.codeLines) candidates.push(...fromCommand(text));
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

class NamedPaths {
  readonly bare: { path: string; isFolder: boolean }[] = [];
  readonly #bySpan = new Map<CodeSpan, string>();
  readonly #byParagraph = new Map<number, string[]>();
  readonly #context: ExtractionContext;
  readonly #byBaseName: ReadonlyMap<string, string | null>;

  constructor(
    things: NamedThings,
    context: ExtractionContext,
    byBaseName: ReadonlyMap<string, string | null>,
  ) {
    this.#context = context;
    this.#byBaseName = byBaseName;
    for (const span of things.spans) {
      const path = this.pathOf(span.text)?.path;
      if (path === undefined) continue;
      this.#bySpan.set(span, path);
      this.#add(span.paragraph, path);
    }
    for (const { text, paragraph } of things.paths) {
      const found = this.pathOf(text);
      if (!found) continue;
      this.bare.push(found);
      this.#add(paragraph, found.path);
    }
  }

  #add(paragraph: number, path: string): void {
    this.#byParagraph.set(paragraph, [...(this.#byParagraph.get(paragraph) ?? []), path]);
  }

  /** The files that a span may be about: those of its paragraph, else the only ones of the text. */
  near(span: CodeSpan): string[] {
    const own = this.#byParagraph.get(span.paragraph);
    const all = [...new Set([...this.#byParagraph.values()].flat())];
    return (own ? [...new Set(own)] : all.length <= 3 ? all : []).filter((path) =>
      this.#context.files.has(path),
    );
  }

  pathOf(written: string): { path: string; isFolder: boolean } | undefined {
    let text = written
      .replace(/^(?:\.\/)+/, "")
      .replace(/(?:#L\d+(?:-L?\d+)?|:\d+(?::\d+)?|:\d+-\d+)$/, "")
      .replace(/[?#].*$/, "");
    for (const root of this.#context.roots)
      if (text.startsWith(`${root}/`)) text = text.slice(root.length + 1);
    const isFolder = text.endsWith("/");
    const path = text.replace(/\/$/, "");
    if (path === "" || !parseClaim(`path:${path}`).claim) return undefined;
    const { files, tree } = this.#context;
    if (files.has(path)) return isFolder ? undefined : { path, isFolder: false };
    // A folder is named with a slash, be it at its end; a lone word is not a folder.
    if (path.includes("/") || isFolder) {
      const look = tree.look(path);
      const holdsFiles = look.kind === "folder" && hasFileUnder(files, path);
      return holdsFiles ? { path, isFolder: true } : undefined;
    }
    const only = path.includes(".") && !path.startsWith(".") ? this.#byBaseName.get(path) : undefined;
    return only ? { path: only, isFolder: false } : undefined;
  }
}

function fromSpan(span: CodeSpan, named: NamedPaths, context: ExtractionContext): Claim[] {
  const { text } = span;
  const isAbsent = false;
  const found = named.pathOf(text);
  if (found) return [{ kind: "path", ...found, isAbsent }];
  const [, outer = "", inner = ""] = /^([^\s:]+\.[A-Za-z]\w*)::?([\w$.#]+)(?:\(\))?$/.exec(text) ?? [];
  const owner = outer === "" ? undefined : named.pathOf(outer);
  if (owner && !/^\d+$/.test(inner))
    return [
      { kind: "symbol", path: owner.path, symbol: inner, isAbsent },
      { kind: "path", ...owner, isAbsent },
    ];
  const command = fromCommand(text);
  if (command.length > 0) return command;
  if (span.before === "branch" || span.after === "branch" || span.after === "branches")
    return [{ kind: "branch", name: text, isAbsent }];
  if (span.before === "script" || span.after === "script")
    return [{ kind: "script", folder: "", name: text, isAbsent }];
  const dependency = fromDependency(text);
  if (dependency) return [dependency];
  return named.near(span).flatMap((path) => fromFile(text, path, context));
}

function fromFile(text: string, path: string, { tree }: ExtractionContext): Claim[] {
  const read = tree.text(path);
  if (!("text" in read)) return [];
  const isAbsent = false;
  const symbol = text.replace(/\(.{0,60}\)$/, "");
  if (/^[\p{L}_$@][\w$]*[!?]?(?:(?:\.|::|#)[\p{L}_$][\w$]*[!?]?)*$/u.test(symbol)) {
    const definitions = findDefinitions(path, read.text);
    if (definitions && findSymbol(definitions, symbol)) return [{ kind: "symbol", path, symbol, isAbsent }];
    const keys = configKeys(symbol, path);
    if (keys) return [{ kind: "config", path, keys, isAbsent }];
  }
  const [, name = "", value = ""] = /^["']?([\w$.@-]+)["']?\s*[:=]\s*(.+)$/.exec(text) ?? [];
  if (name !== "" && value !== "") {
    const keys = configKeys(name, path);
    if (keys) return [{ kind: "config", path, keys, value: unquoted(value), isAbsent }];
    const values = assignedValues(path, read.text, name);
    if (values.some((written) => isSameValue(written, value)))
      return [{ kind: "value", path, name, value: value.trim(), isAbsent }];
  }
  const isInformative = text.length >= MIN_LITERAL_CHARS && /[^\w\s]/.test(text);
  if (isInformative && read.text.includes(text)) return [{ kind: "literal", path, literal: text, isAbsent }];
  return [];
}

function configKeys(text: string, path: string): string[] | undefined {
  if (!/\.(?:json|jsonc|ya?ml|toml)$/i.test(path)) return undefined;
  const keys = text.split(".");
  return keys.every((key) => key !== "") ? keys : undefined;
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();
}

/** `npm run lint`, `pnpm test`, `yarn build`. */
function fromCommand(text: string): Claim[] {
  const [, runner, isRun, name] =
    /^(?:\$\s+)?(npm|pnpm|yarn|bun)\s+(?:(run(?:-script)?)\s+)?(?:--?[\w-]+\s+)*([\w@][\w:./@+-]*)/.exec(
      text,
    ) ?? [];
  if (runner === undefined || name === undefined) return [];
  // npm runs `test` and `start` without being told to run; the others run any script.
  if (isRun === undefined && runner === "npm" && !/^(?:test|start|stop|restart)$/.test(name)) return [];
  return [{ kind: "script", folder: "", name, isAbsent: false }];
}

/** `react@^18`, `@scope/name@2`. */
function fromDependency(text: string): Claim | undefined {
  const [, name, range] = /^((?:@[\w.~-]+\/)?[A-Za-z][\w.~-]*)@([\^~<>=]*\d[\w.*-]*)$/.exec(text) ?? [];
  return name === undefined || range === undefined
    ? undefined
    : { kind: "dependency", folder: "", name, range, isAbsent: false };
}

/** One listing is asked about for many memories. */
const baseNamesOf = new WeakMap<ReadonlySet<string>, Map<string, string | null>>();

/** File names to their path; null where several files share the name. */
function baseNames(files: ReadonlySet<string>): Map<string, string | null> {
  const known = baseNamesOf.get(files);
  if (known) return known;
  const found = new Map<string, string | null>();
  baseNamesOf.set(files, found);
  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    found.set(name, found.has(name) ? null : file);
  }
  return found;
}

function hasFileUnder(files: ReadonlySet<string>, folder: string): boolean {
  for (const file of files) if (file.startsWith(`${folder}/`)) return true;
  return false;
}

interface NamedThings {
  spans: CodeSpan[];
  /** Targets of links and what looks like a path outside of code. */
  paths: { text: string; paragraph: number }[];
  codeLines: { text: string; paragraph: number }[];
}

interface CodeSpan {
  text: string;
  paragraph: number;
  /** The word before and after it, lower case. */
  before: string;
  after: string;
}

const MAX_CHARS = 50_000;
const MAX_THINGS = 200;
const MAX_SPAN_CHARS = 200;

function namedThings(markdown: string): NamedThings {
  const things: NamedThings = { spans: [], paths: [], codeLines: [] };
  const text = markdown.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n");
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
    const before =
      /([\w-]+)[\s*_("']*$/.exec(text.slice(Math.max(0, match.index - 60), match.index))?.[1] ?? "";
    const end = match.index + match[0].length;
    const after = /^[\s*_)"']*([\w-]+)/.exec(text.slice(end, end + 60))?.[1] ?? "";
    things.spans.push({ text: span, paragraph, before: before.toLowerCase(), after: after.toLowerCase() });
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

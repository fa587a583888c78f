import { type Claim, formatClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { assignedValues, isSameValue } from "./assigned-values.ts";
import type { Machine, Tree } from "./verdict.ts";
import { checkClaim } from "./check-claim.ts";
import { type CodeSpan, namedThings, plainPath } from "./named-claims.ts";
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
 * Claims that a text makes and that hold now: paths, symbols, values, scripts, dependencies, keys.
 * Programs on the PATH differ by machine and are none.
 */
export async function proposeClaims(
  memory: { statement: string; body: string },
  context: ExtractionContext,
): Promise<string[]> {
  const things = namedThings(`${memory.statement}\n\n${memory.body}`);
  const named = [...things.spans, ...things.paths].flatMap(({ text, paragraph }) => {
    const found = pathOf(text, context);
    return found ? [{ path: found.path, paragraph }] : [];
  });
  const candidates: Claim[] = [
    ...things.spans.flatMap((span) => fromSpan(span, named, context)),
    ...things.paths.flatMap(({ text }): Claim[] => {
      const found = pathOf(text, context);
      return found ? [{ kind: "path", ...found, isAbsent: false }] : [];
    }),
    ...things.codeLines.flatMap(({ text }) => fromCommand(text)),
  ];
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
  { paragraph }: CodeSpan,
  named: readonly NamedPath[],
  files: ReadonlySet<string>,
): string[] {
  const own = named.filter((one) => one.paragraph === paragraph);
  const all = new Set((own.length > 0 ? own : named).map(({ path }) => path));
  return own.length > 0 || all.size <= 3 ? [...all].filter((path) => files.has(path)) : [];
}

function pathOf(
  written: string,
  { roots, files, tree }: ExtractionContext,
): { path: string; isFolder: boolean } | undefined {
  const text = plainPath(written, roots);
  const isFolder = text.endsWith("/");
  const path = text.replace(/\/$/, "");
  if (path === "" || !parseClaim(`path:${path}`).claim) return undefined;
  if (files.has(path)) return isFolder ? undefined : { path, isFolder: false };
  // A folder is named with a slash, be it at its end; a lone word is not a folder.
  if (path.includes("/") || isFolder) {
    const holdsFiles = tree.look(path).kind === "folder" && hasFileUnder(files, path);
    return holdsFiles ? { path, isFolder: true } : undefined;
  }
  const only = path.includes(".") && !path.startsWith(".") ? baseNames(files).get(path) : undefined;
  return only ? { path: only, isFolder: false } : undefined;
}

function fromSpan(span: CodeSpan, named: readonly NamedPath[], context: ExtractionContext): Claim[] {
  const { text } = span;
  const isAbsent = false;
  const found = pathOf(text, context);
  if (found) return [{ kind: "path", ...found, isAbsent }];
  const [, outer = "", inner = ""] = /^([^\s:]+\.[A-Za-z]\w*)::?([\w$.#]+)(?:\(\))?$/.exec(text) ?? [];
  const owner = outer === "" ? undefined : pathOf(outer, context);
  if (owner && !/^\d+$/.test(inner))
    return [
      { kind: "symbol", path: owner.path, symbol: inner, isAbsent },
      { kind: "path", ...owner, isAbsent },
    ];
  const command = fromCommand(text);
  if (command.length > 0) return command;
  const dependency = fromDependency(text);
  if (dependency) return [dependency];
  return filesNear(span, named, context.files).flatMap((path) => fromFile(text, path, context));
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

const MAKE =
  /^(?:\$\s+)?(?:\w{1,60}=\S{0,100}\s+)*make\s+(?:-C\s+(\S{1,200})\s+)?(?:-\S{1,40}\s+)*(\w[\w./-]*)(?![\w./-]*=)/;

/** `npm run lint`, `pnpm test`, `yarn build`, `make lint`, `make -C web lint`. */
function fromCommand(text: string): Claim[] {
  const [, folder = "", target] = MAKE.exec(text) ?? [];
  if (target !== undefined)
    return [
      { kind: "script", folder: folder.replace(/\/$/, ""), name: target, isMake: true, isAbsent: false },
    ];
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

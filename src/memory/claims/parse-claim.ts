import { LIMITS } from "../limits.ts";

type ClaimReading = { claim: Claim; text: string } | { claim?: never; message: string; remedy: string };

export const CLAIM_FORMS: readonly string[] = [
  "path:src/a.ts",
  "path:src/a.ts::symbol",
  'path:src/a.ts::"literal text"',
  "path:src/a.ts::NAME=value",
  "absent:src/a.ts",
  "script:lint",
  "make:lint",
  "dep:react@^18",
  "branch:main",
  "config:tsconfig.json#compilerOptions.strict=true",
  "command:pnpm",
  "until:2027-01-31",
  "must:path:src/a.ts::NAME=value",
];

const MAX_PATH_CHARS = 300;
const MAX_SYMBOL_CHARS = 200;
const MAX_KEYS = 20;

/** A symbol, or symbols inside each other: `Router.match`, `Foo::bar`, `Set#add`, `valid?`. */
// Made when they are used: V8 reads what names all scripts slowly.
const symbol = (): RegExp =>
  /^[\p{L}_$@][\p{L}\p{N}_$-]*[!?]?(?:(?:\.|#|::)#?[\p{L}_$@][\p{L}\p{N}_$-]*[!?]?)*$/u;
const leadingName = (): RegExp => /^[\p{L}_$@][\p{L}\p{N}_$@.-]*/u;
const DEPENDENCY = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:\/[\w.~-]+)*(?::[\w.~-]+)?$/;

class NoClaim extends Error {}

function need(isValid: boolean, message: string): asserts isValid {
  if (!isValid) throw new NoClaim(message);
}

/** Reads a claim. Never throws: an invalid claim comes back with the reason and what would be a valid one. */
export function parseClaim(text: string): ClaimReading {
  try {
    const claim = readClaim(text);
    const canonical = formatClaim(claim);
    // Escapes make it longer: what is kept has to be read again.
    needShort(canonical, " as it is kept");
    return { claim, text: canonical };
  } catch (error) {
    if (!(error instanceof NoClaim)) throw error;
    const kind = Object.keys(READERS).find((one) => text.slice(0, 30).includes(`${one}:`)) ?? "";
    const forms = CLAIM_FORMS.filter((form) => form.startsWith(kind));
    const remedy = `write it as ${(forms.length > 0 ? forms : CLAIM_FORMS).join(", ")}`;
    return { message: `${quote(text)} is no claim: ${error.message}`, remedy };
  }
}

function needShort(text: string, how = ""): void {
  const limit = LIMITS.claimChars;
  need(text.length <= limit, `it has ${text.length} characters${how}, at most ${limit} are read`);
}

function readClaim(text: string): Claim {
  needShort(text);
  const trimmed = text.trim();
  need(!/[\p{Cc}\u2028\u2029]/u.test(trimmed), "it holds control characters");
  if (trimmed.startsWith(FORMER)) {
    const claim = readClaim(trimmed.slice(FORMER.length));
    need(valueOfClaim(claim) !== undefined, "only a value can be what was");
    return { ...claim, isFormer: true };
  }
  if (trimmed.startsWith("must:")) return readInvariant(trimmed.slice("must:".length));
  const isAbsent = trimmed.startsWith("absent:");
  const rest = isAbsent ? trimmed.slice("absent:".length) : trimmed;
  const [, kind = "", body = ""] = /^(\w+):([^]*)$/.exec(rest) ?? [];
  const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (isAbsent && !read) return { ...readInFile(rest), isAbsent };
  need(read !== undefined, "it begins with no known kind");
  need(!isAbsent || kind !== "until", "a day cannot be absent");
  return { ...read(body), isAbsent };
}

/** Begins a claim that says what was so when the statement beside it was made; set by a repair of a value. */
export const FORMER = "was:";

function readInvariant(text: string): Claim {
  const claim = readClaim(text);
  need(
    !claim.isInvariant && (valueOfClaim(claim) !== undefined || claim.isAbsent),
    "only a value or an absence can be what must be",
  );
  return { ...claim, isInvariant: true };
}

const READERS: Readonly<Record<string, (body: string) => ClaimSubject>> = {
  path: readInFile,
  script: readScript,
  make: (body) => ({ ...readScript(body), isMake: true }),
  dep: readDependency,
  branch: readBranch,
  config: readConfig,
  command: readCommand,
  until: readUntil,
};

function readInFile(body: string): ClaimSubject {
  const at = body.indexOf("::");
  const isFolder = at < 0 && body.endsWith("/");
  const path = readPath(at < 0 ? body.replace(/\/$/, "") : body.slice(0, at));
  if (at < 0) return { kind: "path", path, isFolder };
  const inner = body.slice(at + 2);
  if (inner.startsWith('"')) return { kind: "literal", path, literal: readQuoted(inner) };
  const name = leadingName().exec(inner)?.[0] ?? "";
  if (name !== "" && inner.charAt(name.length) === "=")
    return { kind: "value", path, name, value: readValue(inner.slice(name.length + 1)) };
  need(
    inner.length <= MAX_SYMBOL_CHARS && symbol().test(inner),
    `${quote(inner)} is neither a symbol, nor NAME=value, nor a text in quotes`,
  );
  return { kind: "symbol", path, symbol: inner };
}

/** A path inside of the repository, and not of git's own files. */
function readPath(path: string): string {
  const isOdd = (part: string): boolean => /^\.{0,2}$|^\.git$/i.test(part) || part !== part.trim();
  const isInside =
    path.length <= MAX_PATH_CHARS && !/[\\:*?"<>|]|^~/.test(path) && !path.split("/").some(isOdd);
  need(isInside, `${quote(path)} is no path inside of the repository, with forward slashes and no wildcards`);
  return path;
}

function readFolder(body: string): [folder: string, rest: string] {
  const at = body.indexOf("#");
  return at < 0 ? ["", body] : [readPath(body.slice(0, at)), body.slice(at + 1)];
}

function readScript(body: string): Extract<ClaimSubject, { kind: "script" }> {
  const [folder, name] = readFolder(body);
  const isValid = /^[\w@][\w:./@+-]*$/.test(name) && name.length <= MAX_SYMBOL_CHARS;
  need(isValid, `${quote(name)} is no name of a script`);
  return { kind: "script", folder, name };
}

function readDependency(body: string): ClaimSubject {
  const [folder, rest] = readFolder(body);
  const at = rest.indexOf("@", 1);
  const name = at < 0 ? rest : rest.slice(0, at);
  const range = at < 0 ? undefined : rest.slice(at + 1).trim();
  need(DEPENDENCY.test(name) && name.length <= MAX_SYMBOL_CHARS, `${quote(name)} is no name of a package`);
  const isRange = range === undefined || /^[\w\s.*^~<>=|,+!-]{1,100}$/.test(range);
  need(isRange, `${quote(range ?? "")} is no range of versions`);
  return { kind: "dependency", folder, name, ...(range !== undefined && { range }) };
}

/** Names that git takes for branches (git-check-ref-format), as far as it matters for looking one up. */
function readBranch(name: string): ClaimSubject {
  const isValid =
    /^[^\s~^:?*[\\\p{C}]{1,200}$/u.test(name) &&
    !/(?:^|\/)\.|\.\.|@\{|\/\/|^-|^\/|\/$|\.$|\.lock(?:$|\/)/.test(name);
  need(isValid, `${quote(name)} is no name of a branch`);
  return { kind: "branch", name };
}

const CONFIG_KEY = /^(?:("(?:[^"\\]|\\.)*")|([^\s."=#\\]+))(?:\.(?=.)|(?==|$))/;

function readConfig(body: string): ClaimSubject {
  const [, file = body, inner = ""] = /^([^#]*)#([^]*)$/.exec(body) ?? [];
  const path = readPath(file);
  const isConfig = /\.(?:json|jsonc|json5|ya?ml|toml)$|(?:^|\/)\.[\w-]+rc$/i.test(path);
  need(isConfig, `${quote(path)} is no JSON, YAML or TOML file`);
  const keys: string[] = [];
  let rest = inner;
  for (let key = CONFIG_KEY.exec(rest); key; key = CONFIG_KEY.exec(rest)) {
    keys.push(key[1] === undefined ? (key[2] ?? "") : readQuoted(key[1]));
    rest = rest.slice(key[0].length);
  }
  const isRead = keys.length > 0 && keys.length <= MAX_KEYS && /^(?:=|$)/.test(rest);
  need(isRead, `its key ${quote(inner)} cannot be read`);
  return rest === ""
    ? { kind: "config", path, keys }
    : { kind: "config", path, keys, value: readValue(rest.slice(1)) };
}

function readCommand(name: string): ClaimSubject {
  need(/^[\w][\w.+-]{0,99}$/.test(name), `${quote(name)} is no name of a program`);
  return { kind: "command", name };
}

function readUntil(date: string): ClaimSubject {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === date;
  need(isDay, `${quote(date)} is no day`);
  return { kind: "until", date };
}

function readValue(text: string): string {
  const trimmed = text.trim();
  need(trimmed !== "", 'it names no value; an empty one is ""');
  return trimmed === '""' ? "" : trimmed.startsWith('"') ? readQuoted(trimmed) : trimmed;
}

function readQuoted(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  need(typeof value === "string" && value !== "", `${quote(text)} is no text in quotes`);
  return value;
}

function quote(text: string): string {
  const cut = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return JSON.stringify(cut);
}

export type Claim = ClaimSubject & {
  /** The claim says that this is not so: `absent:path:src/old.ts`. */
  isAbsent: boolean;
  /** The claim says what must be, not what is: `must:path:src/limits.ts::RETRY_LIMIT=3`. Never repaired away. */
  isInvariant?: boolean;
  /** It was so when the statement beside it was made, and is no more. */
  isFormer?: boolean;
};

type ClaimSubject =
  /** A file or folder exists; `isFolder` when the path was written with a slash at its end. */
  | { kind: "path"; path: string; isFolder: boolean }
  /** A file defines a symbol; `Router.match` is `match` inside `Router`. */
  | { kind: "symbol"; path: string; symbol: string }
  | { kind: "literal"; path: string; literal: string }
  | { kind: "value"; path: string; name: string; value: string }
  /** The `package.json` of a folder (`""`: the root) has this script, or its Makefile this target. */
  | { kind: "script"; folder: string; name: string; isMake?: boolean }
  /** A manifest of a folder names this dependency; with a range, the version that it asks for lies in it. */
  | { kind: "dependency"; folder: string; name: string; range?: string }
  | { kind: "branch"; name: string }
  /** A JSON, YAML or TOML file has this key; with a value, it has this value. */
  | { kind: "config"; path: string; keys: string[]; value?: string }
  | { kind: "command"; name: string }
  /** The memory holds to the end of this day, `YYYY-MM-DD`. */
  | { kind: "until"; date: string };

/** The canonical text of a claim: what `parseClaim` reads back as the same claim. */
export function formatClaim(claim: Claim): string {
  const subject = formatSubject(claim);
  const isInFile = "path" in claim && claim.kind !== "config";
  const plain = claim.isAbsent ? `absent:${isInFile ? subject.slice("path:".length) : subject}` : subject;
  return `${claim.isFormer ? FORMER : claim.isInvariant ? "must:" : ""}${plain}`;
}

/** What a claim gives its subject, where it gives a value: only that, or an absence, can be an invariant. */
export function valueOfClaim(claim: Claim): string | undefined {
  switch (claim.kind) {
    case "value":
    case "config":
      return claim.value;
    case "dependency":
      return claim.range;
    case "literal":
      return claim.literal;
    default:
      return undefined;
  }
}

function formatSubject(claim: Claim): string {
  switch (claim.kind) {
    case "path":
      return `path:${claim.path}${claim.isFolder ? "/" : ""}`;
    case "symbol":
      return `path:${claim.path}::${claim.symbol}`;
    case "literal":
      return `path:${claim.path}::${JSON.stringify(claim.literal)}`;
    case "value":
      return `path:${claim.path}::${claim.name}=${quoteIfNeeded(claim.value)}`;
    case "script":
      return `${claim.isMake ? "make" : "script"}:${inFolder(claim.folder)}${claim.name}`;
    case "dependency":
      return `dep:${inFolder(claim.folder)}${claim.name}${claim.range === undefined ? "" : `@${claim.range}`}`;
    case "branch":
      return `branch:${claim.name}`;
    case "config":
      return `config:${claim.path}#${claim.keys.map(formatKey).join(".")}${claim.value === undefined ? "" : `=${quoteIfNeeded(claim.value)}`}`;
    case "command":
      return `command:${claim.name}`;
    default:
      return `until:${claim.date}`;
  }
}

/** The innermost name of a symbol: `match` of `Router.match`. */
export function lastName(symbol: string): string {
  return symbol.split(/\.|::|#/).at(-1) ?? symbol;
}

export function pathOfClaim(claim: Claim): string | undefined {
  return "path" in claim ? claim.path : undefined;
}

function inFolder(folder: string): string {
  return folder === "" ? "" : `${folder}#`;
}

function formatKey(key: string): string {
  return /^[^\s."=#\\]+$/.test(key) ? key : JSON.stringify(key);
}

function quoteIfNeeded(value: string): string {
  return value === "" || value !== value.trim() || value.startsWith('"') || /[\p{C}]/u.test(value)
    ? JSON.stringify(value)
    : value;
}

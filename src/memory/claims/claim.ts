/**
 * What a memory states in a form that can be checked against a working tree: one line of `metadata.claims`.
 * Paths are relative to the repository's root, with forward slashes, without `.` and `..`.
 */
export type Claim = ClaimSubject & {
  /** The claim says that this is not so: `absent:path:src/old.ts`. */
  isAbsent: boolean;
  /** The claim says what must be, not what is: `must:path:src/limits.ts::RETRY_LIMIT=3`. Never repaired away. */
  isInvariant?: boolean;
};

/** What a claim is about. */
export type ClaimSubject =
  /** A file or folder exists; `isFolder` when the path was written with a slash at its end. */
  | { kind: "path"; path: string; isFolder: boolean }
  /** A file defines a symbol; `Router.match` is `match` inside `Router`. */
  | { kind: "symbol"; path: string; symbol: string }
  /** A file holds this text, to the letter. */
  | { kind: "literal"; path: string; literal: string }
  /** A file gives a name this value. */
  | { kind: "value"; path: string; name: string; value: string }
  /** The `package.json` of a folder (`""`: the root) has this script. */
  | { kind: "script"; folder: string; name: string }
  /** A manifest of a folder names this dependency; with a range, the version that it asks for lies in it. */
  | { kind: "dependency"; folder: string; name: string; range?: string }
  /** A branch exists, here or on a remote. */
  | { kind: "branch"; name: string }
  /** A JSON, YAML or TOML file has this key; with a value, it has this value. */
  | { kind: "config"; path: string; keys: string[]; value?: string }
  /** A program of this name is on the PATH. */
  | { kind: "command"; name: string }
  /** The memory holds to the end of this day, `YYYY-MM-DD`. */
  | { kind: "until"; date: string };

/** A claim has so many characters at most. */
export const MAX_CLAIM_CHARS: number = 500;
/** Of one memory so many claims are checked; further ones are unchecked. */
export const MAX_CLAIMS: number = 50;

/** The canonical text of a claim: what `parseClaim` reads back as the same claim. */
export function formatClaim(claim: Claim): string {
  return claim.isInvariant ? `must:${formatPlain(claim)}` : formatPlain(claim);
}

function formatPlain(claim: Claim): string {
  const text = formatSubject(claim);
  if (!claim.isAbsent) return text;
  return isInFile(claim) ? `absent:${text.slice("path:".length)}` : `absent:${text}`;
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
      return `script:${inFolder(claim.folder)}${claim.name}`;
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

/** Whether a claim is about one file of the repository by its path. */
export function isInFile(
  claim: Claim,
): claim is Extract<Claim, { kind: "path" | "symbol" | "literal" | "value" }> {
  return (
    claim.kind === "path" || claim.kind === "symbol" || claim.kind === "literal" || claim.kind === "value"
  );
}

/** The path that a claim names, where it names one. */
export function pathOfClaim(claim: Claim): string | undefined {
  return isInFile(claim) || claim.kind === "config" ? claim.path : undefined;
}

function inFolder(folder: string): string {
  return folder === "" ? "" : `${folder}#`;
}

function formatKey(key: string): string {
  return /^[^\s."=#\\]+$/.test(key) ? key : JSON.stringify(key);
}

/** A value that would not be read back as it is stands in quotes. */
function quoteIfNeeded(value: string): string {
  return value === "" || value !== value.trim() || value.startsWith('"') || /[\p{C}]/u.test(value)
    ? JSON.stringify(value)
    : value;
}

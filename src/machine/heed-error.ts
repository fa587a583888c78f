/**
 * Stable codes of everything that heed refuses.
 *
 * - `invalid-input`: an argument is malformed. data: {argument, value}
 * - `not-found`: no memory of that name or id. data: {handle, suggestions}
 * - `ambiguous`: a handle fits several memories. data: {handle, candidates}
 * - `gate-refused`: a write did not pass a gate, or the wish for it waits. data: {gate, remedy, waits}
 * - `changed-outside`: the file was edited since it was read. data: {file}
 * - `conflict`: a change cannot be taken back since later ones touch the same lines. data: {file, change, diff}
 * - `locked`: another process writes and did not finish in time. data: {lock, waitedMs}
 * - `read-only`: the store belongs to another tool or may not be written. data: {store}
 * - `no-store`: there is no such store here. data: {store}
 * - `git-failed`: a git command failed. data: {args, exitCode, stderr}
 * - `broken-file`: a memory file cannot be read. data: {file, line}
 * - `io-failed`: the file system refused. data: {file, operation}
 * - `unreachable`: the server of a team store does not answer, or refuses the login. data: {server, cause}
 */
export type HeedErrorCode =
  | "invalid-input"
  | "not-found"
  | "ambiguous"
  | "gate-refused"
  | "changed-outside"
  | "conflict"
  | "locked"
  | "read-only"
  | "no-store"
  | "git-failed"
  | "broken-file"
  | "io-failed"
  | "unreachable";

export type ErrorData = Record<string, unknown> & { gate?: GateName };

/** The one error class: a stable code, a message that says what, where and the remedy, and data for machines. */
export class HeedError extends Error {
  readonly code: HeedErrorCode;
  readonly data: Readonly<ErrorData>;

  constructor(code: HeedErrorCode, message: string, data: ErrorData = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "HeedError";
    this.code = code;
    this.data = data;
  }
}

export function invalidInput(argument: string, value: unknown, message: string): HeedError {
  return new HeedError("invalid-input", message, { argument, value });
}

export function ioFailed(operation: string, file: string, message: string, systemCode?: string): HeedError {
  return new HeedError("io-failed", message, { file, operation, systemCode });
}

export function notFound(handle: string | undefined, message: string, suggestions: string[] = []): HeedError {
  return new HeedError("not-found", message, { handle, suggestions });
}

export function refusedBy(gate: GateName, message: string, remedy?: string): HeedError {
  return new HeedError("gate-refused", message, { gate, remedy });
}

/** The names of what refuses a write: first the gates in their order, then other causes. Public. */
export const GATE_NAMES = [
  "schema",
  "secret",
  "hostile",
  "relative-dates",
  "derivable",
  "amendment",
  "tags",
  // Of a write whose quote the user did not type.
  "provenance",
  "claims",
  "verification",
  "guard",
  "store-trust",
  "user-word",
] as const;

export type GateName = (typeof GATE_NAMES)[number];

export type Report = (
  severity: Problem["severity"],
  code: string,
  line: number,
  message: string,
  remedy: string,
) => void;

export function reportTo(problems: Problem[], file: string): Report {
  return (severity, code, line, message, remedy) => {
    problems.push({ file, line, severity, code, message, remedy });
  };
}

/** Trouble with a file as data: one broken file is reported and never hides the others. */
export interface Problem {
  /** Path relative to the store's root, or an absolute one. */
  file: string;
  /** 1-based line, where it can be told. */
  line?: number;
  severity: "error" | "warning";
  /** Stable identifier, for example `no-description`. */
  code: string;
  message: string;
  remedy: string;
}

/** A problem on one line: where, what, and the remedy. */
export function problemWords({ file, line, message, remedy }: Problem): string {
  return `${file}${line === undefined ? "" : `, line ${line}`}: ${message}; ${remedy}`;
}

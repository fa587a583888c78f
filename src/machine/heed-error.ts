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

/** What is said for machines; of `gate-refused`, the gate is one of those that there are. */
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

/**
 * The names of what refuses a write, part of the public contract: first the gates in their order
 * (`write/gate-context.ts`), then other causes.
 */
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

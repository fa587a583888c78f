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

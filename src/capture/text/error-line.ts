import { oneLine } from "./one-line.ts";

/** So much of an output is looked at, from its beginning and its end. */
const MAX_CHARS = 6000;

/** Colours and titles of terminals; from strings, since a pattern may not hold control characters. */
const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const ESCAPES = new RegExp(
  `${ESC}\\[[0-9;?]*[A-Za-z]|${ESC}\\][^${BELL}${ESC}]{0,200}(?:${BELL}|${ESC}\\\\)`,
  "g",
);

/** Looks of a line that says what went wrong, the surest first. */
const TELLING: readonly RegExp[] = [
  /command not found|: not found\b|not recognized as/i,
  /^(?:fatal|npm err! code|error\[[\w-]+\]|error TS\d+|panic:|\[?ERR_\w+)/i,
  /\b(?:E[A-Z]{4,12}|ERR_[A-Z_]+|[A-Z]{2,}\d{3,5}(?:\/[\w-]+)?)\b/,
  /^(?:\w+(?:\.\w+)*(?:Error|Exception)|(?:###? )?Error|error)\b\s*[:[]/,
  /\b(?:no matches found|no such file|permission denied|access denied|refused|cannot|can't|could not|unable to|unknown (?:option|flag|command)|invalid|accepts at most|unexpected|failed|not allowed|timed? ?out|already in use|status code \d{3})\b/i,
  /\berror\b/i,
];

/** Lines that only announce that something went wrong. */
const ANNOUNCES =
  /^(?:husky - .{0,80}|To skip this check.{0,80}|Exit code \d+|Error: Exit code \d+|Chunk ID|Wall time|Process exited|Output:|\[Request interrupted|<\/?tool_use_error>|###? (?:Error|Result)|Traceback \(most recent|Command failed|exit status \d+|Error:?)$|^(?:Exit code|Wall time|Process exited with|Command: |Directory: |(?:npm )?(?:err!|error)? ?A complete log of this run)/i;

/** The line of an output that tells best what went wrong; empty when the output says nothing. */
export function errorLine(output: string): string {
  const text =
    output.length <= MAX_CHARS
      ? output
      : `${output.slice(0, MAX_CHARS / 2)}\n${output.slice(-MAX_CHARS / 2)}`;
  const lines = text
    .replace(ESCAPES, "")
    .replace(/<\/?tool_use_error>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > 3 && !ANNOUNCES.test(line));
  for (const look of TELLING) {
    const found = lines.find((line) => look.test(line));
    if (found !== undefined) return oneLine(found, 240);
  }
  return oneLine(lines.at(-1) ?? "", 240);
}

/** Whether a line says what went wrong, and is not only the last thing that was printed. */
export function isTelling(line: string): boolean {
  return TELLING.some((look) => look.test(line));
}

/**
 * What stays of an error line when it happens again: without paths, numbers, hashes, quoted names' digits and times.
 * Two failures with the same signature are the same symptom.
 */
export function errorSignature(line: string): string {
  return line
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, "<url>")
    .replace(/(?:[a-z]:)?(?:[~.]{0,2}[\\/])[\w.@~<>*\\/-]+/g, "<path>")
    .replace(/\b[0-9a-f]{7,}\b/g, "<id>")
    .replace(/\b(md|ts|e|cs|sqlstate|err|http|code |status )(\d{2,5})\b/g, "$1#$2#")
    .replace(/(?<!#)\b\d+(?:[.:]\d+)*\b(?!#)/g, "<n>")
    .replaceAll("#", "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 160);
}

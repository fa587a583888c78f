import { HeedError } from "../../../heed.ts";
import type { ExitCode } from "../arguments/exit-code.ts";
import { EXIT, EXIT_OF_ERROR } from "../arguments/exit-code.ts";
import type { Output } from "../output/output.ts";
import { didYouMean } from "../arguments/usage-error.ts";
import { styled } from "../output/styled-text.ts";

/**
 * Tells an error and gives its exit code. With `--json` the one value on stdout is `{"error": {code, message, …data}}`,
 * so that a program reads one stream; otherwise the message goes to stderr. A stack is shown with `HEED_DEBUG=1` only.
 */
export function reportError(
  error: unknown,
  out: Output,
  env: Readonly<Record<string, string | undefined>>,
): ExitCode {
  const stack = error instanceof Error ? error.stack : undefined;
  if (error instanceof HeedError) {
    const { code, message, data } = error;
    if (out.isJson) out.answer({ error: { ...data, code, message } }, () => []);
    else out.note([styled("red", "heed: "), message, unsaidSuggestions(error)]);
    if (env["HEED_DEBUG"] === "1" && stack) out.note(styled("dim", stack));
    return EXIT_OF_ERROR[code] ?? EXIT.internal;
  }
  if (isUnwritten(error)) {
    process.stderr.write(`heed: the answer cannot be written (${error.code}); what was asked for is done\n`);
    return EXIT.outside;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (out.isJson) out.answer({ error: { code: "internal", message } }, () => []);
  else {
    out.note([styled("red", "heed: "), `this is a bug in heed: ${message}`]);
    out.note("Run the command again with HEED_DEBUG=1 for details, and report them.");
  }
  if (env["HEED_DEBUG"] === "1" && stack) out.note(styled("dim", stack));
  return EXIT.internal;
}

/** Standard output goes to a file on a disk that is full, or to a device that takes nothing. */
function isUnwritten(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && error.syscall === "write" && !("path" in error);
}

/** Names that the error carries as data but does not mention. */
function unsaidSuggestions({ message, data }: HeedError): string {
  const names = [data["suggestions"], data["candidates"]].find(Array.isArray) ?? [];
  const unsaid = names.filter((name): name is string => typeof name === "string" && !message.includes(name));
  const question = didYouMean(unsaid.slice(0, 3));
  return question !== "" && !/[.?!]$/.test(message) ? `.${question}` : question;
}

import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { HeedError } from "../../../heed.ts";
import { tooLarge } from "../../../machine/regular-file.ts";
import { createInterface } from "node:readline/promises";
import type { Output } from "../output/output.ts";

/** What is given to be written is refused far below this by its gates. */
const MAX_GIVEN_BYTES = 8 * 1024 * 1024;

/**
 * What a person names on a command line, or gives on standard input (`-`), as UTF-8 text of a bounded size; a pipe is meant too.
 *
 * @throws HeedError `io-failed` over the bound; `invalid-input` for what cannot be read.
 */
export async function readGiven(path: string, maxBytes: number = MAX_GIVEN_BYTES): Promise<string> {
  const name = path === "-" ? "standard input" : path;
  const stream: Readable = path === "-" ? process.stdin : createReadStream(path);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the stream.
      if (size > maxBytes) throw tooLarge(name, size, maxBytes);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof HeedError || code === undefined) throw error;
    throw new HeedError("invalid-input", `${name} cannot be read (${code}): give the path of a text file`);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Whether somebody reads the answer and may type one. */
export function canAsk(out: Pick<Output, "isTerminal" | "isJson">): boolean {
  return process.stdin.isTTY && out.isTerminal && !out.isJson;
}

/** What Enter alone means: yes, no, or that it is left open. */
const KEYS = { y: "Y/n", n: "y/N", "": "y/n, Enter decides later" } as const;

/**
 * Asks on the terminal, until the answer is one; undefined without a terminal, so that nothing happens that nobody agreed to.
 *
 * @param options - `enter`: what Enter alone means, default `n`. `showMore`: what `d` shows before it is asked again.
 */
export async function askYesNo(
  question: string,
  { enter = "n", showMore }: { enter?: keyof typeof KEYS; showMore?: () => void } = {},
): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const keys = `${KEYS[enter]}${showMore ? ", d shows the lines" : ""}`;
  for (;;) {
    const answer =
      (await ask(`${question} [${keys}] `, ["y", "yes", "n", "no", ...(showMore ? ["d"] : [])])) || enter;
    if (answer !== "d") return answer === "" ? undefined : answer.startsWith("y");
    showMore?.();
  }
}

/** Asks on the terminal, until the answer is one of these words or Enter alone. */
export async function ask(question: string, words: readonly string[]): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const answer = (await terminal.question(question)).trim().toLowerCase();
      if (answer === "" || words.includes(answer)) return answer;
    }
  } catch {
    // Ctrl-C and Ctrl-D are no answer: what was asked for ends here.
    process.stderr.write("\n");
    return process.exit(130);
  } finally {
    terminal.close();
  }
}

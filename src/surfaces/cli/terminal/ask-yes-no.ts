import { createInterface } from "node:readline/promises";

/**
 * Asks for one of some letters on the terminal; undefined without a terminal, where the input ends, and at Ctrl-C: nobody
 * has said then. Enter is the first, and any other answer asks again.
 */
export async function askOneOf(question: string, letters: readonly string[]): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => {
    terminal.once("SIGINT", () => resolve(undefined));
    terminal.once("close", () => resolve(undefined));
  });
  try {
    for (;;) {
      const answer = await Promise.race([terminal.question(`${question} [${letters.join("/")}] `), ended]);
      if (answer === undefined) return undefined;
      const letter = answer.trim().toLowerCase().slice(0, 1) || letters[0];
      if (letter !== undefined && letters.includes(letter)) return letter;
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Asks on the terminal; without one the answer is no, so that nothing happens that nobody agreed to. */
export async function askYesNo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

import { createInterface } from "node:readline/promises";

/** Asks on the terminal; without one the answer is no, so that nothing happens that nobody agreed to. */
export async function askYesNo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

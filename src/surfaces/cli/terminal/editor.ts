import { mkdtempSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Problem, type WriteResult, HeedError } from "../../../heed.ts";
import { type Invocation, EXIT } from "../arguments/command.ts";
import { MAX_GIVEN_BYTES } from "./read-given.ts";
import { readRegularFile } from "../../../machine/regular-file.ts";
import { bold, red, yellow } from "../output/text.ts";
import { answerWrite, refusalLines } from "./answers.ts";
import { spawnSync } from "node:child_process";

/** What saving an edited text came to: the result of the write, or why the text is no memory. */
export type Saved = WriteResult | { problems: readonly Problem[] };

/**
 * Lets a person edit a text until it passes or they give up. What was typed is never lost: a text that does not pass
 * stays in a file of its own, which is named together with the command that takes it up again.
 */
export async function editUntilAccepted(
  text: string,
  name: string,
  invocation: Invocation,
  save: (text: string) => Promise<Saved>,
): Promise<number> {
  const { out, env } = invocation;
  const file = join(mkdtempSync(join(tmpdir(), "heed-edit-")), `${name}.md`);
  writeFileSync(file, text, { mode: 0o600 });
  let isKept = false;
  try {
    for (let before = text; ;) {
      openEditor(file, env);
      const after = readRegularFile(file, { maxBytes: MAX_GIVEN_BYTES });
      if (after === before) {
        if (isKept) return EXIT.refused;
        out.note("nothing changed");
        return EXIT.done;
      }
      isKept = true;
      const saved = await unlessBroken(save(after));
      if (!("problems" in saved) && saved.outcome !== "refused") {
        isKept = false;
        return answerWrite(saved, invocation);
      }
      if ("problems" in saved) {
        for (const problem of saved.problems)
          out.note([red(`line ${problem.line ?? 1}`), ` ${problem.message} → ${problem.remedy}`]);
      } else if (saved.outcome === "refused") out.note(...refusalLines(saved.refusals));
      if (!askYes("Edit again? [Y/n] ")) return EXIT.refused;
      before = "";
    }
  } catch (error) {
    if (isKept && error instanceof HeedError && error.code === "changed-outside")
      out.note(yellow("The file was changed while you edited; nothing was overwritten."));
    throw error;
  } finally {
    if (isKept) out.note(["your text is kept in ", bold(file)]);
    else rmSync(dirname(file), { recursive: true, force: true });
  }
}

/** A text that is no memory is a reason to edit again, not to give up. */
async function unlessBroken(saving: Promise<Saved>): Promise<Saved> {
  try {
    return await saving;
  } catch (error) {
    if (!(error instanceof HeedError) || error.code !== "broken-file") throw error;
    const line = typeof error.data["line"] === "number" ? error.data["line"] : 1;
    const { message } = error;
    const remedy = "mend it and save again";
    return {
      problems: [{ file: "memory.md", line, severity: "error", code: "broken-file", message, remedy }],
    };
  }
}

/** Asks on the terminal; an empty answer is yes, and no terminal is no. */
function askYes(question: string): boolean {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  process.stderr.write(question);
  const buffer = Buffer.alloc(256);
  const length = readSync(0, buffer, 0, buffer.length, null);
  return length > 0 && /^\s*(y|yes)?\s*$/i.test(buffer.toString("utf8", 0, length));
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens a file in `$VISUAL`, `$EDITOR`, or the platform's own, and waits. Throws `io-failed` when that fails. */
export function openEditor(file: string, env: Environment): void {
  const setting = env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
  const [program = "", ...words] = splitWords(setting);
  const { error, status } = spawnSync(program, [...words, file], { stdio: "inherit" });
  if (error || status !== 0)
    throw new HeedError(
      "io-failed",
      `the editor "${setting}" ${error ? `could not be started (${error.message})` : `ended with code ${status}`}. ` +
        "Set VISUAL or EDITOR to one that waits, for example EDITOR=nano.",
      { operation: "edit", file },
    );
}

/**
 * Splits an editor setting into program and arguments as a shell would (blanks, single and double quotes, backslashes),
 * but expands nothing and runs no shell: a setting must not turn into commands.
 */
export function splitWords(setting: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < setting.length; i++) {
    const char = setting.charAt(i);
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && /["\\]/.test(setting.charAt(i + 1)))
        word += setting.charAt(++i);
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\" && /[\s"'\\]/.test(setting.charAt(i + 1))) {
      word = (word ?? "") + setting.charAt(++i);
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

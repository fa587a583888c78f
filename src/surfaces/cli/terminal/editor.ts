import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type WriteResult, HeedError } from "../../../heed.ts";
import { type Invocation, EXIT } from "../arguments/command.ts";
import { askYesNo, MAX_GIVEN_BYTES } from "./read-given.ts";
import { readRegularFile } from "../../../machine/regular-file.ts";
import { bold, red, yellow } from "../output/text.ts";
import { answerWrite, refusalLines } from "./answers.ts";
import { spawnSync } from "node:child_process";

/** Lets a person edit until the text passes or they give up; a text that does not pass stays in a named file. */
export async function editUntilAccepted(
  text: string,
  name: string,
  invocation: Invocation,
  save: (text: string) => Promise<WriteResult>,
): Promise<number> {
  const { out, env } = invocation;
  const file = privateFile(text, name);
  let isKept = false;
  const sayKept = (): void => out.note(["your text is kept in ", bold(file)]);
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
      const saved = await save(after).catch(brokenText);
      if ("message" in saved)
        out.note([red(`line ${saved.line}`), ` ${saved.message} → fix it and save again`]);
      else if (saved.outcome === "refused") out.note(...refusalLines(saved.refusals));
      else {
        isKept = false;
        return answerWrite(saved, invocation);
      }
      // Ctrl-C and Ctrl-D end heed there and then.
      process.once("exit", sayKept);
      const isAgain = await askYesNo("Edit again?", { enter: "y" });
      process.off("exit", sayKept);
      if (!isAgain) return EXIT.refused;
      before = "";
    }
  } catch (error) {
    if (isKept && error instanceof HeedError && error.code === "changed-outside")
      out.note(yellow("The file was changed while you edited; nothing was overwritten."));
    throw error;
  } finally {
    if (isKept) sayKept();
    else rmSync(dirname(file), { recursive: true, force: true });
  }
}

function privateFile(text: string, name: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "heed-edit-")), `${name}.md`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** A text that is no memory is a reason to edit again, not to give up. */
function brokenText(error: unknown): { message: string; line: number } {
  if (!(error instanceof HeedError) || error.code !== "broken-file") throw error;
  const { message, data } = error;
  return { message, line: typeof data["line"] === "number" ? data["line"] : 1 };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens a file in `$VISUAL`, `$EDITOR` or the platform's own, without a shell, and waits. Throws `io-failed`. */
function openEditor(file: string, env: Environment): void {
  const setting = env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
  const words = setting.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const [program = "", ...flags] = words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  const { error, status } = spawnSync(program, [...flags, file], { stdio: "inherit" });
  if (error || status !== 0)
    throw new HeedError(
      "io-failed",
      `the editor "${setting}" ${error ? `could not be started (${error.message})` : `ended with code ${status}`}. ` +
        "Set VISUAL or EDITOR to one that waits, for example EDITOR=nano.",
      { operation: "edit", file },
    );
}

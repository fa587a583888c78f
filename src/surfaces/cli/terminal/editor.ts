import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type WriteResult, HeedError } from "../../../heed.ts";
import { readRegularFile } from "../../../machine/regular-file.ts";
import { type Invocation, EXIT } from "../arguments/command.ts";
import { answerWrite } from "./answers.ts";
import { MAX_GIVEN_BYTES } from "./read-given.ts";

/** Lets a person edit a copy once, then saves it; a text that does not pass stays in a named file. */
export async function editOnce(
  text: string,
  name: string,
  invocation: Invocation,
  save: (text: string) => Promise<WriteResult>,
): Promise<number> {
  const { out, env } = invocation;
  const file = join(mkdtempSync(join(tmpdir(), "heed-edit-")), `${name}.md`);
  writeFileSync(file, text, { mode: 0o600 });
  let isKept = false;
  try {
    openEditor(file, env);
    const after = readRegularFile(file, { maxBytes: MAX_GIVEN_BYTES });
    if (after === text) {
      out.note("nothing changed");
      return EXIT.done;
    }
    isKept = true;
    const saved = await save(after);
    isKept = saved.outcome === "refused";
    return answerWrite(saved, invocation);
  } finally {
    if (isKept) out.note(`your text is kept in ${file}: correct it, then heed edit ${name} --file ${file}`);
    else rmSync(dirname(file), { recursive: true, force: true });
  }
}

/** Opens a file in `$VISUAL`, `$EDITOR` or the platform's own, without a shell, and waits. Throws `io-failed`. */
function openEditor(file: string, env: Invocation["env"]): void {
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

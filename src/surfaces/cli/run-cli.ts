import { statSync, fstatSync } from "node:fs";
import { resolve } from "node:path";
import type { Heed } from "../../heed.ts";
import { HeedError, openHeed } from "../../heed.ts";
import type { ActingAs } from "./arguments/acting-as.ts";
import { actingAs } from "./arguments/acting-as.ts";
import type { Command } from "./arguments/command.ts";
import { COMMANDS, loadCommand } from "./command-table.ts";
import { EXIT } from "./arguments/exit-code.ts";
import { nearestWords } from "./arguments/nearest-words.ts";
import { Output } from "./output/output.ts";
import type { ParsedArguments } from "./arguments/parsed-arguments.ts";
import { parseCommandLine } from "./arguments/parse-command-line.ts";
import { reportError } from "./terminal/report-error.ts";
import { didYouMean, usageError } from "./arguments/usage-error.ts";
import { renderText } from "./output/styled-text.ts";
import { writeWhole } from "../write-whole.ts";
import type { TextStream } from "./output/output.ts";

/** Runs one command line (without `node` and the script) and resolves to its exit code. Never rejects. */
export async function runCli(words: readonly string[]): Promise<number> {
  const { env } = process;
  // Errors of the command line itself must already come in the shape that was asked for.
  const [stdout, stderr] = [standardStream(1), standardStream(2)];
  let out = new Output({ isJson: words.includes("--json") }, env, stdout, stderr);
  let heed: Heed | undefined;
  let who: ActingAs | undefined;
  try {
    const { command, rest } = await readCommand(words);
    const args = parseCommandLine(command, rest);
    out = new Output({ isJson: args.has("json"), isColourless: args.has("no-color") }, env, stdout, stderr);
    if (args.has("help")) {
      const { helpForCommand } = await import("./terminal/help-text.ts");
      const lines = helpForCommand(command);
      out.answer({ help: lines.map((line) => renderText(line, false)).join("\n") }, () => lines);
      return EXIT.done;
    }
    const cwd = readCwd(args);
    const open = (): Heed => (heed ??= openHeed({ cwd, env }));
    const exitCode = await command.run({
      args,
      out,
      get who() {
        return (who ??= actingAs(env));
      },
      get actor() {
        return this.who.actor;
      },
      env,
      cwd,
      open,
      commands: COMMANDS,
    });
    return exitCode ?? EXIT.done;
  } catch (error) {
    return reportError(error, out, env);
  } finally {
    await heed?.close();
  }
}

/** Finds the command among the words; global flags may stand before it. */
async function readCommand(words: readonly string[]): Promise<{ command: Command; rest: string[] }> {
  let index = 0;
  while (words[index]?.startsWith("-")) index += words[index] === "--cwd" ? 2 : 1;
  const before = words.slice(0, index);
  const isVersion = before.includes("--version") || before.includes("-V");
  const isBare = words[index] === undefined;
  const name = words[index] ?? (isVersion ? "version" : "help");
  const command = await loadCommand(name);
  if (!command) {
    const suggestions = nearestWords(name, Object.keys(COMMANDS));
    throw usageError(
      `there is no command "${name}".${didYouMean(suggestions)} See: heed help`,
      "command",
      name,
      suggestions,
    );
  }
  // `heed --version` and `heed --help` name no command: the word that stands for one is no flag of it.
  const flags = isBare ? before.filter((word) => !/^(--version|-V|--help|-h)$/.test(word)) : before;
  return { command, rest: [...flags, ...words.slice(index + 1)] };
}

function readCwd(args: ParsedArguments): string {
  const given = args.text("cwd");
  if (given === undefined) return process.cwd();
  const cwd = resolve(given);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new HeedError("invalid-input", `--cwd ${given}: there is no such directory.`, {
      argument: "cwd",
      value: given,
    });
  return cwd;
}

/**
 * Standard output or error for an answer. `process.stdout` takes Node several milliseconds to set up, a sixth of its
 * start: a pipe or a file is written to directly, and only a terminal (a character device) gets Node's own stream.
 */
function standardStream(fd: 1 | 2): TextStream {
  if (isCharacterDevice(fd)) return fd === 1 ? process.stdout : process.stderr;
  return { write: (text) => writeWhole(fd, text) };
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

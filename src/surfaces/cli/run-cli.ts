import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Heed } from "../../heed.ts";
import { findPlaces, HeedError, isCommandOfCall, isNewMachine, openHeed, wholeCommand } from "../../heed.ts";
import { asIoFailure } from "../../machine/regular-file.ts";
import { nearestNames } from "../../memory/nearest-names.ts";
import { quoted } from "../remedy-line.ts";
import { mayBeTerminal, writeWhole } from "../standard-streams.ts";
import type { ActingAs } from "./arguments/acting-as.ts";
import { actingAs, assertPerson, NOBODY } from "./arguments/acting-as.ts";
import type { Command, ExitCode, ParsedArguments } from "./arguments/command.ts";
import { EXIT, EXIT_OF_ERROR, didYouMean, usageError } from "./arguments/command.ts";
import { parseCommandLine } from "./arguments/parse-command-line.ts";
import { COMMANDS, loadCommand } from "./command-table.ts";
import { type TextStream, Output, dim, red, renderText } from "./output/output.ts";

declare const __HEED_VERSION__: string;

/**
 * Runs one command line (without `node` and the script); resolves to its exit code. Never rejects. `streams`:
 * default the process's.
 */
export async function runCli(
  words: readonly string[],
  [stdout, stderr]: readonly [TextStream, TextStream] = [standardStream(1), standardStream(2)],
): Promise<number> {
  const { env } = process;
  // Errors of the command line itself must already come in the shape that was asked for.
  let out = new Output({ isJson: words.includes("--json") }, env, stdout, stderr);
  let heed: Heed | undefined;
  let who: ActingAs | undefined;
  try {
    const { command, rest } = await readCommand(words);
    if (command === undefined) {
      out.answer({ version: __HEED_VERSION__, node: process.version }, () => [__HEED_VERSION__]);
      return EXIT.done;
    }
    const args = parseCommandLine(command, rest);
    out = new Output({ isJson: args.has("json"), isColourless: args.has("no-color") }, env, stdout, stderr);
    if (args.has("help")) {
      const { helpForCommand } = await import("./terminal/help-text.ts");
      const lines = helpForCommand(command);
      out.answer({ help: lines.map((line) => renderText(line, false)).join("\n") }, () => lines);
      return EXIT.done;
    }
    const whose = (): ActingAs =>
      (who ??= whoseCommand([command.name, ...decidedBy(command, args, words)], env));
    // A variable moves the state away from what was said and approved here.
    const unmoved = { ...env, HEED_STATE_DIR: undefined, XDG_STATE_HOME: undefined };
    const isSettingUp = (): boolean =>
      whose().actor === NOBODY && [env, unmoved].every((one) => isNewMachine(findPlaces(one)));
    if (!COMMANDS[command.name]?.isFree(args, isSettingUp))
      assertPerson(
        whose(),
        "this decides which memories apply, what heed reads, or whether it runs",
        ["heed", command.name, ...(command.arguments[0]?.words ? args.positionals : [])]
          .map(quoted)
          .join(" "),
      );
    const cwd = readCwd(args);
    let stale: readonly string[] = [];
    const open = (): Heed => (heed ??= openHeed({ cwd, env, onStale: (lines) => (stale = lines) }));
    const exitCode = await command.run({
      args,
      out,
      get who() {
        return whose();
      },
      get actor() {
        return this.who.actor;
      },
      env,
      cwd,
      open,
      commands: COMMANDS,
      load: loadCommand,
    });
    out.note(...stale.map((line) => `heed: ${line}`));
    return exitCode ?? EXIT.done;
  } catch (error) {
    return reportError(error, out, env, who?.doubt);
  } finally {
    await heed?.close();
  }
}

/** The command line that a model may have run in the same words; one that only lists is nobody's word. */
function decidedBy(
  { arguments: [action] }: Command,
  { first }: ParsedArguments,
  words: readonly string[],
): string[] {
  const isList = action?.words?.includes("list") === true && ["", "list"].includes(first);
  return isList ? [] : [wholeCommand(words)];
}

/** Who gives a command. One that stood in a tool call just now is the model's, whatever terminal it was typed into. */
function whoseCommand(names: readonly string[], env: NodeJS.ProcessEnv): ActingAs {
  const who = actingAs(env);
  const named = names.find((name) => isCommandOfCall(findPlaces(env), name, new Date()));
  if (who.doubt !== undefined || named === undefined) return who;
  const doubt = `a model's tool call named ${named.replace(/^(?!heed )/, "heed ")} less than ten minutes ago, and may be what runs here`;
  return { actor: { kind: "model", client: "script" }, doubt };
}

/** Finds the command among the words; global flags may come before it. Without a command for `heed --version`. */
async function readCommand(words: readonly string[]): Promise<{ command?: Command; rest: string[] }> {
  const index = commandAt(words);
  const before = words.slice(0, index);
  const typed = words[index];
  if (typed === undefined && before.some((word) => /^(?:--version|-[vV])$/.test(word))) return { rest: [] };
  const name = typed ?? "help";
  const command = await loadCommand(name);
  if (!command) {
    const suggestions = nearestNames(name, Object.keys(COMMANDS));
    const message = `there is no command "${name}".${didYouMean(suggestions)} See: heed help`;
    throw usageError(message, "command", name, suggestions);
  }
  // `heed --help` names no command: the word that means the command `help` is no flag of it.
  const flags = typed === undefined ? before.filter((word) => !/^(?:--help|-h)$/.test(word)) : before;
  return { command, rest: [...flags, ...words.slice(index + 1)] };
}

function commandAt(words: readonly string[]): number {
  let index = 0;
  while (words[index]?.startsWith("-")) index += words[index] === "--cwd" ? 2 : 1;
  return index;
}

function readCwd(args: ParsedArguments): string {
  const given = args.text("cwd");
  if (given === undefined) return workingDirectory();
  const cwd = resolve(given);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new HeedError("invalid-input", `--cwd ${given}: there is no such directory.`, {
      argument: "cwd",
      value: given,
    });
  return cwd;
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const message = "the current directory is gone: cd to one that is there, or give --cwd DIRECTORY.";
    throw new HeedError("invalid-input", message, { argument: "cwd" });
  }
}

/** Prints an error, as `{"error": {code, message, …data}}` on stdout with `--json`; gives its exit code. */
function reportError(
  thrown: unknown,
  out: Output,
  env: Readonly<Record<string, string | undefined>>,
  doubt: string | undefined,
): ExitCode {
  if (isUnwritten(thrown)) {
    process.stderr.write(unwritten(thrown));
    return EXIT.outside;
  }
  // A path that was given may lead anywhere.
  const error = asIoFailure(thrown, "use", (thrown as NodeJS.ErrnoException | null)?.path ?? "a file");
  const message = error instanceof Error ? error.message : String(error);
  // By its name: what is turned into one here is not of the core's class.
  const known = error instanceof Error && error.name === "HeedError" ? (error as HeedError) : undefined;
  out.complain({ error: { ...known?.data, code: known?.code ?? "internal", message } }, [
    red("heed: "),
    known ? message : `this is a bug in heed: ${message}`,
  ]);
  if (!known) out.note("Run the command again with HEED_DEBUG=1 for details, and report them.");
  // A person who is not taken for one, as under `script`, is told why.
  else if (known.code === "gate-refused" && doubt !== undefined && !message.includes(doubt))
    out.note(dim(`heed cannot confirm that a person typed this (${doubt}), so it counts as a model's.`));
  if (env["HEED_DEBUG"] === "1" && error instanceof Error && error.stack) out.note(dim(error.stack));
  return known ? (EXIT_OF_ERROR[known.code] ?? EXIT.internal) : EXIT.internal;
}

/** Standard output goes to a file on a disk that is full, or to a device that takes nothing. */
function isUnwritten(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && error.syscall === "write" && !("path" in error);
}

/** Writes to a pipe or file directly: `process.stdout` takes Node several milliseconds, a sixth of its start. */
function standardStream(fd: 1 | 2): TextStream {
  if (!mayBeTerminal(fd)) return { write: (text) => writeWhole(fd, text) };
  const stream = fd === 1 ? process.stdout : process.stderr;
  return stream.on("error", (error: NodeJS.ErrnoException) => {
    // A terminal that was closed is the reader's decision and no error.
    if (error.code === "EPIPE") process.exit(0);
    if (fd === 1) process.stderr.write(unwritten(error));
    process.exit(EXIT.outside);
  });
}

function unwritten({ code, message }: NodeJS.ErrnoException): string {
  return `heed: the answer cannot be written (${code ?? message}); the command itself is done\n`;
}

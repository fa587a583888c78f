import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Heed } from "../../heed.ts";
import { HeedError, openHeed } from "../../heed.ts";
import { actingAs } from "./acting-as.ts";
import type { Command } from "./command.ts";
import { COMMANDS, findCommand } from "./command-table.ts";
import { EXIT } from "./exit-code.ts";
import { nearestWords } from "./nearest-words.ts";
import { Output } from "./output.ts";
import type { ParsedArguments } from "./parse-command-line.ts";
import { didYouMean, parseCommandLine, usageError } from "./parse-command-line.ts";
import { reportError } from "./report-error.ts";

/** Runs one command line (without `node` and the script) and resolves to its exit code. Never rejects. */
export async function runCli(words: readonly string[]): Promise<number> {
  const { env } = process;
  // Errors of the command line itself must already come in the shape that was asked for.
  let out = new Output({ isJson: words.includes("--json") }, env, process.stdout, process.stderr);
  let heed: Heed | undefined;
  try {
    const { command, rest } = await readCommand(words);
    const args = parseCommandLine(command, rest);
    out = new Output(
      { isJson: args.has("json"), isColourless: args.has("no-color") },
      env,
      process.stdout,
      process.stderr,
    );
    if (args.has("help")) {
      const { helpForCommand } = await import("./help-text.ts");
      out.answer({ help: helpForCommand(command).text }, () => helpForCommand(command).lines);
      return EXIT.done;
    }
    const cwd = readCwd(args);
    const open = (): Heed => (heed ??= openHeed({ cwd, env }));
    const exitCode = await command.run({ args, out, actor: actingAs(env).actor, env, cwd, open });
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
  const name = words[index];
  if (name === undefined) {
    const isVersion = before.includes("--version") || before.includes("-V");
    const command = await findCommand(isVersion ? "version" : "help");
    return { command, rest: before.filter((word) => !/^(--version|-V|--help|-h)$/.test(word)) };
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    const suggestions = nearestWords(name, Object.keys(COMMANDS));
    throw usageError(
      `there is no command "${name}".${didYouMean(suggestions)} See: heed help`,
      "command",
      name,
      suggestions,
    );
  }
  return { command: await findCommand(name), rest: [...before, ...words.slice(index + 1)] };
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

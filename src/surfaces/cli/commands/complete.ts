import type { Command, Completes, Invocation, OptionSpecs } from "../arguments/command.ts";
import { GLOBAL_OPTIONS } from "../arguments/global-options.ts";
import { HELP_TOPICS } from "../terminal/help-topics.ts";
import { oneLine } from "../output/styled-text.ts";

/** Candidates beyond this many help nobody. */
const MAX_CANDIDATES = 200;

/** `heed __complete WORDS…`: what completion scripts call. Prints nothing when it does not know. */
export const command: Command = {
  name: "__complete",
  summary: "print the candidates for the last word",
  arguments: [{ name: "WORD", isRest: true, isOptional: true }],
  options: {},
  async run(invocation) {
    const words = [...invocation.args.positionals];
    const typed = words.pop() ?? "";
    const candidates = (await candidatesFor(words, typed, invocation))
      .map(oneLine)
      .filter((candidate) => candidate !== "" && candidate.startsWith(typed))
      .slice(0, MAX_CANDIDATES);
    invocation.out.answer({ candidates }, () => candidates);
  },
};

async function candidatesFor(
  before: readonly string[],
  typed: string,
  invocation: Invocation,
): Promise<string[]> {
  const [name] = before;
  const { commands } = invocation;
  if (name === undefined) return Object.keys(commands);
  const loaded = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
  if (!loaded) return [];
  const { arguments: specs, options } = loaded.command;
  const flags: OptionSpecs = { ...options, ...GLOBAL_OPTIONS };
  const flag = flags[before.at(-1)?.replace(/^--/, "") ?? ""];
  if (flag?.value !== undefined && before.at(-1)?.startsWith("--"))
    return [...(flag.words ?? []), ...(await candidatesOf(flag.completes, invocation))];
  if (typed.startsWith("-")) return Object.keys(flags).map((word) => `--${word}`);
  const position = before.slice(1).filter((word) => !word.startsWith("-")).length;
  const spec = specs[Math.min(position, specs.length - 1)];
  if (!spec || (position >= specs.length && !spec.isRest)) return [];
  return [...(spec.words ?? []), ...(await candidatesOf(spec.completes, invocation))];
}

async function candidatesOf(what: Completes | undefined, { open, commands }: Invocation): Promise<string[]> {
  switch (what) {
    case "memory":
      return (await open().memories.list()).map(({ name }) => name);
    case "pending":
      return (await open().inbox.list()).map(({ name }) => name);
    case "type":
      return open()
        .memories.types()
        .map(({ name }) => name);
    case "command":
      return [...Object.keys(commands), ...Object.keys(HELP_TOPICS)];
    default:
      // Directories and files: the shell knows better.
      return [];
  }
}

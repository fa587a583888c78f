import { AGENT_VARIABLES } from "../../processes.ts";
import type { Command, Invocation, OptionSpecs } from "../arguments/command.ts";
import { COMMAND_GROUPS, EXIT, EXIT_MEANINGS } from "../arguments/command.ts";
import { GLOBAL_OPTIONS, usageLine } from "../arguments/parse-command-line.ts";
import { type Text, bold, cyan, dim, alignTable } from "../output/output.ts";

/** The commands by group: on the first screen what people need, with `isAll` every one. */
export function overview(commands: Invocation["commands"], isAll: boolean): Text[] {
  const groups = Object.entries(COMMAND_GROUPS).filter(([group]) => isAll || group !== "more");
  return [
    [bold("heed"), ": typed memory for coding agents"],
    "",
    [bold("usage"), "  heed COMMAND [ARGUMENTS] [flags]"],
    [bold("start"), "  heed init                 make a store, connect your clients"],
    ['       heed write --type feedback "never …" --reason "…"'],
    ...groups.flatMap(([group, about]): Text[] => [
      "",
      [bold(group), isAll ? dim(`  ${about}`) : ""],
      ...indented(
        Object.entries(commands)
          .filter(([, entry]) => entry.group === group)
          .map(([name, { summary }]) => [cyan(name.padEnd(7)), summary]),
      ),
    ]),
    "",
    ...(isAll
      ? [[bold("everywhere")], ...optionLines(GLOBAL_OPTIONS), ""]
      : [dim("heed help COMMAND: flags and examples   heed help --all: every command, topics")]),
    isAll
      ? dim(`heed help COMMAND tells more; topics: ${Object.keys(HELP_TOPICS).join(", ")}`)
      : dim("https://github.com/heed-memory/heed#readme"),
  ];
}

/** Everything about one command. */
export function helpForCommand(command: Command): Text[] {
  return [
    [bold(usageLine(command))],
    `  ${command.summary}`,
    ...(command.details ? ["", ...command.details] : []),
    ...(Object.keys(command.options).length > 0 ? ["", bold("flags"), ...optionLines(command.options)] : []),
    ...(command.examples
      ? ["", bold("examples"), ...command.examples.map((example): Text => `  ${example}`)]
      : []),
    ...(command.json
      ? ["", bold("--json"), ...command.json.split("; ").map((shape): Text => `  ${shape}`)]
      : []),
  ];
}

function optionLines(options: OptionSpecs): Text[] {
  return indented(
    Object.entries(options).map(([name, { short, value, help, isList, goesWith }]) => [
      cyan(`${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`),
      `${goesWith ? `with ${goesWith.join(" or ")}: ` : ""}${help}${isList ? " (repeatable)" : ""}`,
    ]),
  );
}

function indented(rows: readonly (readonly Text[])[]): Text[] {
  return alignTable(["", ""], rows, { hasHeader: false }).map((line): Text => ["  ", line]);
}

/** Pages by the word under which `heed help` finds them. */
export const HELP_TOPICS: Readonly<Record<string, readonly Text[]>> = {
  "exit-codes": Object.entries(EXIT).map(
    ([name, code]) => `${String(code).padStart(2)}  ${EXIT_MEANINGS[name as keyof typeof EXIT]}`,
  ),
  json: [
    "With --json every command prints exactly one JSON value on stdout, errors included, and nothing else there.",
    "heed help COMMAND shows the value of a command. Of errors:",
    "",
    '  {"error": {"code", "message", ...}}   the exit code tells the kind',
  ],
  claims: [
    "A claim is something in a memory that heed can check. heed adds those that the text makes in code spans, links and",
    "paths, if they are true; --claim adds more. Paths are relative to the repository's root.",
    "",
    "path:src/a.ts                                     the file exists; a folder with a slash at its end",
    "path:src/a.ts::match                              the file defines match; Router.match: inside Router",
    'path:src/a.ts::"some text"                        the file contains this text',
    "path:src/a.ts::MAX_RETRIES=5                      the file gives the name this value",
    "absent:src/old.ts                                 it does not exist; likewise absent:dep:moment",
    "script:lint                                       package.json has the script; script:packages/web#build",
    "dep:react@^18                                     a manifest asks for a version in the range; dep:react: for any",
    "branch:main                                       the branch exists, here or on a remote",
    "config:tsconfig.json#compilerOptions.strict=true  a JSON, YAML or TOML file has the key, with the value",
    "command:pnpm                                      the program is on the PATH",
    "until:2027-01-31                                  true until the end of that day",
    "",
    "heed check --confirm NAME checks them, --fix NAME updates those that moved.",
  ],
  environment: [
    "HEED_DIR         the user store                       HEED_STATE_DIR   inbox, receipts, sessions",
    "HEED_CACHE_DIR   search indexes (derived)             HEED_CONFIG_DIR  configuration",
    "HEED_DEBUG=1     print an error's stack",
    "NO_COLOR         no colour                            FORCE_COLOR      colour also in a pipe",
    "",
    "A command counts as yours in a terminal that no agent started. In scripts, pipes and an agent's shell tool it",
    "counts as a model's. An agent is recognised by the processes above, and by:",
    `  ${[...AGENT_VARIABLES.map(([variable]) => variable), "AI_AGENT, AGENT"].join(", ")}`,
  ],
};

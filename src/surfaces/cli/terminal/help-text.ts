import type { Command, CommandEntry, OptionSpecs } from "../arguments/command.ts";
import { COMMAND_GROUPS } from "../arguments/command.ts";
import { GLOBAL_OPTIONS } from "../arguments/global-options.ts";
import { HELP_TOPICS } from "./help-topics.ts";
import { usageLine } from "../arguments/parse-command-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { alignTable } from "../output/table.ts";

/** The overview: every command in one line, by group. */
export function helpForAll(commands: Readonly<Record<string, CommandEntry>>): Text[] {
  return [
    [
      styled("bold", "heed"),
      ": typed memory for coding agents. The type of a memory decides what happens to it.",
    ],
    "",
    ...Object.entries(COMMAND_GROUPS).flatMap(([group, about]): Text[] => [
      [styled("bold", group), styled("dim", `  ${about}`)],
      ...indented(
        Object.entries(commands)
          .filter(([, entry]) => entry.group === group)
          .map(([name, { summary }]) => [styled("cyan", name.padEnd(10)), summary]),
      ),
    ]),
    "",
    [styled("bold", "everywhere")],
    ...optionLines(GLOBAL_OPTIONS),
    "",
    styled("dim", `heed help COMMAND tells more; topics: ${Object.keys(HELP_TOPICS).join(", ")}`),
  ];
}

/** Everything about one command. */
export function helpForCommand(command: Command): Text[] {
  return [
    [styled("bold", usageLine(command))],
    `  ${command.summary}`,
    ...(command.details ? ["", ...command.details] : []),
    ...(Object.keys(command.options).length > 0
      ? ["", styled("bold", "flags"), ...optionLines(command.options)]
      : []),
    "",
    styled("bold", "everywhere"),
    ...optionLines(GLOBAL_OPTIONS),
    ...(command.examples
      ? ["", styled("bold", "examples"), ...command.examples.map((example): Text => `  ${example}`)]
      : []),
  ];
}

function optionLines(options: OptionSpecs): Text[] {
  return indented(
    Object.entries(options).map(([name, { short, value, help, isList }]) => [
      styled("cyan", `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`),
      `${help}${isList ? " (repeatable)" : ""}`,
    ]),
  );
}

function indented(rows: readonly (readonly Text[])[]): Text[] {
  return alignTable([{ title: "" }, { title: "" }], rows, { hasHeader: false }).map((line): Text => [
    "  ",
    line,
  ]);
}

import type { OptionSpecs } from "./command.ts";

/** The flags of every command. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  json: { help: "answer with one JSON value on stdout" },
  cwd: { value: "DIR", completes: "directory", help: "work as if started in this directory" },
  "no-color": { help: "no colour, also on a terminal (so does NO_COLOR=1)" },
  help: { short: "h", help: "show help for the command" },
};

import type { Command } from "../arguments/command.ts";
import { diffLines } from "../terminal/write-answer.ts";

/** `heed diff` */
export const command: Command = {
  name: "diff",
  summary: "what a change did to a memory",
  arguments: [
    { name: "NAME", completes: "memory" },
    { name: "CHANGE", isOptional: true },
  ],
  options: {},
  details: ["Against the state before CHANGE (see heed log); default: before its last change."],
  async run({ args, out, open }) {
    const [handle = "", change] = args.positionals;
    const diff = await open().history.diff(handle, { change });
    out.answer({ diff }, () => diffLines(diff));
  },
};

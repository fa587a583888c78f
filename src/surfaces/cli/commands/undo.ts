import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";

/** `heed undo` */
export const command: Command = {
  name: "undo",
  summary: "take a change back",
  arguments: [{ name: "CHANGE", isOptional: true }],
  options: {},
  details: ["Default: the last one. The undo is a change of its own, so that it can be undone too."],
  async run({ args, out, actor, open }) {
    answerChange(out, await open().history.undo({ change: args.positionals[0] }, actor));
  },
};

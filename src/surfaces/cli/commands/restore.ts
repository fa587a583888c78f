import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";

/** `heed restore` */
export const command: Command = {
  name: "restore",
  summary: "bring a removed memory back",
  arguments: [{ name: "NAME" }],
  options: {},
  async run({ args, out, actor, open }) {
    const [handle = ""] = args.positionals;
    answerChange(out, await open().memories.restore(handle, actor));
  },
};

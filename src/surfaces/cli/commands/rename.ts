import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";

/** `heed rename` */
export const command: Command = {
  name: "rename",
  summary: "give a memory another name",
  arguments: [{ name: "NAME", completes: "memory" }, { name: "NEW-NAME" }],
  options: {},
  async run({ args, out, actor, open }) {
    const [handle = "", newName = ""] = args.positionals;
    answerChange(out, await open().memories.rename(handle, newName, actor));
  },
};

import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";

/** `heed remove` */
export const command: Command = {
  name: "remove",
  summary: "remove a memory, with the reason",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    reason: { value: "TEXT", short: "r", help: "why; kept with the removed memory" },
  },
  details: [
    "A removed memory is kept among the tombstones: heed restore brings it back, and it is not written again unseen.",
  ],
  examples: ['heed remove staging-db --reason "staging was shut down"'],
  async run({ args, out, actor, open }) {
    const [handle = ""] = args.positionals;
    answerChange(out, await open().memories.remove(handle, args.text("reason") ?? "no reason given", actor));
  },
};

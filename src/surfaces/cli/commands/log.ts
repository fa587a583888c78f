import { changeRows } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";

/** `heed log` */
export const command: Command = {
  name: "log",
  summary: "when and why memories changed",
  arguments: [{ name: "NAME", isOptional: true, completes: "memory" }],
  options: { limit: { value: "N", short: "n", help: "at most this many (1 to 10000, default 50)" } },
  details: ["Newest first; of one memory, or of all. In a pipe, cells are separated by tabs."],
  async run({ args, out, open }) {
    const changes = await open().history.list({
      handle: args.positionals[0],
      limit: args.count("limit", { min: 1, max: 10_000 }),
    });
    out.answer({ changes }, () =>
      changes.length === 0 ? (out.isTerminal ? ["No changes yet."] : []) : changeRows(out, changes),
    );
  },
};

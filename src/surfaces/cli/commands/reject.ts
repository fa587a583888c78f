import type { Command } from "../arguments/command.ts";
import { styled } from "../output/styled-text.ts";

/** `heed reject` */
export const command: Command = {
  name: "reject",
  summary: "drop a waiting memory",
  arguments: [{ name: "NAME", completes: "pending" }],
  options: {
    reason: { value: "TEXT", short: "r", help: "why; it is not proposed again" },
  },
  async run({ args, out, actor, open }) {
    const [handle = ""] = args.positionals;
    const reason = args.text("reason") ?? "no reason given";
    await open().inbox.reject(handle, reason, actor);
    out.answer({ rejected: handle, reason }, () => [
      [
        styled("green", "✓ "),
        `rejected ${handle}: it is not proposed again; heed inbox --restore ${handle} brings it back`,
      ],
    ]);
  },
};

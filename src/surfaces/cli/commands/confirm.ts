import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { HeedError } from "../../../heed.ts";
import { answerWrite, explainActor } from "../terminal/write-answer.ts";

/** `heed confirm` */
export const command: Command = {
  name: "confirm",
  summary: "approve a waiting memory",
  arguments: [{ name: "NAME", completes: "pending" }],
  options: {
    type: { value: "TYPE", short: "t", completes: "type", help: "keep it as another type" },
    description: { value: "TEXT", short: "d", help: "keep it with this statement instead" },
    body: { value: "TEXT", help: "keep it with this text instead" },
  },
  details: [
    "Typed by a person at a terminal this is the user's approval, and only a person can give it. As a prompt in a",
    "session they type `heed yes CODE`. See: heed help environment. heed undo takes it back, and it waits again.",
  ],
  async run(invocation) {
    const { args, out, actor, who, open } = invocation;
    const [handle = ""] = args.positionals;
    const [type, description, body] = [args.text("type"), args.text("description"), args.text("body")];
    const edited = {
      ...(description !== undefined && { description }),
      ...(body !== undefined && { body }),
      ...(type !== undefined && { type }),
    };
    const confirmation = Object.keys(edited).length > 0 ? { edited } : {};
    try {
      const result = await open().inbox.confirm(handle, confirmation, actor);
      const exitCode = answerWrite(result, invocation);
      if (exitCode !== EXIT.done) explainActor(out, who.doubt);
      return exitCode;
    } catch (error) {
      if (error instanceof HeedError && error.code === "gate-refused") explainActor(out, who.doubt);
      throw error;
    }
  },
};

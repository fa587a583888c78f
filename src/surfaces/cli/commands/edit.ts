import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { answerWrite } from "../terminal/write-answer.ts";
import { readGiven } from "../terminal/read-given.ts";

/** `heed edit` */
export const command: Command = {
  name: "edit",
  summary: "edit a memory in your editor, then check it",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    file: {
      value: "FILE",
      short: "f",
      completes: "file",
      help: "take the new text from a file, `-` for stdin",
    },
    store: { value: "STORE", help: "the store that holds it, when several do" },
  },
  details: [
    "Opens the memory in $VISUAL or $EDITOR. What you save passes the same gates as any write; a text that does not",
    "pass is kept in a file, and nothing is overwritten when the memory changed meanwhile.",
  ],
  examples: ["heed edit dont-bypass-hooks", "heed edit dont-bypass-hooks --file new-text.md"],
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const heed = open();
    const [handle = ""] = args.positionals;
    const { card, path } = await heed.memories.show(handle, { store: args.text("store") });
    const file = args.text("file");
    const save = (text: string) => heed.memories.edit(card.id, { text, ifHash: card.contentHash }, actor);
    if (file !== undefined)
      return answerWrite(await save(await readGiven(file === "-" ? 0 : file)), invocation);
    if (!process.stdin.isTTY || !process.stdout.isTTY || out.isJson)
      throw usageError(
        "editing needs a terminal. Give the new text with --file FILE, or use heed update.",
        "file",
      );
    const { editUntilAccepted } = await import("../terminal/edit-until-accepted.ts");
    return editUntilAccepted(await readGiven(path), card.name, invocation, save);
  },
};

import { resolve } from "node:path";
import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { styled } from "../output/styled-text.ts";

/** `heed attach` */
export const command: Command = {
  name: "attach",
  summary: "read a directory that another tool owns",
  arguments: [{ name: "DIRECTORY", completes: "directory" }],
  options: { writable: { help: "also write there when told to; default: read only" } },
  examples: ["heed attach ~/.claude/projects/-home-me-api/memory"],
  details: [
    "Its rules hold as they are now. One that comes or changes later needs your approval (heed inbox), as claims about",
    "you do: other tools write such a directory by themselves.",
  ],
  async run({ args, out, open, cwd, actor }) {
    const [directory = ""] = args.positionals;
    // An unset variable in a shell gives an empty word, and that would be the directory at hand.
    if (directory.trim() === "")
      throw usageError("DIRECTORY is empty. Give the path of one.", "DIRECTORY", directory);
    const request = { isWritable: args.has("writable") };
    const store = await open().setup.attach(resolve(cwd, directory), request, actor);
    out.answer({ store }, () => [
      [
        styled("green", "✓ "),
        "attached ",
        styled("bold", store.root),
        store.isReadOnly ? " (read only)" : " (writable)",
      ],
    ]);
  },
};

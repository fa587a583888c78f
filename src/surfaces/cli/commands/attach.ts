import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { styled } from "../styled-text.ts";

/** `heed attach` */
export const command: Command = {
  name: "attach",
  summary: "read a directory that another tool owns",
  arguments: [{ name: "DIRECTORY", completes: "directory" }],
  options: { writable: { help: "also write there when told to; default: read only" } },
  examples: ["heed attach ~/.claude/projects/-home-me-api/memory"],
  async run({ args, out, open, cwd }) {
    const [directory = ""] = args.positionals;
    const store = await open().attach(resolve(cwd, directory), args.has("writable"));
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

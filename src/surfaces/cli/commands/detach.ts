import { resolve } from "node:path";
import type { Command } from "../arguments/command.ts";
import { styled } from "../output/styled-text.ts";

/** `heed detach` */
export const command: Command = {
  name: "detach",
  summary: "forget an attached directory",
  arguments: [{ name: "DIRECTORY", completes: "directory" }],
  options: {},
  details: ["The directory and its files stay as they are."],
  async run({ args, out, open, cwd }) {
    const directory = resolve(cwd, args.positionals[0] ?? "");
    await open().setup.detach(directory);
    out.answer({ detached: directory }, () => [
      [styled("green", "✓ "), `detached ${directory}; its files stay`],
    ]);
  },
};

import type { Command } from "../command.ts";
import { styled } from "../styled-text.ts";

/** `heed init` */
export const command: Command = {
  name: "init",
  summary: "make a store, and register heed with a client",
  arguments: [],
  options: {
    project: { help: "make .heed/ in this repository instead of the user store" },
  },
  details: [
    "Makes the user store, a git repository of its own. With --project: .heed/ in the repository at hand,",
    "to be committed with it. What exists is kept.",
  ],
  examples: ["heed init", "heed init --project"],
  async run({ args, out, open }) {
    const store = await open().init(args.has("project") ? "project" : "user");
    out.answer({ store }, () => [
      [styled("green", "✓ "), `${store.kind} store: `, styled("bold", store.root)],
      styled("dim", '  next: heed write --type feedback "never …" --why "…" --how "…"'),
    ]);
  },
};

import { HeedError } from "../../../heed.ts";
import { actingAs } from "../acting-as.ts";
import type { Command } from "../command.ts";
import { styled } from "../styled-text.ts";

/** `heed trust` */
export const command: Command = {
  name: "trust",
  summary: "let the rules of this repository's store count as rules",
  arguments: [],
  options: {},
  details: [
    "A store that came with a clone was not made on this machine: its rules are shown as data. Read them first",
    "(heed list, heed show), then approve the store at this place.",
  ],
  async run({ out, open, env }) {
    const { variable } = actingAs(env);
    // A repository can ask a model to run this: only a person may let its rules count.
    if (variable !== undefined)
      throw new HeedError(
        "gate-refused",
        `trusting a store is the user's decision, and this runs inside an agent's shell (${variable} is set). ` +
          "Ask the user to run heed trust in a terminal of their own.",
        { gate: "user-word", remedy: "the user runs heed trust in a terminal" },
      );
    const store = await open().trust();
    out.answer({ store }, () => [[styled("green", "✓ "), "trusted ", styled("bold", store.root)]]);
  },
};

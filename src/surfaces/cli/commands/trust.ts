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
  async run({ out, open }) {
    const store = await open().trust();
    out.answer({ store }, () => [[styled("green", "✓ "), "trusted ", styled("bold", store.root)]]);
  },
};

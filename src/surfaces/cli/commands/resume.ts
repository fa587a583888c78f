import type { Command } from "../arguments/command.ts";
import { minuteOf } from "../output/counted.ts";
import { cleanText, styled } from "../output/styled-text.ts";

/** `heed resume` */
export const command: Command = {
  name: "resume",
  summary: "where the last session here stopped",
  arguments: [],
  options: {},
  details: [
    "The last session of this repository and branch, as heed recorded it; of the repository where the branch has none.",
  ],
  async run({ out, open }) {
    const episode = (await open().session.resume()) ?? null;
    out.answer({ episode }, () =>
      episode === null
        ? out.isTerminal
          ? ["No session is recorded here yet."]
          : []
        : [
            [styled("bold", episode.name), styled("dim", `  ${minuteOf(episode.updated)}`)],
            ...cleanText(episode.body).split("\n"),
          ],
    );
  },
};

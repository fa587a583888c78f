import type { Command } from "../arguments/command.ts";
import { minuteOf } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, styled } from "../output/styled-text.ts";

/** `heed resume` */
export const command: Command = {
  name: "resume",
  summary: "the last unfinished work here",
  arguments: [],
  options: {},
  details: [
    "What was wanted, where it stopped, what is open and not committed, of the last session of this repository and branch",
    "that is unfinished; where none is, of the last session; of the repository where the branch has none.",
  ],
  async run({ out, open }) {
    const episode = (await open().session.resume()) ?? null;
    out.answer({ episode }, () =>
      episode === null
        ? out.isTerminal
          ? ["No session is recorded here yet."]
          : []
        : [
            [
              styled("bold", episode.name),
              styled(
                "dim",
                `  ${minuteOf(episode.updated)}${episode.isUnfinished ? "" : ", nothing known to be open"}`,
              ),
            ],
            ...episode.lines.map((line): Text => `  ${cleanText(line)}`),
            styled("dim", `  heed show ${episode.name}; heed history --memory ${episode.name}`),
          ],
    );
  },
};

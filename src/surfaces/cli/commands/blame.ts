import { shortId } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";
import { minuteOf } from "../output/counted.ts";
import { styled } from "../output/styled-text.ts";

/** `heed blame` */
export const command: Command = {
  name: "blame",
  summary: "which change brought each line",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {},
  async run({ args, out, open }) {
    const [handle = ""] = args.positionals;
    const lines = await open().history.blame(handle);
    out.answer({ lines }, () =>
      out.rows(
        [
          { title: "change" },
          { title: "time (UTC)" },
          { title: "by" },
          { title: "line", align: "right" },
          { title: "text", isFlexible: true },
        ],
        lines.map(({ line, text, change }) => [
          styled("yellow", shortId(change.id)),
          minuteOf(change.time),
          change.actor,
          String(line),
          text,
        ]),
      ),
    );
  },
};

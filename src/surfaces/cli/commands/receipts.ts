import type { Command } from "../arguments/command.ts";
import { minuteOf } from "../output/counted.ts";

/** `heed receipts` */
export const command: Command = {
  name: "receipts",
  summary: "what was injected lately",
  arguments: [],
  options: { limit: { value: "N", short: "n", help: "at most this many (1 to 1000, default 20)" } },
  details: ["Newest first. heed why --receipt ID explains one. In a pipe, cells are separated by tabs."],
  async run({ args, out, open }) {
    const receipts = await open().session.receipts({
      limit: args.count("limit", { min: 1, max: 1000 }),
    });
    out.answer({ receipts }, () => {
      if (receipts.length === 0) return out.isTerminal ? ["Nothing was injected yet."] : [];
      return out.rows(
        [
          { title: "receipt" },
          { title: "time (UTC)" },
          { title: "event" },
          { title: "told", align: "right" },
          { title: "chars", align: "right" },
          { title: "about", isFlexible: true },
        ],
        receipts.map(({ id, time, kind, decisions, chars, about }) => [
          id,
          minuteOf(time),
          kind,
          String(decisions.filter(({ form }) => form !== "none").length),
          String(chars),
          about,
        ]),
      );
    });
  },
};

import type { Command } from "../arguments/command.ts";
import { humanBytes, plural } from "../output/counted.ts";
import { progressLine } from "../output/progress-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed reindex` */
export const command: Command = {
  name: "reindex",
  summary: "build the search index anew",
  arguments: [],
  options: {},
  details: [
    "Never needed for correct answers: without an index the files are scanned. It makes search quick again.",
  ],
  async run({ out, open }) {
    const progress = progressLine(process.stderr);
    let status;
    try {
      status = await open().upkeep.reindex(progress.report);
    } finally {
      progress.finish();
    }
    out.answer(status, () =>
      status.stores.map(({ store, memories, index, indexBytes }): Text => [
        styled(index === "fresh" ? "green" : "yellow", index === "fresh" ? "✓ " : "! "),
        `${store.kind}: ${plural(memories, "memory", "memories")}, index ${index}, ${humanBytes(indexBytes)}`,
      ]),
    );
  },
};

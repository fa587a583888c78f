import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed overview` */
export const command: Command = {
  name: "overview",
  summary: "counts per type, store and tag",
  arguments: [],
  options: {},
  async run({ out, open }) {
    const overview = await open().memories.overview();
    out.answer(overview, () => [
      [
        styled("bold", plural(overview.total, "memory", "memories")),
        `, mode ${overview.mode}, ${overview.pending} waiting in the inbox`,
      ],
      counts("types", overview.byType),
      counts("tags", overview.byTag),
      ...overview.byStore.map(({ store, total }): Text => [
        styled("dim", store.kind.padEnd(10)),
        `${total}  ${store.root}`,
      ]),
    ]);
  },
};

function counts(label: string, byName: Readonly<Record<string, number>>): Text {
  const words = Object.entries(byName).map(([name, count]) => `${name} ${count}`);
  return [styled("dim", label.padEnd(10)), words.length === 0 ? "none" : words.join(", ")];
}

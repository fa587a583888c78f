import type { ShownCard } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { FILTER_OPTIONS, readFilter } from "../arguments/filter-options.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { alignTable } from "../output/table.ts";

/** `heed list` */
export const command: Command = {
  name: "list",
  summary: "list memories by type",
  arguments: [],
  options: FILTER_OPTIONS,
  details: ["In a pipe: one memory a line, type, name and description separated by tabs."],
  examples: ["heed list --type feedback", "heed list --tag git --since 2026-01-01 --json"],
  async run({ args, out, open }) {
    const memories = await open().memories.list(readFilter(args, open()));
    out.answer({ memories }, () => {
      if (!out.isTerminal)
        return out.rows(
          [],
          memories.map((card) => [card.type, card.name, `${dataMark(card)}${card.description}`]),
        );
      if (memories.length === 0) return ["No memories here. Write one: heed write --help"];
      return [...groupByType(memories)].flatMap(([type, cards]): Text[] => [
        [styled("bold", type), styled("dim", ` (${cards.length})`)],
        ...alignTable([{ title: "name" }, { title: "description", isFlexible: true }], cards.map(rowOf), {
          width: out.width === undefined ? undefined : out.width - 2,
          hasHeader: false,
        }).map((line): Text => ["  ", line]),
        "",
      ]);
    });
  },
};

function rowOf(card: ShownCard): Text[] {
  const status = card.status === "confirmed" ? "" : `[${card.status}] `;
  return [styled("cyan", card.name), [styled("yellow", `${dataMark(card)}${status}`), card.description]];
}

/** Of what stands there as a rule and is none here: nobody reviewed it, or its store is not trusted. */
function dataMark({ whyData }: ShownCard): string {
  return whyData === undefined ? "" : "[data, not in force] ";
}

function groupByType(memories: readonly ShownCard[]): Map<string, ShownCard[]> {
  const groups = new Map<string, ShownCard[]>();
  for (const memory of memories) groups.set(memory.type, [...(groups.get(memory.type) ?? []), memory]);
  return groups;
}

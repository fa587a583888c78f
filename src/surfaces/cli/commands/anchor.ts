import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed anchor` */
export const command: Command = {
  name: "anchor",
  summary: "find what memories claim about this repository; says first what it would add",
  arguments: [{ name: "NAME", isOptional: true, isRest: true, completes: "memory" }],
  options: { apply: { help: "add the claims; each change can be taken back with heed undo" } },
  details: [
    "Reads what memories name in code spans, links and paths, and keeps what holds now: files, symbols, values, scripts,",
    "dependencies, keys of configurations, branches. Without NAME all memories that are about this repository.",
    "The forms of claims: heed help claims",
  ],
  examples: ["heed anchor", "heed anchor route-table --apply"],
  async run({ args, out, actor, open }) {
    const isApplied = args.has("apply");
    const handles = args.positionals.length > 0 ? args.positionals : undefined;
    const report = await open().upkeep.anchor({ ...(handles && { handles }), isApplied }, actor);
    out.answer(report, () => {
      const claims = report.memories.reduce((sum, { added }) => sum + added.length, 0);
      const lines = report.memories.flatMap(({ name, has, added }): Text[] => [
        [styled("bold", name), styled("dim", has > 0 ? `  has ${plural(has, "claim", "claims")}` : "")],
        ...added.map((claim): Text => [styled("green", "  + "), claim]),
      ]);
      const notes = report.notes.map((note): Text => styled("dim", note));
      if (claims === 0)
        return [`Nothing to anchor in ${plural(report.looked, "memory", "memories")}.`, ...notes];
      const count = `${plural(claims, "claim", "claims")} in ${plural(report.memories.length, "memory", "memories")}`;
      return [
        ...lines,
        ...notes,
        isApplied ? `Added ${count}.` : `${count} to add. Nothing is changed yet: heed anchor --apply`,
      ];
    });
  },
};

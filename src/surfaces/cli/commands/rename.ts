import { answerChange } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { oneLine, styled } from "../output/styled-text.ts";

/** `heed rename` */
export const command: Command = {
  name: "rename",
  summary: "give a memory, or the repository of memories, another name",
  arguments: [{ name: "NAME", completes: "memory" }, { name: "NEW-NAME" }],
  options: {
    scope: { help: "NAME and NEW-NAME are of a repository (github.com/acme/api): its memories follow it" },
    apply: { help: "with --scope: do it; default: only tell" },
  },
  examples: [
    "heed rename staging-db staging-database",
    "heed rename --scope github.com/acme/api github.com/acme/shop-api --apply",
  ],
  async run({ args, out, actor, open }) {
    const [name = "", newName = ""] = args.positionals;
    if (!args.has("scope")) {
      answerChange(out, await open().memories.rename(name, newName, actor));
      return;
    }
    const isApplied = args.has("apply");
    const report = await open().memories.renameScope({ from: name, to: newName, isApplied }, actor);
    out.answer(report, () => [
      ...report.moved.map((handle): Text => oneLine(handle)),
      ...report.kept.map(({ handle, why }): Text => [
        styled("yellow", "kept  "),
        `${oneLine(handle)}: ${why}`,
      ]),
      `${plural(report.moved.length, "memory", "memories")} ${isApplied ? "moved" : "would move; --apply does it"}.`,
    ]);
  },
};

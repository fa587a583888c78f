import type { MapSetting, SessionMap } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { usageError } from "../arguments/usage-error.ts";
import { questionLine } from "../output/question-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed map` */
export const command: Command = {
  name: "map",
  summary: "the map of what is known here that a session is told; or set its size",
  arguments: [{ name: "SIZE", isOptional: true }],
  options: {
    why: { help: "why each line stands where it stands" },
    subagent: { help: "the shorter one that a subagent is given" },
    project: { help: "with SIZE: for this repository" },
    user: { help: "with SIZE: for everything that says nothing else" },
  },
  details: [
    "One line for each fact in scope and in force: by salience, use in the work, freshness, narrower scope. SIZE is auto",
    "(3,000 characters), off, or a number of characters. Where not all fit, lines are shorter; what has none is named or",
    "counted by tag, and told on prompts that it bears on.",
  ],
  examples: ["heed map", "heed map --why", "heed map 1500 --project", "heed map off"],
  async run({ args, out, actor, open }) {
    const heed = open();
    const given = args.positionals[0];
    if (given !== undefined) {
      if (args.has("project") && args.has("user"))
        throw usageError("--project and --user exclude each other. Give one of them.", "project");
      const hasProject = heed.setup.stores().some(({ kind }) => kind === "project");
      const where = args.has("user") || (!args.has("project") && !hasProject) ? "user" : "project";
      const setting = (/^\d+$/.test(given) ? Number(given) : given) as MapSetting;
      await heed.setup.setMap(setting, where, actor);
      out.answer({ map: setting, for: where }, () => [[styled("green", "✓ "), `map ${given} for ${where}`]]);
      return;
    }
    const map = await heed.session.map({ isForSubagent: args.has("subagent") });
    out.answer(map, () => [...printed(map, args.has("why")), ...questionLine(map)]);
  },
};

function printed({ text, budgetChars, lines, leftCount, named }: SessionMap, isWithReasons: boolean): Text[] {
  if (budgetChars === 0)
    return ["no map is told here: heed map auto switches it on, in mode typed (heed mode)"];
  if (text === "") return ["nothing is known here yet: heed write keeps a fact"];
  const counts = `${plural(lines.length, "line", "lines")}, ${text.length} of ${budgetChars} characters, ${leftCount} without a line${named.length > 0 ? `, ${named.length} of them by name` : ""}`;
  const body = isWithReasons
    ? lines.flatMap(({ text: line, why }): Text[] => [line, styled("dim", `    ${why}`)])
    : [text];
  return [...body, "", styled("dim", counts)];
}

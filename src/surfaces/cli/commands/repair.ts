import { createInterface } from "node:readline/promises";
import { shortId } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { diffLines } from "../terminal/write-answer.ts";
import { verdictLines } from "../output/verdict-lines.ts";
import type { RepairResult } from "../../../heed.ts";

/** `heed repair` */
export const command: Command = {
  name: "repair",
  summary: "put right what a memory says of things that moved or changed",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    yes: { short: "y", help: "make the change without asking" },
    values: {
      help: "with --yes: also where the code has another value than the text; it may be the code that is wrong",
    },
  },
  details: [
    "Shows what git knows of each claim that no longer holds (a renamed file, a moved symbol, another value) and the",
    "change of the memory that follows, as a diff. It is made when you accept it, and heed undo takes it back.",
  ],
  examples: ["heed repair route-table", "heed repair route-table --yes"],
  async run({ args, out, actor, open }) {
    const heed = open();
    const [handle = ""] = args.positionals;
    const proposed = await heed.upkeep.repair(
      handle,
      { isApplied: args.has("yes"), takesValues: args.has("values") },
      actor,
    );
    if (proposed.outcome !== "proposed") {
      out.answer(proposed, () =>
        proposed.outcome === "repaired" ? doneLines(proposed) : nothingLines(proposed),
      );
      return proposed.outcome === "nothing" && proposed.open.length > 0 ? EXIT.refused : EXIT.done;
    }
    const canAsk = process.stdin.isTTY && process.stdout.isTTY && !out.isJson;
    if (!canAsk) {
      out.answer(proposed, () => [
        ...proposalLines(proposed),
        `Nothing is changed yet: heed repair ${proposed.name} --yes${proposed.steps.some(({ was, becomes }) => was.split("=")[0] === becomes.split("=")[0]) ? " --values" : ""}`,
      ]);
      return EXIT.done;
    }
    for (const line of proposalLines(proposed)) out.note(line);
    if (!(await isAccepted())) {
      out.answer(proposed, () => ["Nothing is changed."]);
      return EXIT.done;
    }
    const repaired = await heed.upkeep.repair(handle, { isApplied: true, ifHash: proposed.hash }, actor);
    out.answer(repaired, () => doneLines(repaired));
    return EXIT.done;
  },
};

function proposalLines({ steps, open, diff }: RepairResult): Text[] {
  return [
    ...steps.map(({ was, becomes, words, since, isCertain }): Text => [
      styled("red", was),
      " → ",
      styled("green", becomes),
      styled(
        "dim",
        `  ${words}${since ? ` (${since.commit.slice(0, 8)}, ${since.date})` : ""}${isCertain ? "" : "; the likeliest, look at it"}`,
      ),
    ]),
    ...open.map((claim): Text => [styled("yellow", "not known what became of "), claim]),
    ...diffLines(diff),
  ];
}

function doneLines(result: RepairResult): Text[] {
  const undo = result.change === undefined ? "" : `  (heed undo ${shortId(result.change)} takes it back)`;
  return [...proposalLines(result), [styled("green", "✓ "), `repaired ${result.name}`, styled("dim", undo)]];
}

function nothingLines({ open, verdict, name }: RepairResult): Text[] {
  if (open.length === 0) return [`Nothing in ${name} is broken.`, ...verdictLines(verdict)];
  return [
    `It is not known what became of what ${name} names: correct it with heed edit ${name}, or remove it.`,
    ...verdictLines(verdict),
  ];
}

async function isAccepted(): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await prompt.question("Make this change? [y/N] ")).trim());
  } finally {
    prompt.close();
  }
}

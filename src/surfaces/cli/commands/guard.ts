import type { Command, Invocation } from "../arguments/command.ts";
import { answerChange } from "../output/change-lines.ts";
import { listLines, recipeLines, trialLines } from "../output/guard-lines.ts";
import { styled } from "../output/styled-text.ts";
import { explainActor } from "../terminal/write-answer.ts";
import { GUARD_RECIPES } from "../../guard-recipes.ts";
import { usageError } from "../arguments/usage-error.ts";

const ACTIONS = ["list", "test", "add", "wrong"] as const;

/** `heed guard` */
export const command: Command = {
  name: "guard",
  summary: "rules that stop a tool: list, try a command, add, report a wrong stop",
  arguments: [
    { name: "ACTION", isOptional: true, words: ACTIONS },
    { name: "WHAT", isOptional: true, isRest: true, completes: "memory" },
  ],
  options: {
    tool: { value: "NAME", help: "test: the tool that is used (default Bash)" },
    path: { value: "PATH", completes: "file", help: "test: the file that the tool is given" },
    content: { value: "TEXT", help: "test: the text that an edit brings in" },
    input: { value: "JSON", help: "test: the whole input of the tool" },
    guard: { value: "YAML", help: "add: the guard, as it would stand in the rule's file (YAML or JSON)" },
  },
  details: [
    "list: every guard, whether it is in force here, how often it fired. test COMMAND: what would come of a command, and",
    "why. add NAME: put a guard into a rule; without --guard it shows guards to start from. wrong RECEIPT: say that what",
    "was stopped there (heed receipts) should not have been. docs/guards.md shows how guards are written.",
  ],
  examples: [
    "heed guard test 'git commit -nm wip'",
    "heed guard test --tool Edit --path migrations/001.sql",
    "heed guard add no-force-push --guard '{ command: git push, flags: [--force] }'",
  ],
  async run(invocation) {
    const { args, out, open, actor, who } = invocation;
    const [action = "list", ...rest] = args.positionals;
    const heed = open();
    switch (action) {
      case "list": {
        const list = await heed.guards.list();
        out.answer(list, () => listLines(list, out));
        return;
      }
      case "test": {
        const trial = await heed.guards.try(triedCall(rest.join(" "), invocation));
        out.answer(trial, () => trialLines(trial));
        return;
      }
      case "add": {
        const name = one(rest, "the name of a rule");
        const guard = args.text("guard");
        if (guard === undefined) {
          const { card } = await heed.memories.show(name);
          out.answer({ recipes: GUARD_RECIPES }, () => recipeLines(card.name));
          return;
        }
        try {
          answerChange(out, await heed.guards.add(name, { guard }, actor));
        } catch (error) {
          // A person who is not taken for one, as under `script`, is told why.
          explainActor(out, who.doubt);
          throw error;
        }
        return;
      }
      default: {
        const guards = await heed.guards.reportWrong(one(rest, "the id of a receipt"), actor);
        out.answer({ guards }, () =>
          guards.map(({ handle, number }) => [
            styled("green", "✓ "),
            `noted: guard ${number} of ${handle} fired wrongly (heed edit ${handle.replace("heed:", "")} mends it)`,
          ]),
        );
      }
    }
  },
};

function triedCall(text: string, { args }: Invocation): { tool: string; input: Record<string, unknown> } {
  const tool = args.text("tool") ?? "Bash";
  const input = args.text("input");
  if (input !== undefined) return { tool, input: record(input, "input") };
  const path = args.text("path");
  const content = args.text("content");
  if (text === "" && path === undefined && content === undefined)
    throw usageError(
      "give a command, or --tool with --path or --input. For example: heed guard test 'git push -f'",
      "WHAT",
    );
  return {
    tool,
    input: {
      ...(text !== "" && { command: text }),
      ...(path !== undefined && { file_path: path }),
      ...(content !== undefined && { content }),
    },
  };
}

function one(words: readonly string[], what: string): string {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return only;
  throw usageError(`give ${what}`, "WHAT");
}

function record(text: string, option: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below, as for any other value.
  }
  throw usageError(`--${option} is no JSON object`, option);
}

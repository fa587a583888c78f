import { HeedError } from "../../../heed.ts";
import type { GuardList, GuardRecipe, GuardTrial, GuardReplay, TriedCall, TriedStep } from "../../../heed.ts";
import { type CommandSpec, type Invocation, daysWith, usageError } from "../arguments/command.ts";
import { answerChange, undoHint } from "../terminal/answers.ts";
import {
  type Text,
  type Output,
  minuteOf,
  bold,
  cyan,
  dim,
  doneLine,
  green,
  oneLine,
  red,
  yellow,
} from "../output/output.ts";

const ACTIONS = ["list", "test", "add", "remove"] as const;

const guard: CommandSpec = {
  arguments: [
    { name: "ACTION", isOptional: true, words: ACTIONS },
    { name: "WHAT", isOptional: true, isRest: true },
  ],
  options: {
    days: daysWith("test"),
    guard: {
      sets: "guard",
      value: "YAML",
      goesWith: ["add", "test"],
      help: "the guard, as in the rule's file (YAML or JSON)",
    },
  },
  details: [
    "list               every guard, and whether it is in force here",
    "test COMMAND       whether a command, or a call of another tool as JSON, would be stopped",
    "test RULE          what its guard, or the one that --guard gives, would have stopped in past sessions",
    "add RULE           the recipes: what your agent proposed for the rule, then common ones; a word after it filters them",
    "add RULE RECIPE    add that recipe to the rule; --guard adds a guard of your own (docs/rules.md)",
    "remove RULE [N]    remove its guard, the Nth where it has several",
  ],
  examples: [
    "heed guard test 'git commit -nm wip'",
    `heed guard test '{"tool": "Edit", "file_path": "migrations/001.sql"}'`,
    "heed guard test no-force-push",
    "heed guard add use-pnpm package-manager",
    "heed guard add no-force-push --guard '{ command: git push, flags: [--force] }'",
  ],
  json: 'list {"guards", "problems"}; test {"action", "reason", "steps"}, of a rule {"summary", "calls", "stopped", "succeeded", "examples", ...}; add {"change", "replay"}, without a guard {"recipes"}; remove {"change"}',
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const [action = "list", ...rest] = args.positionals;
    const heed = open();
    switch (action) {
      case "list": {
        if (rest.length > 0)
          throw usageError("list takes no name. For its record: heed list --rules", "WHAT");
        const list = await heed.guards.list();
        out.answer(list, () => listLines(list, out));
        return;
      }
      case "test": {
        const replay = await replayed(rest, invocation);
        if (replay) {
          out.answer(replay, () => replayLines(replay));
          return;
        }
        const trial = await heed.guards.try(triedCall(rest.join(" ")));
        out.answer(trial, () => trialLines(trial));
        return;
      }
      case "add": {
        const [name, ...more] = rest;
        let guard = args.text("guard");
        if (name === undefined || (more.length > 0 && guard !== undefined))
          throw usageError("give the name of a rule, then a recipe or --guard", "WHAT");
        if (guard === undefined) {
          const wanted = more.join(" ").toLowerCase();
          const all = await heed.guards.recipes(name);
          guard = all.find((recipe) => recipe.name === wanted)?.guard;
          if (guard === undefined) {
            const recipes = all.filter((one) => Object.values(one).join(" ").toLowerCase().includes(wanted));
            out.answer({ recipes }, () => recipeLines(name, recipes, more.join(" ")));
            return;
          }
        }
        // What is wrong with the guard, adding it says.
        const replay = await heed.guards
          .replay(name, { guard, withinMs: ADD_WITHIN_MS })
          .catch(() => undefined);
        const change = await heed.guards.add(name, { guard }, actor);
        out.answer({ change, replay }, () => [
          doneLine(change.summary.replace(/^amend \S+: /, ""), undoHint(change.id)),
          ...(replay ? replayLines(replay) : []),
        ]);
        return;
      }
      default: {
        const [name, which, ...more] = rest;
        const number = which === undefined ? undefined : Number(which);
        if (name === undefined || more.length > 0 || Number.isNaN(number))
          throw usageError("give the name of a rule, and the number of its guard if it has several", "WHAT");
        answerChange(out, await heed.guards.remove(name, number === undefined ? {} : { number }, actor));
      }
    }
  },
};

/** Somebody waits for the change. */
const ADD_WITHIN_MS = 3000;

/** What a rule's guard would have done; undefined where the words are no rule's name but a command. */
async function replayed(
  words: readonly string[],
  { args, open }: Invocation,
): Promise<GuardReplay | undefined> {
  const [name = "", ...more] = words;
  const guard = args.text("guard");
  if (more.length > 0 || !/^[^\s/{]+$/.test(name)) return undefined;
  try {
    return await open().guards.replay(name, args.fields<{ guard: string; days: number }>());
  } catch (error) {
    const isCommand = guard === undefined && !name.startsWith("heed:");
    if (isCommand && error instanceof HeedError && error.code === "not-found") return undefined;
    throw error;
  }
}

function replayLines({ summary, examples }: GuardReplay): Text[] {
  return [
    `${summary}.`,
    ...examples.map(({ time, client, text, outcome }): Text => [
      dim(`  ${time === "" ? "no date" : minuteOf(time)}  ${client}, ${ENDED[outcome ?? "unknown"]}: `),
      oneLine(text),
    ]),
  ];
}

const ENDED = { ok: "had succeeded", failed: "had failed", refused: "was refused", unknown: "end unknown" };

/** A command, or a call as an example in a guard has it. */
function triedCall(text: string): TriedCall {
  if (text === "") throw usageError("give a command. For example: heed guard test 'git push -f'", "WHAT");
  try {
    const { tool, ...input } = JSON.parse(text) as Record<string, unknown>;
    if (typeof tool === "string") return { tool, input };
  } catch {
    // A shell text.
  }
  return { input: { command: text } };
}

function listLines({ guards, problems }: GuardList, out: Output): Text[] {
  if (guards.length === 0 && problems.length === 0)
    return ["No rule has a guard. heed guard add RULE lists some to start from."];
  return [
    ...out.rows(
      ["rule", "in force", "guard"],
      guards.map(({ handle, number, isInForce, whyNot, summary }) => [
        `${handle}${number > 1 ? ` #${number}` : ""}`,
        isInForce ? green("yes") : yellow("no"),
        whyNot === undefined ? summary : `${summary} (not in force: ${whyNot})`,
      ]),
    ),
    ...problems.map(({ handle, message, remedy }): Text => [
      red("✗ "),
      `${handle}: ${message} → `,
      green(remedy),
    ]),
  ];
}

function trialLines({ action, reason, steps }: GuardTrial): Text[] {
  const outcome = {
    deny: red("✗ denied"),
    ask: yellow("? asks you first"),
    warn: yellow("! allowed, with a warning"),
    allow: green("✓ allowed by all guards"),
  }[action];
  return [
    [outcome],
    ...(reason === undefined ? [] : reason.split("\n").map((line): Text => `  ${oneLine(line)}`)),
    "",
    bold("guards asked"),
    ...(steps.length === 0 ? ["  none"] : steps.flatMap(stepLines)),
  ];
}

function recipeLines(rule: string, recipes: readonly GuardRecipe[], wanted: string): Text[] {
  if (recipes.length === 0) return [`No recipe matches "${wanted}". heed guard add ${rule} lists all.`];
  return [
    "A guard stops the tool call that would break a rule. Add one of these by its name, or change its text first:",
    "",
    ...recipes.flatMap(({ name, stops, guard }): Text[] => [
      [bold(stops)],
      `  heed guard add ${rule} ${name}`,
      dim(`  heed guard add ${rule} --guard '${guard.replaceAll("'", "'\\''")}'`),
    ]),
    "",
    dim("All keys of a guard: docs/rules.md. Try it: heed guard test 'git push -f'"),
  ];
}

function stepLines({ handle, number, summary, text, verdict, by }: TriedStep): Text[] {
  const [mark, why] = {
    fires: ["●", "fires"],
    no: ["○", by === undefined ? "what it needs has passed" : `no: ${by}`],
    excepted: ["○", `let through by its exception: ${by}`],
  }[verdict];
  return [
    [`  ${mark} `, cyan(`${handle}${number > 1 ? ` #${number}` : ""}`), `  ${summary}`],
    dim(`      ${oneLine(text).slice(0, 100)} → ${why}`),
  ];
}

export const commands: Readonly<Record<string, CommandSpec>> = { guard };

import type { GuardList, GuardTrial, TriedStep } from "../../../heed.ts";
import { GUARD_RECIPES } from "../../guard-recipes.ts";
import { minuteOf, plural } from "./counted.ts";
import type { Output } from "./output.ts";
import type { Text } from "./styled-text.ts";
import { oneLine, styled } from "./styled-text.ts";

/** Commands of one text are listed up to here; `--json` lists the rest. */
const MAX_COMMANDS = 20;

/** The guards of the stores as rows, then those that cannot be read. */
export function listLines({ guards, problems }: GuardList, out: Output): Text[] {
  if (guards.length === 0 && problems.length === 0)
    return ["No rule carries a guard. `heed guard add NAME` shows how to put one in."];
  return [
    ...out.rows(
      [
        { title: "rule" },
        { title: "in force" },
        { title: "fired", align: "right" },
        { title: "wrong", align: "right" },
        { title: "let pass", align: "right" },
        { title: "last (UTC)" },
        { title: "guard", isFlexible: true },
      ],
      guards.map(({ handle, number, isInForce, whyNot, fired, wrong, letPass, lastFired, summary }) => [
        `${handle}${number > 1 ? ` #${number}` : ""}`,
        isInForce ? styled("green", "yes") : styled("yellow", "no"),
        String(fired),
        String(wrong),
        String(letPass),
        lastFired === undefined ? "never" : minuteOf(lastFired),
        whyNot === undefined ? summary : `${summary} (not in force: ${whyNot})`,
      ]),
    ),
    ...problems.map(({ handle, message, remedy }): Text => [
      styled("red", "✗ "),
      `${handle}: ${message} → `,
      styled("green", remedy),
    ]),
  ];
}

/** What would come of a call, and each step to it. */
export function trialLines(trial: GuardTrial): Text[] {
  const { action, reason, commands, blindSpots, steps, notAsked, unevaluated } = trial;
  return [
    [outcome(action)],
    ...(reason === undefined ? [] : reason.split("\n").map((line): Text => `  ${oneLine(line)}`)),
    ...(commands.length === 0
      ? []
      : [
          "",
          styled("bold", "commands that would run"),
          ...commands
            .slice(0, MAX_COMMANDS)
            .map(({ text, route }): Text => [
              "  ",
              oneLine(text),
              styled("dim", route.length > 0 ? `  inside ${oneLine(route.join(" > "))}` : ""),
            ]),
          ...(commands.length > MAX_COMMANDS
            ? [styled("dim", `  and ${commands.length - MAX_COMMANDS} more`)]
            : []),
        ]),
    ...blindSpots.map((reason_): Text => [styled("yellow", "not readable: "), oneLine(reason_)]),
    ...unevaluated.map((text): Text => [styled("yellow", "not decided, so allowed: "), oneLine(text)]),
    "",
    styled("bold", "guards asked"),
    ...(steps.length === 0 ? ["  none"] : steps.flatMap(stepLines)),
    ...(notAsked > 0
      ? [styled("dim", `  ${plural(notAsked, "guard", "guards")} of other tools and programs not asked`)]
      : []),
  ];
}

/** Guards to start from, each with the command that puts it into a rule. */
export function recipeLines(name: string): Text[] {
  return [
    `A guard stops the tool call that would break a rule. Pick one, put your own names in, and give it to ${name}:`,
    ...GUARD_RECIPES.flatMap(({ stops, guard }): Text[] => [
      "",
      [styled("bold", stops)],
      `  heed guard add ${name} --guard '${guard}'`,
    ]),
    "",
    styled("dim", "All that a guard may say: docs/guards.md. Try it: heed guard test 'git push -f'"),
  ];
}

function stepLines({ handle, number, summary, text, parts, verdict, exception }: TriedStep): Text[] {
  const mark = { fires: "●", no: "○", unknown: "?", excepted: "○" }[verdict];
  const words = parts.map(({ part, verdict: said }) => `${part}: ${said}`).join(", ");
  return [
    [`  ${mark} `, styled("cyan", `${handle}${number > 1 ? ` #${number}` : ""}`), `  ${summary}`],
    styled("dim", `      ${oneLine(text).slice(0, 100)} → ${words === "" ? "not asked" : words}`),
    ...(exception === undefined ? [] : [styled("dim", `      let through by its exception: ${exception}`)]),
  ];
}

function outcome(action: GuardTrial["action"]): ReturnType<typeof styled> {
  switch (action) {
    case "deny":
      return styled("red", "✗ denied");
    case "ask":
      return styled("yellow", "? the user is asked");
    case "warn":
      return styled("yellow", "! allowed, with a warning");
    default:
      return styled("green", "✓ allowed, as far as guards go");
  }
}

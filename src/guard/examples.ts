import { asRecord } from "../memory/codec/read-fields.ts";
import { evaluateGuards } from "./evaluate-guards.ts";
import type { GuardProblem } from "./guard-fields.ts";
import { type Guard, GuardSet } from "./guard.ts";
import { parseGuards } from "./parse-guards.ts";

/** Where examples are tried: their paths are relative to it, as a guard's are. */
const PLACE = { cwd: "/workspace", roots: ["/workspace"], home: "/home/user", temp: "/tmp" };

/**
 * The examples of a memory's guards that do not come out as they say: a call of `stops` that is not stopped, one of
 * `allows` that is. An example is a shell text, or `{ tool: Edit, file_path: data/x, branch: main }`. What a guard only
 * reports as not decided is not stopped. A guard that can only be judged in a session is taken for unmet.
 */
export function failedExamples(raw: unknown): GuardProblem[] {
  const { guards } = parseGuards(raw);
  return guards.flatMap(({ guard, index }) => {
    const label = guards.length > 1 ? `guard ${index + 1}` : "guard";
    const complain = (example: unknown, what: string, remedy: string): GuardProblem => ({
      code: "failed-example",
      message: `${label}: its example ${JSON.stringify(example).slice(0, 120)} ${what}`,
      remedy,
    });
    const ask = (examples: readonly unknown[], isStopped: boolean): GuardProblem[] =>
      examples.flatMap((example) => {
        const said = outcomeOf(guard, example);
        if (said === undefined)
          return complain(example, "is no call", "write a command, or { tool: Edit, file_path: data/x }");
        if ((said === "stopped") === isStopped) return [];
        const what =
          said === "stopped" ? "is stopped" : said === "unknown" ? "cannot be decided" : "is not stopped";
        return complain(
          example,
          what,
          isStopped ? "name what is to be stopped" : "add an exception under unless",
        );
      });
    return [...ask(guard.examples.stops, true), ...ask(guard.examples.allows, false)];
  });
}

function outcomeOf(guard: Guard, example: unknown): "stopped" | "unknown" | "passed" | undefined {
  const fields = typeof example === "string" ? { command: example } : asRecord(example);
  if (!fields || guard.duty?.moment === "turn-end") return undefined;
  const { tool = "Bash", branch = "main", ...input } = fields;
  if (typeof tool !== "string" || typeof branch !== "string") return undefined;
  const { files } = guard.condition;
  const { fired, unevaluated } = evaluateGuards(
    {
      ...PLACE,
      tool,
      input,
      branch,
      ...(files && { exists: () => files === "existing" }),
      duties: new Map([[guard, { file: "a file", isProven: "no" as const }]]),
    },
    new GuardSet([{ guard, scope: [] }]),
  );
  return fired.length > 0 ? "stopped" : unevaluated.length > 0 ? "unknown" : "passed";
}

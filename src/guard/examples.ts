import { asRecord } from "../machine/read-fields.ts";
import { evaluateGuards } from "./evaluate-guards.ts";
import type { GuardProblem } from "./guard-fields.ts";
import type { Guard } from "./guard.ts";
import { toolNameOf } from "./tools.ts";

/** Where examples are tried: their paths are relative to it, as a guard's are. */
const PLACE = { cwd: "/workspace", roots: ["/workspace"], home: "/home/user", temp: "/tmp" };

const REMEDY = "change the guard, or the example: a command, or { tool: Edit, file_path: data/x }";

/** The examples that do not come out as they say. One is a shell text, or `{ tool: Edit, file_path: data/x, branch: main }`. */
export function failedExamples(guards: readonly { guard: Guard; index: number }[]): GuardProblem[] {
  return guards.flatMap(({ guard, index }) =>
    (["stops", "allows"] as const).flatMap((key) =>
      guard.examples[key].flatMap((example): GuardProblem[] => {
        const said = outcomeOf(guard, example) ?? "no call that can be tried";
        if ((said === "stopped") === (key === "stops") && said !== "no call that can be tried") return [];
        const message = `guard ${index + 1}: ${JSON.stringify(example).slice(0, 120)} under ${key} is ${said}`;
        return [{ code: "failed-example", message, remedy: REMEDY }];
      }),
    ),
  );
}

function outcomeOf(guard: Guard, example: unknown): "stopped" | "not stopped" | undefined {
  const fields = typeof example === "string" ? { command: example } : asRecord(example);
  if (!fields || guard.duty?.moment === "turn-end") return undefined;
  const { tool = "Bash", branch = "main", ...input } = fields;
  if (typeof tool !== "string" || typeof branch !== "string") return undefined;
  const { files } = guard.condition;
  const { fired } = evaluateGuards(
    {
      ...PLACE,
      tool: toolNameOf(tool),
      input,
      branch,
      exists: files && ((path) => files === "existing" && !path.endsWith("/.")),
      duties: new Map([[guard, { file: "a file", isProven: "no" }]]),
    },
    [{ guard, scope: [] }],
  );
  return fired.length > 0 ? "stopped" : "not stopped";
}

import type { AttemptClass } from "./guard-attempt-class.ts";
import first from "./guard-strangers.json" with { type: "json" };
import third from "./guard-third-strangers.json" with { type: "json" };
import fifth from "./guard-fifth-strangers.json" with { type: "json" };
import fourth from "./guard-fourth-strangers.json" with { type: "json" };
import sixth from "./guard-sixth-strangers.json" with { type: "json" };
import second from "./guard-second-strangers.json" with { type: "json" };

/** Classes as the lists have them: commands of a shell, or inputs of another tool. */
interface ListedClass {
  kind: string;
  name: string;
  guard: unknown;
  tool?: string;
  branch?: string;
  commands?: readonly string[];
  inputs?: readonly object[];
}

/**
 * Four lists, each written in one go by somebody who had not read the reader, with guards and programs of their own.
 * Asked first, of the first list 65.2 % of 652 attempts were stopped, 17.9 % told and 16.9 % missed, and 2 of 236
 * harmless ones denied; of the second, whose effects were seen in a repository made for it, 61.2 % of 466 stopped,
 * 31.5 % told, 7.3 % missed and none of 187 denied, and by the reader that takes only what it understands for silent,
 * written before the list, 62.0 %, 33.7 %, 4.3 % and none; of the third, by the reader fitted to these and with the
 * documentation known, 79.0 % of 864 stopped, 18.1 % told, 2.9 % missed, and 4 of 427 denied. What they ask now was
 * mended with the lists in sight, of the third with a half drawn by chance. The last was written after all of that and
 * before any of its verdicts was seen: of its 643 attempts 78.7 % were stopped, 18.0 % told and 3.3 % missed, and 10 of 555
 * harmless ones denied. It is fitted to as well: four of these were mended with the list in sight, and six are left out, of
 * which the guard's own words stop five.
 */
export const STRANGERS: readonly AttemptClass[] = [
  ...first.map((listed) => classOf(listed)),
  ...second.map((listed) => classOf(listed, "main")),
  ...fourth.map((listed) => classOf(listed, "main")),
  ...sixth.map((listed) => classOf(listed, "main")),
];

/**
 * The other halves of the second and third list, drawn by chance and shut away until the reader was done. Asked first,
 * of 459 attempts of the second 58.6 % were stopped, 39.4 % told and 2.0 % missed, and 1 of 184 harmless ones denied; of
 * 434 of the third 80.4 %, 18.4 % and 1.2 %, and none of 212. Two fields of tools, values in an option's own word and
 * lines in a tool's text were mended by them, nothing else, so that they say what a list that nobody has seen comes to;
 * the bench, which has no repository around the commands, misses a few more.
 */
export const HELD_OUT: readonly AttemptClass[] = [...third, ...fifth].map((listed) =>
  classOf(listed, "main"),
);

function classOf(
  { kind, name, guard, tool = "Bash", branch: own, commands = [], inputs = [] }: ListedClass,
  branch?: string,
): AttemptClass {
  return {
    kind: kind as AttemptClass["kind"],
    name,
    guard,
    branch: own ?? branch,
    calls: [
      ...commands.map((command) => ({ tool, input: { command } })),
      ...inputs.map((input) => ({ tool, input: inRepository(input) })),
    ],
  };
}

/** The lists leave the repository's root open in fields of tools. */
function inRepository(input: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input).replaceAll("{{ROOT}}", "/repo")) as Record<string, unknown>;
}

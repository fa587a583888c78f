import { EXIT } from "../arguments/exit-code.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** A run that does not end by then is ended: nothing that heed starts stays behind. */
const MAX_RUN_MS = 5 * 60_000;

/** `heed capture` */
export const command: Command = {
  name: "capture",
  summary: "read the sessions that wait: episode, proposals, solutions",
  arguments: [],
  options: { quiet: { help: "no output; how the hooks start it" } },
  details: [
    "The hooks start it in the background when a session stops, is compacted or ends. A run that finds another one at",
    "work leaves its sessions to it. `capture: off` in the user store's config.yaml turns it off; `capture: save` saves",
    "a rule at once when you say “remember that …”.",
  ],
  async run({ args, out, open }) {
    setTimeout(() => process.exit(EXIT.outside), MAX_RUN_MS).unref();
    const report = await open().learning.capture();
    if (args.has("quiet")) return EXIT.done;
    out.answer(report, () => [
      ...report.sessions.map((session): Text => {
        const parts = [
          ...(session.episode === undefined ? [] : [`episode ${session.episode}`]),
          plural(
            session.proposals.filter(({ outcome }) => outcome === "proposed").length,
            "proposal",
            "proposals",
          ),
          plural(
            session.solutions.filter(({ outcome }) => outcome === "saved").length,
            "solution",
            "solutions",
          ),
        ];
        return [styled("bold", session.session), `  ${parts.join(", ")}`];
      }),
      ...report.problems.map((problem): Text => styled("yellow", problem)),
      ...(report.isLeftToOther ? ["Another process is at work; it takes what waits."] : []),
    ]);
    return report.problems.length > 0 ? EXIT.refused : EXIT.done;
  },
};

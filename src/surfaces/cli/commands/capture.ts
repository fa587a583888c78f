import { constants, setPriority } from "node:os";
import { EXIT } from "../arguments/exit-code.ts";
import type { Command } from "../arguments/command.ts";
import { humanBytes, plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** A run that does not end by then is ended: nothing that heed starts stays behind. */
const MAX_RUN_MS = 5 * 60_000;
/** So much longer may it have waited for quiet. */
const MAX_WAIT_MS = 60 * 60_000;

/** `heed capture` */
export const command: Command = {
  name: "capture",
  summary: "read the sessions that wait: their episodes, and proposals of learn: model",
  arguments: [],
  options: {
    quiet: { help: "no output, lowest priority, stops for a prompt; how the hooks start it" },
    "when-idle": { help: "begin when nobody has said anything in a session for a minute" },
  },
  details: [
    "The hooks start it in the background when a session has ended, or when nobody has said anything for a minute",
    "(HEED_IDLE_SECONDS sets another time). A run that finds another one at work leaves its sessions to it. `capture: off` in the config.yaml of",
    "your store, or of this repository's, turns it off.",
  ],
  async run({ args, out, open }) {
    const isInBackground = args.has("quiet");
    const waitsForIdle = args.has("when-idle");
    setTimeout(() => process.exit(EXIT.outside), MAX_RUN_MS + (waitsForIdle ? MAX_WAIT_MS : 0)).unref();
    if (isInBackground) yieldTheMachine();
    const report = await open().learning.capture({ isInBackground, waitsForIdle });
    if (isInBackground) return EXIT.done;
    out.answer(report, () => [
      ...report.sessions.map((session): Text => {
        const parts = [
          ...(session.episode === undefined ? [] : [`episode ${session.episode}`]),
          plural(
            session.proposals.filter(({ outcome }) => outcome === "proposed").length,
            "proposal",
            "proposals",
          ),
          ...(session.passedBytes > 0
            ? [`the first ${humanBytes(session.passedBytes)} passed over, as too much came at once`]
            : []),
        ];
        return [styled("bold", session.session), `  ${parts.join(", ")}`];
      }),
      ...report.problems.map((problem): Text => styled("yellow", problem)),
      ...(report.isLeftToOther ? ["Another process is at work; it takes what waits."] : []),
    ]);
    return report.problems.length > 0 ? EXIT.refused : EXIT.done;
  },
};

/** Whatever a person waits for goes first. */
function yieldTheMachine(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed here: then it runs as it is.
  }
}

import { usageError } from "../arguments/usage-error.ts";
import type { Command } from "../arguments/command.ts";

/** `heed hook`: runs as a bundle of its own (see scripts/build.mjs); here it is known to help and completion. */
export const command: Command = {
  name: "hook",
  summary: "answer a client's hook (JSON on stdin)",
  arguments: [],
  options: {
    client: { value: "NAME", help: "the client whose event it is, where the event does not tell" },
    event: { value: "NAME", help: "the event, for clients whose messages do not name it" },
    "unless-plugin": { help: "say nothing where Claude Code runs heed as a plugin too" },
  },
  details: [
    "Reads one event of the client's session as JSON from stdin and answers in the client's own form. Never fails.",
  ],
  run() {
    return Promise.reject(usageError("run it as the first word: heed hook", "hook"));
  },
};

import { CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { hasTranscriptIn, textIn } from "./dialect.ts";

/**
 * Copilot CLI, with event names as Claude Code writes them: under its own (`sessionStart`) the event does not say what
 * it is. Context counts at the top level alone; under `hookSpecificOutput` it is dropped without a word.
 */
export const copilot: Dialect = {
  client: "copilot",
  title: "Copilot CLI",
  isSpokenIn: (fields) =>
    textIn(fields, "initial_prompt") !== undefined || hasTranscriptIn(fields, "/.copilot/session-state/"),
  env: ["COPILOT_CLI"],
  events: CLAUDE_EVENTS,
  tools: {
    bash: "Bash",
    powershell: "Bash",
    create: "Write",
    edit: "Edit",
    view: "Read",
    str_replace_editor: "Edit",
  },
  context: ["session-start", "prompt"],
  decides: "deny",
  runsOthersHooks: true,
  reply({ context, decision }) {
    if (decision)
      return {
        stdout: { permissionDecision: decision.action, permissionDecisionReason: decision.reason },
      };
    return context === undefined ? undefined : { stdout: { additionalContext: context } };
  },
  keepsTranscripts: true,
  seen: "live",
};

import type { ClientPlaces } from "../entry/client-places.ts";
import type { FilePlan, Launch } from "../entry/client.ts";
import { CLAUDE_NAMED } from "../entry/hook-pieces.ts";
import { launchLine } from "../entry/launch-line.ts";

/**
 * The hooks file that Copilot CLI and VS Code's agent both read. Without a client's name: who runs it tells by what it
 * sends. Events under Claude Code's names, as Copilot's own do not say in the message what they are.
 */
export function copilotHooks({ home, env, join }: ClientPlaces, launch: Launch): FilePlan {
  const hook = { type: "command", command: launchLine(launch, "hook"), timeout: 10 };
  const events = Object.keys(CLAUDE_NAMED).filter((event) => event !== "SubagentStart");
  const hooks = Object.fromEntries(events.map((event) => [event, [hook]]));
  return {
    file: join(env["COPILOT_HOME"] || join(home, ".copilot"), "hooks", "heed.json"),
    pieces: [{ kind: "file", text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n` }],
  };
}

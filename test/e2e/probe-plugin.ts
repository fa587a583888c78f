import { join } from "node:path";
import type { Sandbox } from "./client/sandbox.ts";

/** A plugin whose hook for each of the events adds "WORDS OF <event>" to the context. Returns its folder. */
export function probePlugin(sandbox: Sandbox, events: readonly string[]): string {
  const folder = join(sandbox.root, "probe-plugin");
  sandbox.write(
    join(folder, ".claude-plugin", "plugin.json"),
    JSON.stringify({ name: "probe", version: "0.0.1" }),
  );
  const hooks: Record<string, unknown> = {};
  for (const event of events) {
    const output = { hookSpecificOutput: { hookEventName: event, additionalContext: `WORDS OF ${event}` } };
    const file = sandbox.write(join(folder, `${event}.json`), JSON.stringify(output));
    hooks[event] = [{ hooks: [{ type: "command", command: `cat > /dev/null; cat '${file}'` }] }];
  }
  sandbox.write(join(folder, "hooks", "hooks.json"), JSON.stringify({ hooks }));
  return folder;
}

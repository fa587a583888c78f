import { readFileSync } from "node:fs";
import { openHeed } from "../../heed.ts";

const event = JSON.parse(readFileSync(0, "utf8")) as {
  hook_event_name: string;
  cwd: string;
  session_id: string;
};
if (event.hook_event_name === "SessionStart") {
  void openHeed({ cwd: event.cwd })
    .onEvent({
      kind: "session-start",
      source: "startup",
      session: event.session_id,
      cwd: event.cwd,
      client: "claude-code",
    })
    .then(({ context }) => {
      if (context === undefined) return;
      process.stdout.write(
        JSON.stringify({
          hookSpecificOutput: { hookEventName: event.hook_event_name, additionalContext: context },
        }),
      );
    });
}

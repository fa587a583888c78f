import { readFileSync } from "node:fs";
import { openHeed } from "../../heed.ts";

const event = JSON.parse(readFileSync(0, "utf8")) as { hook_event_name: string; cwd: string };
if (event.hook_event_name === "SessionStart") {
  const additionalContext = openHeed({ cwd: event.cwd }).sessionContext();
  if (additionalContext !== "") {
    process.stdout.write(
      JSON.stringify({ hookSpecificOutput: { hookEventName: event.hook_event_name, additionalContext } }),
    );
  }
}

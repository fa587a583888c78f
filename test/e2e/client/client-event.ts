/** One line of the client's stream of events; only what scenarios read. */
export interface ClientEvent {
  type: string;
  subtype?: string;
  session_id?: string;
  hook_event?: string;
  hook_name?: string;
  stdout?: string;
  stderr?: string;
  outcome?: string;
  is_error?: boolean;
  plugins?: { name: string }[];
}

/** What one hook gave back. */
export interface HookOutcome {
  /** The event, for example `SessionStart`. */
  event: string;
  /** The event with what it matched on, for example `SessionStart:startup`. */
  name: string;
  outcome: string;
  stderr: string;
  /** What it added to the context; empty when it added nothing. */
  context: string;
}

/** The event on a line, or undefined when the line is something else. */
export function parseEvent(line: string): ClientEvent | undefined {
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    return undefined;
  }
}

/** The outcomes of all hooks, in the order in which they ended. */
export function hookOutcomes(events: readonly ClientEvent[]): HookOutcome[] {
  return events
    .filter((event) => event.subtype === "hook_response")
    .map(({ hook_event = "", hook_name = "", outcome = "", stdout = "", stderr = "" }) => {
      return { event: hook_event, name: hook_name, outcome, stderr, context: addedContext(stdout) };
    });
}

/** A line of the debug log about a hook: `"Hook SessionStart:startup (SessionStart) success:\\n{…}"`. */
const LOGGED_HOOK = /^\S+ \[\w+\] ("Hook .*")$/gm;

/** The outcomes of hooks that the debug log of an interactive client tells, in the order in which they ended. */
export function hooksInLog(log: string): HookOutcome[] {
  return [...log.matchAll(LOGGED_HOOK)].flatMap(([, line = '""']) => {
    const text = JSON.parse(line) as string;
    const [, name = "", event = "", outcome = "", stdout = ""] =
      /^Hook (.+?) \((\w+)\) (\w+):\n([^]*)$/.exec(text) ?? [];
    const context = outcome === "success" ? addedContext(stdout) : "";
    return event === "" ? [] : [{ event, name, outcome, stderr: "", context }];
  });
}

function addedContext(stdout: string): string {
  try {
    const output = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext?: string } };
    return output.hookSpecificOutput?.additionalContext ?? "";
  } catch {
    // Plain text is context too, for the events that allow it.
    return stdout.trimStart().startsWith("{") ? "" : stdout;
  }
}

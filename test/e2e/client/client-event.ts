/** One line of the client's stream of events; only what scenarios read. */
export interface ClientEvent {
  type: string;
  subtype?: string;
  session_id?: string;
  hook_event?: string;
  hook_name?: string;
  stdout?: string;
  stderr?: string;
  exit_code?: number;
  outcome?: string;
  is_error?: boolean;
  result?: string;
  tools?: string[];
  mcp_servers?: { name: string; status: string }[];
  plugins?: { name: string; path: string }[];
  claude_code_version?: string;
}

/** What one hook gave back. */
export interface HookOutcome {
  /** The event, for example `SessionStart`. */
  event: string;
  /** The event with what it matched on, for example `SessionStart:startup`. */
  name: string;
  outcome: string;
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  /** What it added to the context; empty when it added nothing. */
  context: string;
}

/** What the client says about itself when it starts. */
export interface SessionInit {
  version: string;
  tools: string[];
  mcpServers: { name: string; status: string }[];
  plugins: { name: string; path: string }[];
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
    .map((event) => ({
      event: event.hook_event ?? "",
      name: event.hook_name ?? "",
      outcome: event.outcome ?? "",
      exitCode: event.exit_code,
      stdout: event.stdout ?? "",
      stderr: event.stderr ?? "",
      context: addedContext(event.stdout ?? ""),
    }));
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
    return event === "" ? [] : [{ event, name, outcome, exitCode: undefined, stdout, stderr: "", context }];
  });
}

/** The first description that the client gives of itself; throws when it never came so far. */
export function initOf(events: readonly ClientEvent[]): SessionInit {
  const init = events.find((event) => event.subtype === "init");
  if (init === undefined) throw new Error("the client never started a session");
  return {
    version: init.claude_code_version ?? "",
    tools: init.tools ?? [],
    mcpServers: init.mcp_servers ?? [],
    plugins: init.plugins ?? [],
  };
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

import { execFile } from "node:child_process";
import type { Client, ClientPlaces, Piece, ProtectedFolders } from "../entry/client.ts";
import { editRulePieces, itemPieces, launchLine, serverPiece } from "../entry/client.ts";

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  folders: (places) => [settingsFolder(places)],
  checksStarts: true,
  async plan({ places, launch, scope, root }) {
    const { home, env, join } = places;
    const isProject = scope === "project";
    const isResident = knowsResidentHooks(await claudeVersion(env));
    const hooks = claudeHooks({
      server: "heed",
      ...(isResident
        ? { command: launch.command, args: [...launch.args, "hook", "--unless-plugin"] }
        : { command: launchLine(launch, "hook") }),
    });
    return [
      {
        file: isProject ? join(root, ".mcp.json") : join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
        pieces: [serverPiece("mcpServers", launch, { type: "stdio" })],
      },
      {
        file: join(isProject ? join(root, ".claude") : settingsFolder(places), "settings.json"),
        pieces: Object.entries(hooks).flatMap(([event, groups]) =>
          groups.map((value): Piece => ({ kind: "item", path: ["hooks", event], value })),
        ),
      },
    ];
  },
  permissions: ({ places, protectedFolders }) => ({
    file: places.join(settingsFolder(places), "settings.json"),
    rules: claudeRules(protectedFolders, places.home),
  }),
};

const settingsFolder = ({ home, env, join }: ClientPlaces): string =>
  env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");

/** Rules for heed's folders; by `denyWrite` the kernel refuses them in its sandbox, which none of this turns on. */
export function claudeRules(folders: ProtectedFolders, home: string): Piece[] {
  return [
    ...editRulePieces(folders, home),
    ...itemPieces(["sandbox", "filesystem", "denyWrite"], [...folders.records, ...folders.stores]),
  ];
}

const TIMEOUT_MS = 10_000;

/** The first version that knows both `mcp_tool` hooks (2.1.118) and commands with `args` (2.1.139). */
const RESIDENT_SINCE = "2.1.139";

function claudeVersion(env: ClientPlaces["env"]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024, env: { ...env }, windowsHide: true };
    execFile("claude", ["--version"], options, (error, stdout) =>
      resolve(error === null ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined),
    );
  });
}

/** An unknown version does not know the hooks that call the resident server. */
function knowsResidentHooks(version: string = "0.0.0"): boolean {
  return version.localeCompare(RESIDENT_SINCE, "en", { numeric: true }) >= 0;
}

interface HookTarget {
  command: string;
  /** Events call the server, and what runs a process does so without a shell; absent for clients before 2.1.139. */
  args?: readonly string[];
  server: string;
}

/** Seconds after which the client goes on without a hook; heed ends before, this is for a process that hangs. */
const COMMAND_TIMEOUT_S = 5;
const TOOL_TIMEOUT_S = 3;
/** At the end of a turn the user may be asked something; then the client takes the dialog away. */
const STOP_TIMEOUT_S = 48;

/** Tools that name paths, run commands or reach out: what rules with paths and guards are about. */
const GUARDED_TOOLS =
  "Read|Edit|Write|MultiEdit|NotebookEdit|Bash|Grep|Glob|WebFetch|WebSearch|mcp__(?!plugin_heed_heed__|heed__).*";
const CHANGING_TOOLS = "Edit|Write|MultiEdit|NotebookEdit|Bash|mcp__(?!plugin_heed_heed__|heed__).*";
/** heed's own tools, but for the one that hooks call: the hook tells the server whose call it is. */
const OWN_TOOLS = "mcp__(?:plugin_heed_heed|heed)__memory_(?!hook$)[a-z]+";

const EVERY_EVENT = ["session_id", "transcript_path", "cwd", "agent_id", "permission_mode"];

/** Tools for which each event is wanted (default: all), and what the server is told besides `EVERY_EVENT`. */
const EVENTS: Readonly<Record<string, { matcher?: string; toolFields?: readonly string[] }>> = {
  // Without fields always a command: there is no server at a start and end, and a subagent must have its rules.
  SessionStart: {},
  SubagentStart: {},
  UserPromptSubmit: { toolFields: ["source", "prompt"] },
  PreToolUse: {
    matcher: `^(?:${GUARDED_TOOLS}|${OWN_TOOLS})$`,
    toolFields: ["tool_name", "tool_input", "tool_use_id"],
  },
  // Of these tools guards ask what was changed and what passed.
  PostToolUse: { matcher: `^(?:${CHANGING_TOOLS})$`, toolFields: ["tool_name", "tool_input"] },
  PostToolUseFailure: { toolFields: ["tool_name", "tool_input", "error"] },
  PreCompact: {},
  Stop: { toolFields: ["last_assistant_message", "stop_hook_active"] },
  SessionEnd: {},
};

/** heed's hooks, for one way of running them. The plugin's hooks file holds the same (a test compares). */
export function claudeHooks({ command, args, server }: HookTarget): Record<string, object[]> {
  const process = { type: "command", command, ...(args && { args }), timeout: COMMAND_TIMEOUT_S };
  const groups = Object.entries(EVENTS).map(([event, { matcher, toolFields }]) => {
    // The client fills each placeholder from the event, once and as it is; what an event lacks comes empty.
    const fields = [...EVERY_EVENT, ...(toolFields ?? [])].map((field) => [field, `\${${field}}`]);
    const call = {
      type: "mcp_tool",
      server,
      tool: "memory_hook",
      timeout: event === "Stop" ? STOP_TIMEOUT_S : TOOL_TIMEOUT_S,
      input: { hook_event_name: event, ...Object.fromEntries(fields) },
    };
    const hook = args === undefined || toolFields === undefined ? process : call;
    return [event, [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }]];
  });
  return Object.fromEntries(groups);
}

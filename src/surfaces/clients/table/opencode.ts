import { type ClientPlaces, firstThere } from "../entry/client-places.ts";
import type { Client, Launch, Piece, ProtectedFolders } from "../entry/client.ts";
import { slashed } from "../entry/protected-folders.ts";
import { askHook, startsSource } from "../plugins/ask-hook.ts";

const serverOf = ({ command, args }: Launch): Piece => ({
  kind: "json-value",
  path: ["mcp", "heed"],
  value: { type: "local", command: [command, ...args, "mcp"], enabled: true },
});

/**
 * Its rules: whatever a tool or a command reaches for in heed's folders is asked about, by `external_directory`, whose
 * patterns are whole paths (those of `edit` start at the repository's root); so is an edit in any repository's `.heed`.
 * The last rule that fits counts, and `*` goes over `/`.
 */
const rulesOf = ({ records, stores }: ProtectedFolders): Piece[] => [
  asked("external_directory", [...records, ...stores].map(slashed)),
  asked("edit", [".heed", "*/.heed"]),
];
const asked = (permission: string, folders: readonly string[]): Piece => ({
  kind: "json-entries",
  path: ["permission", permission],
  entries: Object.fromEntries(folders.map((folder) => [`${folder}/*`, "ask"])),
  rest: "*",
});

/** opencode, or its fork Kilo's command line, which runs opencode's plugins unchanged. */
function opencodeLike(
  name: "opencode" | "kilo",
  more: Pick<Client, "title" | "programs">,
  endings: readonly [string, string],
): Client {
  const configOf = ({ config, join }: ClientPlaces): string =>
    firstThere(join(config, name, `${name}.json`), join(config, name, `${name}.jsonc`));
  return {
    name,
    ...more,
    folders: ({ config, join }) => [join(config, name)],
    instructions: "read",
    permissions: ({ places, protectedFolders }) => [
      { file: configOf(places), rules: rulesOf(protectedFolders) },
    ],
    checksStarts: true,
    plan({ places, launch, scope, root, starts }) {
      const { config, join } = places;
      const pieces = [serverOf(launch)];
      const [first, second] = endings.map((ending) => join(root, name + ending));
      if (scope === "project") return [{ file: firstThere(first ?? "", second ?? ""), pieces }];
      return [
        { file: configOf(places), pieces },
        {
          file: join(config, name, "plugins", "heed.js"),
          pieces: [{ kind: "file", text: opencodePlugin(name, launch, starts) }],
        },
      ];
    },
  };
}

export const opencode: Client = opencodeLike("opencode", { title: "opencode", programs: ["opencode"] }, [
  ".json",
  ".jsonc",
]);
export const kilo: Client = opencodeLike("kilo", { title: "Kilo Code", programs: ["kilo", "kilocode"] }, [
  ".jsonc",
  ".json",
]);

function opencodePlugin(client: "opencode" | "kilo", launch: Launch, starts: string): string {
  return `${askHook(client, launch, ['import { homedir } from "node:os";', 'import { join } from "node:path";'])}
/** Where the client keeps its sessions. */
const DATA = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
const DATABASE = join(DATA, "${client}", "${client}.db");

${startsSource(starts)}
/** The shell's exit code says whether a command failed. */
const hasFailed = (metadata) => typeof metadata?.exit === "number" && metadata.exit !== 0;

export const heed = async ({ directory }) => {
  /** What opens each session: told with every request, as the client keeps no system text. */
  const openings = new Map();
  const base = (session) => ({ session_id: session ?? "", cwd: directory, transcript_path: DATABASE + "#" + (session ?? "") });
  const opening = (session) => {
    if (!openings.has(session))
      openings.set(session, ask({ ...base(session), hook_event_name: "SessionStart", source: "startup" }));
    return openings.get(session);
  };
  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return;
      const { context } = await opening(sessionID);
      if (context) output.system.push(context);
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\\n");
      if (prompt.trim() === "") return;
      await opening(sessionID);
      const { context } = await ask({ ...base(sessionID), hook_event_name: "UserPromptSubmit", prompt });
      if (!context) return;
      const id = "prt_" + Date.now().toString(16).padStart(12, "0") + Math.random().toString(36).slice(2, 16).padEnd(14, "0");
      parts.push({ id, sessionID, messageID: message.id, type: "text", text: context, synthetic: true });
    },
    "shell.env": async ({ sessionID }, output) => {
      Object.assign(output.env, startsOf(sessionID ?? ""));
    },
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      const { deny } = await ask({ ...base(sessionID), hook_event_name: "PreToolUse", tool_name: tool, tool_input: args });
      if (deny) throw new Error(deny);
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!hasFailed(output?.metadata)) return;
      const event = { tool_name: tool, tool_input: args ?? {}, error: String(output.output ?? "") };
      const { context } = await ask({ ...base(sessionID), hook_event_name: "PostToolUseFailure", ...event });
      if (context) output.output += "\\n\\n" + context;
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await ask({ ...base(sessionID), hook_event_name: "PreCompact" });
      openings.delete(sessionID);
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.idle") await ask({ ...base(session), hook_event_name: "Stop" });
      if (event.type === "session.deleted") {
        openings.delete(session);
        await ask({ ...base(session), hook_event_name: "SessionEnd", reason: "deleted" });
      }
    },
  };
};
`;
}

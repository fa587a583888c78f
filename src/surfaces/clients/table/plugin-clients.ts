import {
  type Client,
  type ClientPlaces,
  type Launch,
  type Piece,
  type ProtectedFolders,
  OWN_FILE_MARK,
  firstThere,
  slashed,
} from "../entry/client.ts";

const serverOf = ({ command, args }: Launch): Piece => ({
  kind: "key",
  path: ["mcp", "heed"],
  value: { type: "local", command: [command, ...args, "mcp"], enabled: true },
});

/** Asks about heed's folders (whole paths) and edits in `.heed`. The last rule that fits counts; `*` goes over `/`. */
const rulesOf = ({ records, stores }: ProtectedFolders): Piece[] => [
  ...asked("external_directory", [...records, ...stores].map(slashed)),
  ...asked("edit", [".heed", "*/.heed"]),
];
const asked = (permission: string, folders: readonly string[]): Piece[] =>
  folders.map((folder) => ({
    kind: "key",
    path: ["permission", permission, `${folder}/*`],
    value: "ask",
    rest: "*",
  }));

/** opencode, or its fork Kilo's command line, which runs opencode's plugins unchanged. */
function opencodeLike(
  name: "opencode" | "kilo",
  title: string,
  programs: readonly string[],
  endings: readonly [string, string],
): Client {
  const configOf = ({ config, join }: ClientPlaces): string =>
    firstThere(join(config, name, `${name}.json`), join(config, name, `${name}.jsonc`));
  return {
    name,
    title,
    programs,
    folders: ({ config, join }) => [join(config, name)],
    permissions: ({ places, protectedFolders }) => ({
      file: configOf(places),
      rules: rulesOf(protectedFolders),
    }),
    checksStarts: true,
    plan({ places, launch, scope, root, starts }) {
      const { config, join } = places;
      const pieces = [serverOf(launch)];
      const [first, second] = endings;
      if (scope === "project")
        return [{ file: firstThere(join(root, name + first), join(root, name + second)), pieces }];
      const text = opencodePlugin(name, launch, starts);
      return [
        { file: configOf(places), pieces },
        { file: join(config, name, "plugins", "heed.js"), pieces: [{ kind: "file", text }] },
      ];
    },
  };
}

export const opencode: Client = opencodeLike("opencode", "opencode", ["opencode"], [".json", ".jsonc"]);
export const kilo: Client = opencodeLike("kilo", "Kilo Code", ["kilo", "kilocode"], [".jsonc", ".json"]);

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

export const pi: Client = {
  name: "pi",
  title: "pi",
  programs: ["pi"],
  folders: ({ home, join }) => [join(home, ".pi", "agent")],
  checksStarts: true,
  plan: ({ places: { home, join }, launch, scope, root, starts }) => [
    {
      file: join(...(scope === "project" ? [root, ".pi"] : [home, ".pi", "agent"]), "extensions", "heed.ts"),
      pieces: [{ kind: "file", text: piExtension(launch, scope === "user" ? starts : undefined) }],
    },
  ],
};

/** @param starts - Absent in a repository, which others read too: a path of this machine. */
function piExtension(launch: Launch, starts: string | undefined): string {
  return `// @ts-nocheck
${askHook("pi", launch)}${starts === undefined ? "" : startsSource(starts)}
const textOf = (content) =>
  (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\\n");

export default function heed(pi) {
  /** What opens this session: added to the system text with every prompt. */
  let opening;
  const base = (ctx) => ({
    session_id: ctx.sessionManager.getSessionId(),
    cwd: ctx.cwd,
    transcript_path: ctx.sessionManager.getSessionFile() ?? "",
  });
  pi.on("session_start", async (_event, ctx) => {
    opening = ask({ ...base(ctx), hook_event_name: "SessionStart", source: "startup" });${starts === undefined ? "" : "\n    Object.assign(process.env, startsOf(base(ctx).session_id));"}
  });
  pi.on("before_agent_start", async ({ prompt, systemPrompt }, ctx) => {
    opening ??= ask({ ...base(ctx), hook_event_name: "SessionStart", source: "startup" });
    const start = (await opening).context;
    const { context } = await ask({ ...base(ctx), hook_event_name: "UserPromptSubmit", prompt });
    return {
      ...(start && { systemPrompt: systemPrompt + "\\n\\n" + start }),
      ...(context && { message: { customType: "heed", content: context, display: false } }),
    };
  });
  pi.on("tool_call", async ({ toolName, input }, ctx) => {
    const event = { hook_event_name: "PreToolUse", tool_name: toolName, tool_input: input };
    const { deny } = await ask({ ...base(ctx), ...event });
    return deny ? { block: true, reason: deny } : undefined;
  });
  pi.on("tool_result", async ({ toolName, input, content, isError }, ctx) => {
    if (!isError) return undefined;
    const event = { hook_event_name: "PostToolUseFailure", tool_name: toolName, tool_input: input };
    const { context } = await ask({ ...base(ctx), ...event, error: textOf(content) });
    return context ? { content: [...content, { type: "text", text: context }] } : undefined;
  });
  pi.on("session_before_compact", async (_event, ctx) => {
    await ask({ ...base(ctx), hook_event_name: "PreCompact" });
    opening = undefined;
  });
  pi.on("agent_end", async ({ messages }, ctx) => {
    const last = messages.filter(({ role }) => role === "assistant").at(-1);
    await ask({ ...base(ctx), hook_event_name: "Stop", last_assistant_message: textOf(last?.content) });
  });
  pi.on("session_shutdown", async ({ reason }, ctx) => {
    await ask({ ...base(ctx), hook_event_name: "SessionEnd", reason });
  });
}
`;
}

/** Source of `startsOf(session)`: what a shell of a session needs so that guards see the programs that it starts. */
function startsSource(starts: string): string {
  return `
const PATH = process.env.PATH ?? "";
const OWN_BASH_ENV = process.env.BASH_ENV ?? "";
const startsOf = (session) =>
  process.platform === "win32"
    ? {}
    : {
        HEED_SESSION: session,
        PATH: ${JSON.stringify(`${starts}/bin:`)} + PATH,
        HEED_BASH_ENV: OWN_BASH_ENV,
        BASH_ENV: ${JSON.stringify(`${starts}/bash-env.sh`)},
      };
`;
}

/** Source of `ask(event)`, which resolves to the hook's answer, an empty one whatever goes wrong. */
function askHook(client: string, { command, args }: Launch, imports: readonly string[] = []): string {
  return `// ${OWN_FILE_MARK}
${['import { spawn } from "node:child_process";', ...imports].join("\n")}

const COMMAND = ${JSON.stringify(command)};
const ARGS = ${JSON.stringify([...args, "hook", "--client", client])};
/** Past this time the client goes on without an answer. */
const TIMEOUT_MS = 4000;

function ask(event) {
  return new Promise((resolve) => {
    let said = "";
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said));
      } catch {
        resolve({});
      }
    };
    const child = spawn(COMMAND, ARGS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    child.on("error", done);
    child.on("close", done);
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stdin.end(JSON.stringify(event));
  });
}
`;
}

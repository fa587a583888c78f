import { existsSync } from "node:fs";
import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, Piece } from "../entry/client.ts";
import {
  CLAUDE_NAMED,
  hookPieces,
  jsonFile,
  launchLine,
  serverCommand,
  serverPiece,
  tomlValue,
} from "../entry/pieces.ts";

/** Codex. A key that it does not know in a hook's file makes the file fail: nothing but what it names. */
export const codex: Client = {
  name: "codex",
  title: "Codex CLI",
  programs: ["codex"],
  folders: ({ home, env, join }) => [env["CODEX_HOME"] || join(home, ".codex")],
  instructions: "read",
  checksStarts: true,
  plan({ places: { home, env, join, platform }, launch, scope, root, starts }) {
    const folder = scope === "project" ? join(root, ".codex") : env["CODEX_HOME"] || join(home, ".codex");
    const { command, args } = serverCommand(launch);
    // Codex gives servers no variable of its user's: without this one the server would keep another store than the hooks.
    const moved = scope === "project" ? "" : (env["HEED_DIR"] ?? "");
    const text =
      `[mcp_servers.heed]\ncommand = ${tomlValue(command)}\nargs = ${tomlValue(args)}` +
      (moved === "" ? "" : `\n\n[mcp_servers.heed.env]\nHEED_DIR = ${tomlValue(moved)}`);
    // Each bash that Codex starts reads the file: a PATH would stand for the whole of it, as it is written.
    const bash = join(starts, "bash-env.sh");
    const own = env["BASH_ENV"] ?? "";
    const variables = [
      `BASH_ENV = ${tomlValue(bash)}`,
      ...(own === "" || own === bash ? [] : [`HEED_BASH_ENV = ${tomlValue(own)}`]),
    ];
    const shell: Piece = {
      kind: "toml",
      table: ["shell_environment_policy", "set"],
      text: `[shell_environment_policy.set]\n${variables.join("\n")}`,
    };
    const hasShell = scope === "user" && platform !== "win32";
    return [
      {
        file: join(folder, "config.toml"),
        pieces: [{ kind: "toml", table: ["mcp_servers", "heed"], text }],
        ...(hasShell && { rules: [shell], rulesName: "setting for guards on programs that start" }),
      },
      {
        file: join(folder, "hooks.json"),
        pieces: hookPieces({ client: "codex" }, launch),
      },
    ];
  },
  notes: ["Codex runs new hooks once you trust them: type /hooks in it."],
};

export const crush: Client = {
  name: "crush",
  title: "Crush",
  programs: ["crush"],
  folders: ({ config, join }) => [join(config, "crush")],
  instructions: "unknown",
  plan: ({ places: { config, join }, launch, scope, root }) => [
    {
      file: scope === "project" ? join(root, ".crush.json") : join(config, "crush", "crush.json"),
      pieces: [
        serverPiece(["mcp"], launch, { before: { type: "stdio" }, flags: ["--with-rules"] }),
        ...hookPieces(
          {
            client: "crush",
            events: { PreToolUse: "^(bash|edit|multiedit|write|view|fetch|mcp_.*)$" },
            isFlat: true,
          },
          launch,
        ),
      ],
    },
  ],
};

/** Of what Cursor tells its hooks, what heed listens to. */
export const CURSOR_EVENTS: Readonly<Record<string, string>> = {
  sessionStart: "",
  beforeSubmitPrompt: "",
  preToolUse: "",
  postToolUseFailure: "",
  preCompact: "",
  stop: "",
  sessionEnd: "",
};

/** The configuration of its command line, which makes it itself with more than heed could put there. */
const cliConfig = ({ home, env, platform, join }: ClientPlaces): string => {
  const xdg = platform === "linux" ? env["XDG_CONFIG_HOME"] : undefined;
  const folder = env["CURSOR_CONFIG_DIR"] || (xdg ? join(xdg, "cursor") : join(home, ".cursor"));
  return join(folder, "cli-config.json");
};

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  folders: ({ home, application, join }) => [join(home, ".cursor"), join(application, "Cursor")],
  instructions: "unknown",
  permissions({ places, protectedFolders: { records } }) {
    const file = cliConfig(places);
    if (!existsSync(file)) return [];
    const values = records.map((folder) => `Write(${places.join(folder, "**")})`);
    return [{ file, rules: [{ kind: "json-values", path: ["permissions", "deny"], values }] }];
  },
  plan({ places: { home, join }, launch, scope, root }) {
    const folder = join(scope === "project" ? root : home, ".cursor");
    return [
      { file: join(folder, "mcp.json"), pieces: [serverPiece(["mcpServers"], launch)] },
      {
        file: join(folder, "hooks.json"),
        pieces: [
          { kind: "json-value", path: ["version"], value: 1 },
          ...hookPieces({ client: "cursor", events: CURSOR_EVENTS, isFlat: true }, launch),
        ],
      },
    ];
  },
};

/** Factory Droid: events are at the top level of its hooks file. */
export const droid: Client = {
  name: "droid",
  title: "Factory Droid",
  programs: ["droid"],
  folders: ({ home, join }) => [join(home, ".factory")],
  instructions: "not read",
  plan({ places: { home, join }, launch, scope, root }) {
    const folder = join(scope === "project" ? root : home, ".factory");
    return [
      {
        file: join(folder, "mcp.json"),
        pieces: [serverPiece(["mcpServers"], launch, { before: { type: "stdio" } })],
      },
      {
        file: join(folder, "hooks.json"),
        pieces: hookPieces(
          { client: "droid", path: [], events: { ...CLAUDE_NAMED, PostToolUse: "Execute" } },
          launch,
        ),
      },
    ];
  },
};

const KIMI_EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "Stop", "SessionEnd"];

export const kimi: Client = {
  name: "kimi",
  title: "Kimi Code",
  programs: ["kimi"],
  folders: ({ home, join }) => [join(home, ".kimi-code")],
  instructions: "not read",
  plan({ places: { home, join }, launch, scope }) {
    if (scope === "project") return undefined;
    const folder = join(home, ".kimi-code");
    const command = tomlValue(launchLine(launch, "hook", "--client", "kimi"));
    const hooks = KIMI_EVENTS.map(
      (event) => `[[hooks]]\nevent = ${tomlValue(event)}\ncommand = ${command}\ntimeout = 10`,
    );
    return [
      {
        file: join(folder, "config.toml"),
        pieces: [{ kind: "toml", table: ["hooks"], text: hooks.join("\n\n") }],
      },
      { file: join(folder, "mcp.json"), pieces: [serverPiece(["mcpServers"], launch)] },
    ];
  },
};

const WINDSURF_EVENTS = [
  "pre_user_prompt",
  "pre_run_command",
  "pre_write_code",
  "pre_mcp_tool_use",
  "post_cascade_response",
];

/** Windsurf, now under Devin Desktop. */
export const windsurf: Client = {
  name: "windsurf",
  title: "Windsurf",
  programs: ["windsurf"],
  folders: ({ home, join }) => [join(home, ".codeium", "windsurf")],
  instructions: "unknown",
  plan({ places: { home, join }, launch, scope, root }) {
    const command = launchLine(launch, "hook", "--client", "windsurf");
    const hooks = WINDSURF_EVENTS.map((event) => ({
      kind: "json-item" as const,
      path: ["hooks", event],
      value: { command, show_output: false },
    }));
    if (scope === "project") return [{ file: join(root, ".windsurf", "hooks.json"), pieces: hooks }];
    const folder = join(home, ".codeium", "windsurf");
    return [
      {
        file: join(folder, "mcp_config.json"),
        pieces: [serverPiece(["mcpServers"], launch, { flags: ["--with-rules"] })],
      },
      { file: join(folder, "hooks.json"), pieces: hooks },
    ];
  },
};

const GOOSE_EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"];

/** Goose: nothing that a hook says reaches the model, so the server says the rules. */
export const goose: Client = {
  name: "goose",
  title: "Goose",
  programs: ["goose"],
  folders: ({ config, application, platform, join }) => [
    platform === "win32" ? join(application, "Block", "goose") : join(config, "goose"),
  ],
  instructions: "unknown",
  plan({ places: { home, config, application, platform, join }, launch, scope, root }) {
    const hook = { type: "command", command: launchLine(launch, "hook", "--client", "goose"), timeout: 10 };
    // No pattern of tools: a bare star would turn the rule off.
    const hooks = Object.fromEntries(GOOSE_EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
    const folder = join(scope === "project" ? root : home, ".agents", "plugins", "heed");
    const { command, args } = serverCommand(launch, "--with-rules");
    const settings =
      platform === "win32" ? join(application, "Block", "goose", "config") : join(config, "goose");
    return [
      ...(scope === "project"
        ? []
        : [
            {
              file: join(settings, "config.yaml"),
              pieces: [
                {
                  kind: "yaml" as const,
                  key: "extensions",
                  name: "heed",
                  isList: false,
                  value: { name: "heed", type: "stdio", cmd: command, args, enabled: true, timeout: 60 },
                },
              ],
            },
          ]),
      {
        file: join(folder, "plugin.json"),
        pieces: [jsonFile({ name: "heed", version: "1.0.0", description: "heed's hooks (heed init)" })],
      },
      { file: join(folder, "hooks", "hooks.json"), pieces: [jsonFile({ hooks })] },
    ];
  },
};

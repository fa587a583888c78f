import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "../client/sandbox.ts";

/** A client beside Claude Code: how it is installed, pointed at the scripted model, and run once. */
export interface AgentClient {
  /** As `heed init --client` names it. */
  name: string;
  /** Folder in the cache. */
  version: string;
  packages: readonly string[];
  /** What is run, below `node_modules`. */
  program: readonly string[];
  /** Its own settings beside heed's, written after `heed init`. */
  configure?(sandbox: Sandbox): void;
  env?(sandbox: Sandbox): Record<string, string>;
  /** Command lines before the one with the prompt. */
  prepare?(sandbox: Sandbox): readonly string[][];
  args(prompt: string): readonly string[];
  /** How it is run with a user before it; absent where no scenario does. */
  interactive?: {
    args: readonly string[];
    /** What it asks first, to be answered by Enter. */
    asksFirst?: RegExp;
    /** Shown once it takes prompts. */
    ready: RegExp;
  };
  /** Default: true. */
  hasServer?: false;
  /** How its own rules about heed's folders are tried; absent where it has none, or keeps them in no headless run. */
  permissions?: {
    /** Lets it do all without asking, as its user may have it: before `heed init`. */
    allowAll?: (sandbox: Sandbox) => void;
    /** Takes heed's hooks away: what is left is the client's. */
    withoutHooks: (sandbox: Sandbox) => void;
    /** How it is run to try its file tool, if not as elsewhere. */
    fileTool?: Pick<AgentClient, "args">;
    /** Its rules for paths hold for the commonest commands on files too. */
    readsCommands?: boolean;
  };
  /** Its sessions lie in a database, which not every Node can read. */
  hasDatabase?: boolean;
  /** Whether heed reads its transcripts. Default: true. */
  hasHistory?: false;
}

function editJson(file: string, edit: (root: Record<string, unknown>) => void): void {
  const root = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
  edit(root);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(root, null, 2));
}

/** Puts lines above and below those of a TOML file. */
function wrapToml(file: string, above: string, below: string): void {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${above}\n${text}`);
  appendFileSync(file, `\n${below}\n`);
}

const OPENCODE = [".config", "opencode"];

const withoutHooks =
  (folder: string): NonNullable<AgentClient["permissions"]>["withoutHooks"] =>
  ({ home }) =>
    editJson(join(home, folder, "settings.json"), (root) => {
      delete root["hooks"];
    });

/** The clients that npm has, pinned. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  {
    name: "codex",
    version: "codex-0.169.0",
    packages: ["@openai/codex@0.169.0"],
    program: [".bin", "codex"],
    configure: ({ home, apiAddress }) =>
      wrapToml(
        join(home, ".codex", "config.toml"),
        'model = "scripted"\nmodel_provider = "x"',
        `[model_providers.x]\nname = "x"\nbase_url = "${apiAddress}/v1"\nwire_api = "responses"\nenv_key = "X_KEY"`,
      ),
    env: () => ({ X_KEY: "none" }),
    args: (prompt) => [
      "exec",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      prompt,
    ],
    interactive: {
      args: ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
      asksFirst: /Trust this folder\?/,
      ready: /Ask Codex to do anything/,
    },
  },
  {
    name: "gemini",
    version: "gemini-0.61.0",
    packages: ["@google/gemini-cli@0.61.0"],
    program: [".bin", "gemini"],
    configure: ({ home }) =>
      editJson(join(home, ".gemini", "settings.json"), (root) => {
        root["security"] = { auth: { selectedType: "gemini-api-key" } };
      }),
    env: ({ apiAddress }) => ({
      GOOGLE_GEMINI_BASE_URL: apiAddress,
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
    permissions: {
      // Its file tools reach the workspace alone.
      allowAll: ({ home }) =>
        editJson(join(home, ".gemini", "settings.json"), (root) => {
          root["context"] = { includeDirectories: [home] };
        }),
      withoutHooks: withoutHooks(".gemini"),
    },
    args: (prompt) => ["-m", "gemini-2.5-pro", "--yolo", "-p", prompt],
    interactive: { args: ["-m", "gemini-2.5-pro", "--yolo"], ready: /MCP server[^]*Type your message/ },
  },
  {
    name: "copilot",
    version: "copilot-1.0.102",
    packages: ["@github/copilot@1.0.102"],
    program: [".bin", "copilot"],
    env: ({ apiAddress }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${apiAddress}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_WIRE_API: "completions",
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
      COPILOT_ALLOW_ALL: "true",
    }),
    args: (prompt) => ["--allow-all-tools", "-p", prompt],
  },
  {
    name: "qwen",
    version: "qwen-0.24.4",
    packages: ["@qwen-code/qwen-code@0.24.4"],
    program: [".bin", "qwen"],
    configure: ({ home }) =>
      editJson(join(home, ".qwen", "settings.json"), (root) => {
        root["security"] = { auth: { selectedType: "openai" } };
      }),
    env: ({ apiAddress }) => ({
      OPENAI_BASE_URL: `${apiAddress}/v1`,
      OPENAI_API_KEY: "none",
      OPENAI_MODEL: "scripted",
    }),
    permissions: {
      allowAll: ({ home }) =>
        editJson(join(home, ".qwen", "settings.json"), (root) => {
          root["permissions"] = { allow: ["Edit", "WriteFile", "mcp__heed"] };
          root["memory"] = { enableManagedAutoMemory: false };
          root["tools"] = { toolSearch: { enabled: false } };
        }),
      withoutHooks: withoutHooks(".qwen"),
      readsCommands: true,
      // With `--yolo` it asks nothing; commands run with it alone.
      fileTool: { args: (prompt) => ["-p", prompt] },
    },
    args: (prompt) => ["--yolo", "-p", prompt],
  },
  {
    name: "opencode",
    hasDatabase: true,
    version: "opencode-1.18.33",
    packages: ["opencode-ai@1.18.33"],
    program: ["opencode-linux-x64", "bin", "opencode"],
    configure: ({ home, apiAddress }) =>
      editJson(join(home, ...OPENCODE, "opencode.json"), (root) => {
        const options = { baseURL: `${apiAddress}/v1`, apiKey: "none" };
        root["provider"] = { x: { npm: "@ai-sdk/openai-compatible", options, models: { scripted: {} } } };
        root["model"] = "x/scripted";
      }),
    permissions: {
      readsCommands: true,
      allowAll: ({ home }) =>
        editJson(join(home, ...OPENCODE, "opencode.json"), (root) => {
          root["permission"] = "allow";
        }),
      withoutHooks: ({ home }) => rmSync(join(home, ...OPENCODE, "plugins", "heed.js")),
    },
    env: () => ({ npm_config_fetch_retries: "0", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    args: (prompt) => ["run", prompt],
  },
  {
    name: "pi",
    hasHistory: false,
    version: "pi-0.73.1",
    packages: ["@mariozechner/pi-coding-agent@0.73.1"],
    program: [".bin", "pi"],
    hasServer: false,
    configure: ({ home, apiAddress }) =>
      editJson(join(home, ".pi", "agent", "models.json"), (root) => {
        const model = {
          id: "scripted",
          name: "scripted",
          reasoning: false,
          input: ["text"],
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          contextWindow: 100_000,
          maxTokens: 1000,
        };
        const x = { baseUrl: `${apiAddress}/v1`, api: "openai-completions", apiKey: "none", models: [model] };
        root["providers"] = { x };
      }),
    args: (prompt) => ["--provider", "x", "--model", "scripted", "-p", prompt],
  },
];

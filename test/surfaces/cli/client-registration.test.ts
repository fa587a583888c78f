import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isHeedHook } from "../../../src/surfaces/cli/client-registration/claude-hooks.ts";
import { knowsResidentHooks } from "../../../src/surfaces/cli/client-registration/claude-version.ts";
import { KNOWN_CLIENTS } from "../../../src/surfaces/cli/client-registration/known-clients.ts";
import {
  registerClient,
  type RegistrationReport,
  type RegistrationRequest,
} from "../../../src/surfaces/cli/client-registration/register-client.ts";
import { sandboxHome, type SandboxHome } from "../sandbox-home.ts";

const SCRIPT = "/opt/heed's place/heed.cjs";

function register(home: SandboxHome, more: Partial<RegistrationRequest> = {}): Promise<RegistrationReport> {
  return registerClient({
    client: "claude-code",
    scope: "user",
    projectRoot: home.work,
    script: SCRIPT,
    env: { ...home.env, PATH: `${join(home.root, "bin")}:${process.env["PATH"]}` },
    ...more,
  });
}

/** A `claude` on the PATH that says which version it is. */
function installClaude(home: SandboxHome, answer: string): void {
  chmodSync(home.write("bin/claude", `#!/bin/sh\n${answer}\n`), 0o755);
}

const read = (home: SandboxHome, path: string): string => readFileSync(join(home.root, path), "utf8");
const json = (home: SandboxHome, path: string): Record<string, unknown> =>
  JSON.parse(read(home, path)) as Record<string, unknown>;

const typesOf = (settings: Record<string, unknown>): string[] => [
  ...new Set(
    [...JSON.stringify(settings["hooks"]).matchAll(/"type":"(\w+)"/g)].map((match) => match[1] ?? ""),
  ),
];

describe("Claude Code", () => {
  test.each([
    ["2.1.330 (Claude Code)", "resident", ["command", "mcp_tool"]],
    ["2.1.139 (Claude Code)", "resident", ["command", "mcp_tool"]],
    ["2.1.138 (Claude Code)", "command", ["command"]],
    ["2.1.112 (Claude Code)", "command", ["command"]],
  ])("of %s gets %s hooks", async (version, variant, types) => {
    const home = sandboxHome();
    installClaude(home, `echo "${version}"`);
    const report = await register(home);
    expect(report).toMatchObject({ variant, clientVersion: version.split(" ")[0] });
    const settings = json(home, ".claude/settings.json");
    expect(typesOf(settings)).toEqual(types);
    // Where the plugin's own hooks work, these make way for them.
    expect(read(home, ".claude/settings.json").includes("--unless-plugin")).toBe(variant === "resident");
    expect(Object.keys(settings["hooks"] as object)).toEqual([
      "SessionStart",
      "SubagentStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUseFailure",
      "PreCompact",
      "Stop",
      "SessionEnd",
    ]);
    expect(json(home, ".claude.json")["mcpServers"]).toMatchObject({
      heed: { type: "stdio", command: process.execPath, args: [SCRIPT, "mcp"] },
    });
  });

  test("older ones get no `args`, which they do not know, but one quoted command line", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.112 (Claude Code)"');
    await register(home);
    const text = read(home, ".claude/settings.json");
    expect(text).not.toContain('"args"');
    expect(text).toContain(`\\"${SCRIPT}\\" hook`);
  });

  test.each(["exit 1", "echo nonsense", "kill -9 $$"])(
    "that answers with `%s` gets the hooks that all know",
    async (answer) => {
      const home = sandboxHome();
      installClaude(home, answer);
      const report = await register(home);
      expect(report.variant).toBe("command");
      expect(report.notes.join()).toContain("no answer");
    },
  );

  test("is registered with once, however often it is asked for", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    await register(home);
    const before = [read(home, ".claude/settings.json"), read(home, ".claude.json")];
    const report = await register(home);
    expect(report.changes.map(({ action }) => action)).toEqual(["unchanged", "unchanged"]);
    expect([read(home, ".claude/settings.json"), read(home, ".claude.json")]).toEqual(before);
  });

  test("changes its variant with the client's version and leaves no hook of the other", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.112"');
    await register(home);
    installClaude(home, 'echo "2.1.330"');
    await register(home);
    const updated = read(home, ".claude/settings.json");
    const fresh = sandboxHome();
    installClaude(fresh, 'echo "2.1.330"');
    await register(fresh);
    expect(updated).toBe(read(fresh, ".claude/settings.json"));
  });

  test("keeps everything that is not heed's, and takes out only its own", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    const settings = {
      model: "opus",
      hooks: {
        Notification: [{ hooks: [{ type: "command", command: "beep" }] }],
        SessionStart: [
          { matcher: "startup", hooks: [{ type: "command", command: "heedless hook" }] },
          { hooks: [{ type: "command", command: "other" }] },
        ],
        Custom: "not a list",
      },
      permissions: { allow: ["Bash(ls)"] },
    };
    const state = { numStartups: 7, mcpServers: { other: { command: "x" } }, projects: { "/a": {} } };
    const settingsText = `${JSON.stringify(settings, null, 4)}\n`;
    const stateText = JSON.stringify(state, null, 2);
    home.write(".claude/settings.json", settingsText);
    home.write(".claude.json", stateText);

    const added = await register(home);
    expect(json(home, ".claude/settings.json")).toMatchObject({
      model: "opus",
      permissions: settings.permissions,
    });
    const hooks = json(home, ".claude/settings.json")["hooks"] as Record<string, unknown[]>;
    expect(hooks["Notification"]).toEqual(settings.hooks.Notification);
    expect(hooks["SessionStart"]?.slice(0, 2)).toEqual(settings.hooks.SessionStart);
    expect(hooks["SessionStart"]).toHaveLength(3);
    expect(hooks["Custom"]).toBe("not a list");
    expect(json(home, ".claude.json")["mcpServers"]).toHaveProperty("other");
    for (const { backup } of added.changes) expect(existsSync(backup ?? "")).toBe(true);

    await register(home, { isRemoval: true });
    expect(read(home, ".claude/settings.json")).toBe(settingsText);
    expect(read(home, ".claude.json")).toBe(stateText);
  });

  test("leaves no empty shells behind when nothing else was there", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    await register(home);
    await register(home, { isRemoval: true });
    expect(json(home, ".claude/settings.json")).toEqual({});
    expect(json(home, ".claude.json")).toEqual({});
  });

  test("with the plugin installed is left alone: everything would come twice", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    home.write(".claude/settings.json", '{"enabledPlugins":{"heed@heed":true}}');
    const report = await register(home);
    expect(report.changes).toEqual([]);
    expect(report.notes.join()).toContain("plugin is installed");
    expect(existsSync(join(home.root, ".claude.json"))).toBe(false);
  });

  test("is shown what would change, and nothing changes, in a dry run", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    const report = await register(home, { isDryRun: true });
    expect(report.changes.map(({ action }) => action)).toEqual(["created", "created"]);
    expect(report.changes[1]?.text).toContain("memory_hook");
    expect(existsSync(join(home.root, ".claude"))).toBe(false);
  });

  test("in a repository is registered with by a name that is the same on every machine", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    await register(home, { scope: "project" });
    const text = read(home, "work/.claude/settings.json") + read(home, "work/.mcp.json");
    expect(text).not.toContain(SCRIPT);
    expect(text).not.toContain(process.execPath);
    expect(json(home, "work/.mcp.json")).toMatchObject({ mcpServers: { heed: { command: "heed" } } });
  });

  test("follows a link instead of replacing it", async () => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    home.write("dotfiles/settings.json", "{}\n");
    mkdirSync(join(home.root, ".claude"));
    symlinkSync(join(home.root, "dotfiles/settings.json"), join(home.root, ".claude/settings.json"));
    await register(home);
    expect(lstatSync(join(home.root, ".claude/settings.json")).isSymbolicLink()).toBe(true);
    expect(read(home, "dotfiles/settings.json")).toContain("memory_hook");
  });

  test.each([
    ["with comments", '{ // mine\n "a": 1 }'],
    ["cut off", '{"a":'],
    ["holding a list", "[]"],
    ["with servers that are no object", '{"mcpServers": []}'],
  ])("a file %s is refused and stays as it is", async (_case, text) => {
    const home = sandboxHome();
    installClaude(home, 'echo "2.1.330"');
    home.write(".claude.json", text);
    await expect(register(home)).rejects.toMatchObject({
      code: "invalid-input",
      // What to add by hand stands in the message.
      message: expect.stringContaining('{"mcpServers":{"heed":{"type":"stdio"') as string,
    });
    expect(read(home, ".claude.json")).toBe(text);
    expect(existsSync(join(home.root, ".claude"))).toBe(false);
  });

  test.each(["{", '{"hooks": {"Stop": "x"}}'])(
    "settings of %j are refused before the server is added",
    async (text) => {
      const home = sandboxHome();
      installClaude(home, 'echo "2.1.330"');
      home.write(".claude/settings.json", text);
      await expect(register(home)).rejects.toMatchObject({ code: "invalid-input" });
      expect(existsSync(join(home.root, ".claude.json"))).toBe(false);
    },
  );
});

describe("other clients", () => {
  const others = KNOWN_CLIENTS.filter(({ name }) => name !== "claude-code");

  test.each(others.map(({ name }) => name))("%s: one entry, once, and out again", async (client) => {
    const home = sandboxHome();
    const [first] = (await register(home, { client })).changes;
    expect(first?.action).toBe("created");
    const written = readFileSync(first?.file ?? "", "utf8");
    expect(written).toContain("mcp");
    expect(written).toContain("heed");
    expect((await register(home, { client })).changes[0]?.action).toBe("unchanged");
    await register(home, { client, isRemoval: true });
    expect(readFileSync(first?.file ?? "", "utf8").trim()).toMatch(/^(?:\{\})?$/);
  });

  test("Codex's file keeps its comments and tables, before and after", async () => {
    const home = sandboxHome();
    const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # kept\n';
    home.write(".codex/config.toml", before);
    await register(home, { client: "codex" });
    const text = read(home, ".codex/config.toml");
    expect(text.startsWith(before)).toBe(true);
    expect(text).toContain(`args = [${JSON.stringify(SCRIPT)}, "mcp"]`);
    await register(home, { client: "codex", isRemoval: true });
    expect(read(home, ".codex/config.toml")).toBe(before);
  });

  test.each(["[mcp_servers.heed]", '[ mcp_servers . "heed" ]', "[mcp_servers.heed.env]"])(
    "Codex's own %s is left to its owner",
    async (table) => {
      const home = sandboxHome();
      home.write(".codex/config.toml", `${table}\nx = 1\n`);
      await expect(register(home, { client: "codex" })).rejects.toMatchObject({ code: "invalid-input" });
      expect(read(home, ".codex/config.toml")).toBe(`${table}\nx = 1\n`);
    },
  );

  test("an unknown one is refused with the known ones", async () => {
    await expect(register(sandboxHome(), { client: "emacs" })).rejects.toThrow(/claude-code, .*cursor/);
  });

  test("one without a configuration per project is refused there", async () => {
    const home = sandboxHome();
    await expect(register(home, { client: "windsurf", scope: "project" })).rejects.toThrow(/--user/);
  });
});

test.each([
  [undefined, false],
  ["2.1.138", false],
  ["2.1.139", true],
  ["2.0.999", false],
  ["2.2.0", true],
  ["3.0.0", true],
  ["1.9.999", false],
  ["2.1", false],
])("version %s knows resident hooks: %s", (version, expected) => {
  expect(knowsResidentHooks(version)).toBe(expected);
});

test.each([
  [{ type: "command", command: "node", args: ["/a/heed.cjs", "hook"] }, true],
  [{ type: "command", command: '/usr/bin/node "/a b/heed.cjs" hook' }, true],
  [{ type: "command", command: "heed hook" }, true],
  [{ type: "command", command: "heed", args: ["hook"] }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_hook" }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_search" }, false],
  [{ type: "command", command: "heedless hook" }, false],
  [{ type: "command", command: "unheed hook" }, false],
  [{ type: "command", command: "heed status" }, false],
  ["heed hook", false],
])("%j is heed's: %s", (hook, expected) => {
  expect(isHeedHook(hook)).toBe(expected);
});

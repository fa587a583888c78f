import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryFile, rule } from "../../home/temporary-heed.ts";
import { HEED, RULE, SandboxHome } from "../sandbox-home.ts";

function startHook(home: SandboxHome): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [HEED, "hook"], { cwd: home.work, env: home.env });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.on("error", () => {});
  return child;
}

const start = (home: SandboxHome, more: object = {}): string =>
  home.event("SessionStart", { source: "startup", ...more });

const logOf = (home: SandboxHome): string => {
  const file = join(home.state, "heed.log");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

describe("a hook run as a command", () => {
  // As one that is left open by mistake: without data, or after a part.
  test("a stdin that stays open is not waited for without end, and the log says so", async () => {
    const ends = ["", '{"hook_event_name":"SessionStart","note":{}'].map(async (input) => {
      const home = new SandboxHome();
      const child = startHook(home);
      child.stdin.write(input);
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      // Older versions of Node end no other way while a read waits.
      expect(child.signalCode).toBe("execve" in process ? null : "SIGKILL");
      expect([child.exitCode ?? 0, stderr]).toEqual([0, ""]);
      const why = "no whole input came within 3000 ms";
      expect(stdout).toContain(`"systemMessage":"heed did not look at this: ${why}`);
      expect(logOf(home)).toContain(why);
    });
    await Promise.all(ends);
  });

  test.each([
    ["wrong types", '{"hook_event_name":7,"cwd":{},"session_id":[]}'],
    ["an unknown event", '{"hook_event_name":"Unheard"}'],
    ["a list of any depth", `{"hook_event_name":"PreToolUse","x":${"[".repeat(2e5)}${"]".repeat(2e5)}}`],
  ])("says nothing to %s, and lets the session go on", (_case, input) => {
    const home = new SandboxHome();
    expect(home.run(["hook"], input)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("reads an input that comes in pieces, some of which end like a whole, and waits for no end", async () => {
    const home = new SandboxHome();
    home.write("store/feedback/keep-the-lockfile.md", RULE);
    const input = start(home, { nested: { a: {} }, last: "日本" });
    const bytes = Buffer.from(input);
    const child = startHook(home);
    const cuts = [0, input.indexOf("}") + 1, input.indexOf("}") + 2, bytes.length - 4, bytes.length];
    for (const [at, cut] of cuts.slice(1).entries()) {
      child.stdin.write(bytes.subarray(cuts[at], cut));
      await setTimeout(60);
    }
    expect(await text(child.stdout)).toContain("never edit package-lock.json by hand");
  });

  describe("that the settings registered", () => {
    const INSTALLED = '{"version":2,"plugins":{"heed@heed":[{"scope":"user"}]}}';
    const injected = (home: SandboxHome, env = {}, args = ["--unless-plugin"]): boolean => {
      home.write("store/feedback/keep-the-lockfile.md", RULE);
      const { stdout } = home.run(["hook", ...args], start(home), { env });
      return stdout.includes("never edit package-lock.json by hand");
    };

    test("steps aside for the plugin", () => {
      const home = new SandboxHome();
      expect(injected(home)).toBe(true);
      home.write(".claude/settings.json", '{"enabledPlugins":{"heed@heed":true}}');
      // Enabled by a file that came with a repository, and never installed: nobody else would tell.
      expect(injected(home)).toBe(true);
      home.write(".claude/plugins/installed_plugins.json", INSTALLED);
      expect(injected(home)).toBe(false);
      expect(injected(home, { CLAUDE_PLUGIN_ROOT: "/plugin" })).toBe(true);
      expect(injected(home, {}, [])).toBe(true);
      expect(injected(home, { CLAUDE_CONFIG_DIR: join(home.root, "other") })).toBe(true);
    });

    test.each([
      ["off in this project", '{"enabledPlugins":{"heed@heed":false}}'],
      ["another one's", '{"enabledPlugins":{"heed@heed":null,"heeder@x":true}}'],
      ["unknown, the file is broken", '{"enabledPlugins": nonsense', "user"],
    ])("speaks where the plugin is %s", (_case, settings, where = "project") => {
      const home = new SandboxHome();
      home.write(".claude/plugins/installed_plugins.json", INSTALLED);
      home.write(
        ".claude/settings.json",
        where === "user" ? settings : '{"enabledPlugins":{"heed@heed":true}}',
      );
      home.write("work/.claude/settings.json", where === "user" ? "{}" : settings);
      expect(injected(home)).toBe(true);
    });
  });

  test.each([
    ["no store", {}],
    ["no home", { HOME: "/nonexistent", HEED_DIR: "/nonexistent/a", HEED_STATE_DIR: "/dev/null/state" }],
    ["a store that is a device", { HEED_DIR: "/dev/null" }],
  ])("says nothing with %s", (_case, env) => {
    const home = new SandboxHome();
    expect(home.run(["hook"], start(home), { env })).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

test.each([
  ["guard: { command: git commit, flags: [--no-verify] }", { command: "git commit -nm x" }],
  ['guard: { paths: ["migrations/**"] }', { command: "rm migrations/1.sql" }],
  ['guard: { pattern: "commit .*-n" }', { command: "git commit -n" }],
])("refuses by a guard, with what only the bundle loads: %s", (guard, input) => {
  const home = new SandboxHome();
  home.write("store/feedback/guarded.md", memoryFile(rule("guarded", "stop", [guard])));
  const use = home.event("PreToolUse", { tool_name: "Bash", tool_input: input });
  const { status, stdout } = home.run(["hook"], use);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});

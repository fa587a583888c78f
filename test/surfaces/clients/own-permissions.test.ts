import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import { type Client, clientPlaces } from "../../../src/surfaces/clients/entry/client.ts";
import { claudeRules } from "../../../src/surfaces/clients/table/claude-code.ts";
import { geminiPolicy } from "../../../src/surfaces/clients/table/hook-clients.ts";
import { plannedFiles } from "../../../src/surfaces/clients/connect-clients.ts";
import { Machine } from "./machine.ts";

const clientNamed = (name: string): Client => CLIENTS.find((one) => one.name === name) as Client;

/** What heed adds to a file that holds `mine`, home written as `~`. */
async function written(name: string, file: string, mine: string): Promise<unknown> {
  const machine = new Machine();
  machine.home.write(file, mine);
  await machine.connect(name);
  const injected = machine.read(file).replaceAll(machine.home.root, "~");
  await machine.connect(name);
  expect(machine.read(file).replaceAll(machine.home.root, "~")).toBe(injected);
  await machine.disconnect(name);
  const left = JSON.stringify(machine.json(file));
  // A word stays the entry that it became.
  expect(left.replaceAll(/\{"\*":("\w+")\}/g, "$1")).toBe(mine.replaceAll(/\s+/g, ""));
  return JSON.parse(injected);
}

const FOLDERS = { "~/state/*": "ask", "~/store/*": "ask" };
const REPOSITORY = { ".heed/*": "ask", "*/.heed/*": "ask" };

test.each([
  ["nothing", {}, { external_directory: FOLDERS, edit: REPOSITORY }],
  [
    "everything allowed by one word",
    { permission: "allow" },
    { "*": "allow", external_directory: FOLDERS, edit: REPOSITORY },
  ],
  [
    "a word for each",
    { permission: { edit: "deny", external_directory: "allow" } },
    { edit: { "*": "deny", ...REPOSITORY }, external_directory: { "*": "allow", ...FOLDERS } },
  ],
  [
    "patterns, of which the last that fits counts",
    { permission: { edit: { "*": "allow", "*.md": "ask" } } },
    { edit: { "*": "allow", "*.md": "ask", ...REPOSITORY }, external_directory: FOLDERS },
  ],
])("opencode and Kilo, with %s", async (_what, mine, permission) => {
  for (const name of ["opencode", "kilo"]) {
    const file = `.config/${name}/${name}.json`;
    const root = (await written(name, file, JSON.stringify(mine, null, 2))) as Record<string, unknown>;
    // The order counts.
    expect(JSON.stringify(root["permission"])).toBe(JSON.stringify(permission));
  }
});

const EDITS = ["Edit(~/store/**)", "Edit(**/.heed/**)"];
const MINE = { allow: ["Shell(ls)"], deny: ["Read(.env)"] };
test.each([
  [
    "claude-code",
    ".claude/settings.json",
    { ...MINE, deny: ["Read(.env)", "Edit(~/state/**)"], ask: EDITS },
    { sandbox: { filesystem: { denyWrite: ["~/state", "~/store"] } } },
  ],
  [
    "qwen",
    ".qwen/settings.json",
    { ...MINE, deny: ["Read(.env)", "Edit(~/state/**)"], ask: [...EDITS, "Edit(//**/.heed/**)"] },
    {},
  ],
  ["cursor", ".cursor/cli-config.json", { ...MINE, deny: ["Read(.env)", "Write(~/state/**)"] }, {}],
])("%s, behind the user's own lists", async (name, file, permissions, more) => {
  const mine = JSON.stringify({ permissions: MINE }, null, 2);
  expect(await written(name, file, mine)).toMatchObject({ permissions, ...more });
});

test("Cursor's command line, once it has its configuration", async () => {
  const file = ".cursor/cli-config.json";
  const machine = new Machine();
  await machine.connect("cursor");
  expect(() => machine.read(file)).toThrow("ENOENT");
  for (const [folder, env] of Object.entries({
    "xdg/cursor": { XDG_CONFIG_HOME: join(machine.home.root, "xdg") },
    own: { CURSOR_CONFIG_DIR: join(machine.home.root, "own") },
  })) {
    machine.home.write(`${folder}/cli-config.json`, "{}");
    const places = clientPlaces({ ...machine.home.env, ...env }, "linux");
    const rules = clientNamed("cursor").permissions?.({ ...machine.target(), places });
    expect(rules?.file).toBe(join(machine.home.root, folder, "cli-config.json"));
  }
});

test.runIf(process.platform === "linux")("VS Code, beside the user's patterns", async () => {
  const key = "chat.tools.edits.autoApprove";
  const mine = JSON.stringify({ [key]: { "**/*": true } }, null, 2);
  const root = await written("vscode", ".config/Code/User/settings.json", mine);
  // The last pattern that fits counts.
  expect(JSON.stringify(root)).toBe(JSON.stringify({ [key]: { "**/*": true, "**/.heed/**": false } }));
});

test("on Windows opencode's patterns have slashes, as its paths do", () => {
  const target = {
    ...new Machine().target(),
    places: clientPlaces({ USERPROFILE: "C:\\Users\\me" }, "win32"),
    protectedFolders: { records: ["C:\\Users\\me\\heed"], stores: [] },
    starts: "C:\\Users\\me\\heed\\starts",
  };
  expect(clientNamed("opencode").permissions?.(target)?.rules[0]).toMatchObject({
    path: ["permission", "external_directory", "C:/Users/me/heed/*"],
  });
});

describe("a client's own rules about heed's folders", () => {
  const SETTINGS = ".claude/settings.json";
  const rule = "Edit(~/state/**)";

  test("one that the user had already is the user's, also after an edit", async () => {
    const machine = new Machine();
    machine.home.write(SETTINGS, JSON.stringify({ permissions: { deny: ["Read(heed.env)", rule] } }));
    await machine.connect("claude-code");
    await machine.connect("claude-code");
    const since = machine.read(SETTINGS).replace('"Read(heed.env)"', '"Read(heed.env)", "Read(since)"');
    machine.home.write(SETTINGS, since);
    await machine.disconnect("claude-code");
    expect(machine.json(SETTINGS)).toEqual({
      permissions: { deny: ["Read(heed.env)", "Read(since)", rule] },
    });
  });

  test("where the file has no room for them heed is connected without, and says so", async () => {
    const machine = new Machine();
    machine.home.write(SETTINGS, '{"permissions": "none"}');
    for (const action of ["changed", "unchanged"]) {
      const { files } = await machine.connect("claude-code");
      expect(files.at(-1)).toMatchObject({
        action,
        why: expect.stringContaining("without its rules about heed's folders") as string,
        byHand: expect.stringContaining(rule) as string,
      });
    }
    expect(machine.json(SETTINGS)).toMatchObject({ permissions: "none", hooks: { Stop: [{}] } });
    await machine.disconnect("claude-code");
    expect(machine.json(SETTINGS)).toEqual({ permissions: "none" });
  });

  describe.each(["claude-code", "opencode", "qwen"])(
    "those for a folder that heed has left go: %s",
    (name) => {
      /** A client that was connected, its file edited since, and the store then moved. */
      async function moved(): Promise<{ machine: Machine; path: string }> {
        const machine = new Machine();
        const { files } = await machine.connect(name);
        const paths = files.map(({ file }) => file.slice(machine.home.root.length + 1));
        const path = paths.find((one) => machine.read(one).includes("store/")) as string;
        machine.home.write(path, machine.read(path).replace("{", '{\n  "mine": 1,'));
        machine.userStore = join(machine.home.root, "elsewhere");
        return { machine, path };
      }

      test("with heed, or for those of the folder that it has now", async () => {
        const gone = await moved();
        await gone.machine.disconnect(name);
        expect(gone.machine.json(gone.path)).toEqual({ mine: 1 });
        const { machine, path } = await moved();
        expect((await machine.connect(name, true)).files.map(({ action }) => action)).toContain("changed");
        await machine.connect(name);
        expect(machine.read(path)).toContain("elsewhere/");
        expect(machine.read(path)).not.toContain("store/");
        machine.home.write(path, machine.read(path).replace('"mine": 1', '"mine": 2'));
        await machine.disconnect(name);
        expect(machine.json(path)).toEqual({ mine: 2 });
      });
    },
  );

  test("a repository gets none: they name folders of this machine", async () => {
    for (const client of CLIENTS) {
      const plans = await plannedFiles(client, new Machine().target("project"));
      expect(plans?.some(({ rules }) => rules !== undefined) ?? false).toBe(false);
    }
  });
});

test("folders outside of home are named from the root in Claude Code's rules, Windows' with their drive", () => {
  const folders = { records: ["/etc/heed config", "C:\\Heed\\state"], stores: ["/home/me/memory"] };
  const edits = claudeRules(folders, "/home/me").map((rule) => ("value" in rule ? rule.value : undefined));
  expect(edits.slice(0, 4)).toEqual([
    "Edit(//etc/heed config/**)",
    "Edit(//c/Heed/state/**)",
    "Edit(~/memory/**)",
    "Edit(**/.heed/**)",
  ]);
});

describe("Gemini CLI's policy", () => {
  /** What the rules decide on a path that a file tool is called with, as the client tries them. */
  function decided(path: string, home = "/home/me+1", also: Record<string, string> = {}): string | undefined {
    const folders = {
      records: [`${home}/.local/state/heed`, "/etc/heed"],
      stores: [`${home}/.local/share/heed`],
    };
    const args = Object.entries({ ...also, file_path: path }).toSorted(([a], [b]) => a.localeCompare(b));
    const injected = `{${args.map((one) => `\0${JSON.stringify(one[0])}:${JSON.stringify(one[1])}\0`).join(",")}}`;
    const policy = parseToml(geminiPolicy(folders, home)) as unknown as { rule: Record<string, string>[] };
    return policy.rule.find((one) => new RegExp(one["argsPattern"] ?? "").test(injected))?.["decision"];
  }

  test.each([
    ["/home/me+1/.local/state/heed/confirmed.json", "deny"],
    [".local/state/heed/a.json", "deny"],
    ["../.local/state//heed/a.json", "deny"],
    ["/etc/heed/a.json", "deny"],
    ["/home/me+1/.local/share/heed/feedback/a.md", "ask_user"],
    ["/work/project/.heed/a.md", "ask_user"],
    [".heed/a.md", "ask_user"],
    ["/work/project/src/a.md", undefined],
    ["/work/project/x.heed/a.md", undefined],
    ["/work/etc/heed/a.json", undefined],
    ["/home/me+1/.local/state/heeded/a.json", undefined],
  ])("%s: %s", (path, decision) => {
    expect(decided(path)).toBe(decision);
  });

  test("on Windows, with either slash", () => {
    for (const path of [String.raw`C:\Users\me\.local\state\heed\a.json`, "C:/Users/me/.local/state/heed/a"])
      expect(decided(path, String.raw`C:\Users\me`)).toBe("deny");
  });

  test("a text that speaks of such a path is none", () => {
    expect(decided("/work/a.md", "/home/me", { content: '"file_path":".heed/a.md"' })).toBeUndefined();
  });
});

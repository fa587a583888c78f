import { expect, test } from "vitest";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import type { Client } from "../../../src/surfaces/clients/entry/client.ts";
import { clientPlaces } from "../../../src/surfaces/clients/entry/client-places.ts";
import { Machine } from "./machine.ts";

const clientNamed = (name: string): Client => CLIENTS.find((one) => one.name === name) as Client;

/** What heed adds to a file that holds `mine`, home written as `~`. */
async function written(name: string, file: string, mine: string): Promise<unknown> {
  const machine = new Machine();
  machine.home.write(file, mine);
  await machine.connect(name);
  const told = machine.read(file).replaceAll(machine.home.root, "~");
  await machine.connect(name);
  expect(machine.read(file).replaceAll(machine.home.root, "~")).toBe(told);
  await machine.disconnect(name);
  expect(machine.read(file)).toBe(mine);
  return JSON.parse(told);
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

test("Amp, of whose rules the first that fits counts", async () => {
  const mine = { tool: "*", action: "allow" };
  const text = JSON.stringify({ "amp.permissions": [mine] }, null, 2);
  const root = await written("amp", ".config/amp/settings.json", text);
  expect((root as Record<string, unknown>)["amp.permissions"]).toEqual([
    {
      tool: "{edit,create}_file",
      matches: { path: ["~/state/**"] },
      action: "reject",
      message: "heed's records are written by heed alone.",
    },
    {
      tool: "{edit,create}_file",
      matches: { path: ["~/store/**", "**/.heed/**", ".heed/**"] },
      action: "ask",
    },
    mine,
  ]);
});

test("on Windows opencode's patterns have slashes, as its paths do; Amp's are not known there", () => {
  const target = {
    ...new Machine().target(),
    places: clientPlaces({ USERPROFILE: "C:\\Users\\me" }, "win32"),
    protectedFolders: { records: ["C:\\Users\\me\\heed"], stores: [] },
  };
  expect(clientNamed("opencode").permissions?.(target)[0]?.rules[0]).toMatchObject({
    entries: { "C:/Users/me/heed/*": "ask" },
  });
  expect(clientNamed("amp").permissions?.(target)).toEqual([]);
});

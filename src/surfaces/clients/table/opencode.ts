import { type ClientPlaces, firstThere } from "../entry/client-places.ts";
import type { Client, Launch, Piece, ProtectedFolders } from "../entry/client.ts";
import { slashed } from "../entry/protected-folders.ts";
import { opencodePlugin } from "../plugins/opencode-plugin.ts";

/** The server, as opencode and its fork write it. */
const serverOf = ({ command, args }: Launch): Piece => ({
  kind: "json-value",
  path: ["mcp", "heed"],
  value: { type: "local", command: [command, ...args, "mcp"], enabled: true },
});

/**
 * Its rules: whatever a tool or a command reaches for in heed's folders is asked about, by `external_directory`, whose
 * patterns are whole paths (those of `edit` start at the repository's root); so is an edit in any repository's `.heed`.
 * The last rule that fits counts, and `*` goes over `/`.
 */
const rulesOf = ({ records, stores }: ProtectedFolders): Piece[] => [
  asked("external_directory", [...records, ...stores].map(slashed)),
  asked("edit", [".heed", "*/.heed"]),
];
const asked = (permission: string, folders: readonly string[]): Piece => ({
  kind: "json-entries",
  path: ["permission", permission],
  entries: Object.fromEntries(folders.map((folder) => [`${folder}/*`, "ask"])),
  rest: "*",
});

const configOf = ({ config, join }: ClientPlaces, name: "opencode" | "kilo"): string => {
  const folder = join(config, name);
  return firstThere(join(folder, `${name}.json`), join(folder, `${name}.jsonc`));
};

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  folders: ({ config, join }) => [join(config, "opencode")],
  instructions: "read",
  permissions: ({ places, protectedFolders }) => [
    { file: configOf(places, "opencode"), rules: rulesOf(protectedFolders) },
  ],
  plan({ places, launch, scope, root }) {
    const { config, join } = places;
    const pieces = [serverOf(launch)];
    if (scope === "project")
      return [{ file: firstThere(join(root, "opencode.json"), join(root, "opencode.jsonc")), pieces }];
    return [
      { file: configOf(places, "opencode"), pieces },
      {
        file: join(config, "opencode", "plugins", "heed.js"),
        pieces: [{ kind: "file", text: opencodePlugin("opencode", launch) }],
      },
    ];
  },
};

/** Kilo's command line, which runs opencode's plugins unchanged. */
export const kilo: Client = {
  name: "kilo",
  title: "Kilo Code",
  programs: ["kilo", "kilocode"],
  folders: ({ config, join }) => [join(config, "kilo")],
  instructions: "read",
  permissions: ({ places, protectedFolders }) => [
    { file: configOf(places, "kilo"), rules: rulesOf(protectedFolders) },
  ],
  plan({ places, launch, scope, root }) {
    const { config, join } = places;
    const pieces = [serverOf(launch)];
    if (scope === "project")
      return [{ file: firstThere(join(root, "kilo.jsonc"), join(root, "kilo.json")), pieces }];
    return [
      { file: configOf(places, "kilo"), pieces },
      {
        file: join(config, "kilo", "plugins", "heed.js"),
        pieces: [{ kind: "file", text: opencodePlugin("kilo", launch) }],
      },
    ];
  },
};

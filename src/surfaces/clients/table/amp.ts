import type { Client, Piece } from "../entry/client.ts";
import { ampPlugin } from "../plugins/amp-plugin.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Its rule for the tools that write a file by its path; the first that fits counts, and `*` goes over `/`. */
const rule = (folders: readonly string[]): object => ({
  tool: "{edit,create}_file",
  matches: { path: folders.map((folder) => `${folder}/**`) },
});

export const amp: Client = {
  name: "amp",
  title: "Amp",
  programs: ["amp"],
  folders: ({ config, join }) => [join(config, "amp")],
  instructions: "unknown",
  permissions({ places: { config, join, platform }, protectedFolders: { records, stores } }) {
    // How its patterns take a path with a backslash is not known.
    if (platform === "win32") return [];
    const values = [
      { ...rule(records), action: "reject", message: "heed's records are written by heed alone." },
      { ...rule([...stores, "**/.heed", ".heed"]), action: "ask" },
    ];
    const piece: Piece = { kind: "json-values", path: ["amp.permissions"], values, isFirst: true };
    return [{ file: join(config, "amp", "settings.json"), rules: [piece] }];
  },
  plan({ places: { config, join }, launch, scope, root }) {
    const folder = scope === "project" ? join(root, ".amp") : join(config, "amp");
    return [
      { file: join(folder, "settings.json"), pieces: [serverPiece(["amp.mcpServers"], launch)] },
      {
        file: join(folder, "plugins", "heed.ts"),
        pieces: [{ kind: "file", text: ampPlugin(launch) }],
      },
    ];
  },
};

import { firstThere } from "../entry/client-places.ts";
import type { Client, Launch, Piece } from "../entry/client.ts";
import { opencodePlugin } from "../plugins/opencode-plugin.ts";

/** The server, as opencode and its fork write it. */
const serverOf = ({ command, args }: Launch): Piece => ({
  kind: "json-value",
  path: ["mcp", "heed"],
  value: { type: "local", command: [command, ...args, "mcp"], enabled: true },
});

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  folders: ({ config, join }) => [join(config, "opencode")],
  instructions: "read",
  plan({ places: { config, join }, launch, scope, root }) {
    const pieces = [serverOf(launch)];
    if (scope === "project")
      return [{ file: firstThere(join(root, "opencode.json"), join(root, "opencode.jsonc")), pieces }];
    const folder = join(config, "opencode");
    return [
      { file: firstThere(join(folder, "opencode.json"), join(folder, "opencode.jsonc")), pieces },
      {
        file: join(folder, "plugins", "heed.js"),
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
  plan({ places: { config, join }, launch, scope, root }) {
    const pieces = [serverOf(launch)];
    if (scope === "project")
      return [{ file: firstThere(join(root, "kilo.jsonc"), join(root, "kilo.json")), pieces }];
    const folder = join(config, "kilo");
    return [
      { file: firstThere(join(folder, "kilo.json"), join(folder, "kilo.jsonc")), pieces },
      {
        file: join(folder, "plugins", "heed.js"),
        pieces: [{ kind: "file", text: opencodePlugin("kilo", launch) }],
      },
    ];
  },
};

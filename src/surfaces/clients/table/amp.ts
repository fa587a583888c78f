import type { Client } from "../entry/client.ts";
import { ampPlugin } from "../plugins/amp-plugin.ts";
import { serverPiece } from "../entry/server-piece.ts";

export const amp: Client = {
  name: "amp",
  title: "Amp",
  programs: ["amp"],
  folders: ({ config, join }) => [join(config, "amp")],
  instructions: "unknown",
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

import type { Client } from "../entry/client.ts";
import { piExtension } from "../plugins/pi-extension.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
  programs: ["pi"],
  folders: ({ home, join }) => [join(home, ".pi", "agent")],
  instructions: "no server",
  plan: ({ places: { home, join }, launch, scope, root }) => [
    {
      file: join(...(scope === "project" ? [root, ".pi"] : [home, ".pi", "agent"]), "extensions", "heed.ts"),
      pieces: [{ kind: "file", text: piExtension(launch) }],
    },
  ],
};

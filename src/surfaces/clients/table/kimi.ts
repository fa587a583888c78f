import type { Client } from "../entry/client.ts";
import { tomlValue } from "../entry/toml-value.ts";
import { launchLine } from "../entry/launch-line.ts";
import { serverPiece } from "../entry/server-piece.ts";

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "Stop", "SessionEnd"];

export const kimi: Client = {
  name: "kimi",
  title: "Kimi Code",
  programs: ["kimi"],
  folders: ({ home, join }) => [join(home, ".kimi-code")],
  instructions: "not read",
  plan({ places: { home, join }, launch, scope }) {
    if (scope === "project") return undefined;
    const folder = join(home, ".kimi-code");
    const command = tomlValue(launchLine(launch, "hook", "--client", "kimi"));
    const hooks = EVENTS.map(
      (event) => `[[hooks]]\nevent = ${tomlValue(event)}\ncommand = ${command}\ntimeout = 10`,
    );
    return [
      {
        file: join(folder, "config.toml"),
        pieces: [{ kind: "toml", table: ["hooks"], text: hooks.join("\n\n") }],
      },
      { file: join(folder, "mcp.json"), pieces: [serverPiece(["mcpServers"], launch)] },
    ];
  },
};

import type { Client } from "../entry/client.ts";
import { launchLine } from "../entry/launch-line.ts";
import { serverPiece } from "../entry/server-piece.ts";

const EVENTS = [
  "pre_user_prompt",
  "pre_run_command",
  "pre_write_code",
  "pre_mcp_tool_use",
  "post_cascade_response",
];

/** Windsurf, now under Devin Desktop. */
export const windsurf: Client = {
  name: "windsurf",
  title: "Windsurf",
  programs: ["windsurf"],
  folders: ({ home, join }) => [join(home, ".codeium", "windsurf")],
  instructions: "unknown",
  plan({ places: { home, join }, launch, scope, root }) {
    const command = launchLine(launch, "hook", "--client", "windsurf");
    const hooks = EVENTS.map((event) => ({
      kind: "json-item" as const,
      path: ["hooks", event],
      value: { command, show_output: false },
    }));
    if (scope === "project") return [{ file: join(root, ".windsurf", "hooks.json"), pieces: hooks }];
    const folder = join(home, ".codeium", "windsurf");
    return [
      {
        file: join(folder, "mcp_config.json"),
        pieces: [serverPiece(["mcpServers"], launch, { flags: ["--with-rules"] })],
      },
      { file: join(folder, "hooks.json"), pieces: hooks },
    ];
  },
};

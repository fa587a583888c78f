import type { Client } from "../entry/client.ts";
import { launchLine } from "../entry/launch-line.ts";
import { serverCommand } from "../entry/server-piece.ts";

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"];

/** Goose: nothing that a hook says reaches the model, so the server says the rules. */
export const goose: Client = {
  name: "goose",
  title: "Goose",
  programs: ["goose"],
  folders: ({ config, application, platform, join }) => [
    platform === "win32" ? join(application, "Block", "goose") : join(config, "goose"),
  ],
  instructions: "unknown",
  plan({ places: { home, config, application, platform, join }, launch, scope, root }) {
    const hook = { type: "command", command: launchLine(launch, "hook", "--client", "goose"), timeout: 10 };
    // No pattern of tools: a bare star would turn the rule off.
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
    const folder = join(scope === "project" ? root : home, ".agents", "plugins", "heed");
    const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    const { command, args } = serverCommand(launch, "--with-rules");
    const settings =
      platform === "win32" ? join(application, "Block", "goose", "config") : join(config, "goose");
    return [
      ...(scope === "project"
        ? []
        : [
            {
              file: join(settings, "config.yaml"),
              pieces: [
                {
                  kind: "yaml" as const,
                  key: "extensions",
                  name: "heed",
                  isList: false,
                  value: { name: "heed", type: "stdio", cmd: command, args, enabled: true, timeout: 60 },
                },
              ],
            },
          ]),
      {
        file: join(folder, "plugin.json"),
        pieces: [
          {
            kind: "file",
            text: text({ name: "heed", version: "1.0.0", description: "heed's hooks (heed init)" }),
          },
        ],
      },
      { file: join(folder, "hooks", "hooks.json"), pieces: [{ kind: "file", text: text({ hooks }) }] },
    ];
  },
};

import { existsSync } from "node:fs";
import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, FilePlan, Launch } from "../entry/client.ts";
import { launchLine, serverPiece } from "../entry/pieces.ts";

/** Hooks of Cline are programs named after their event. */
const EVENTS = ["TaskStart", "PreToolUse", "TaskComplete", "SessionShutdown"];

function hooksIn(folder: string, join: ClientPlaces["join"], launch: Launch): FilePlan[] {
  return EVENTS.map((event) => {
    const line = launchLine(launch, "hook", "--client", "cline", "--event", event);
    const text = `#!/bin/sh\n# Written by heed (heed init); heed uninit takes it out.\nexec ${line}\n`;
    return { file: join(folder, event), pieces: [{ kind: "file", text, mode: 0o755 }] };
  });
}

export const cline: Client = {
  name: "cline",
  title: "Cline",
  programs: ["cline"],
  folders: (places) => [places.join(places.home, ".cline"), extensionFolder(places)],
  instructions: "not read",
  plan({ places, launch, scope }) {
    if (scope === "project") return undefined;
    const { home, join, platform } = places;
    const pieces = [serverPiece(["mcpServers"], launch)];
    const settings = (folder: string): string => join(folder, "settings", "cline_mcp_settings.json");
    // Its hooks are shell scripts: there are none on Windows.
    const hooks = platform === "win32" ? [] : hooksIn(join(home, ".cline", "hooks"), join, launch);
    const extension = extensionFolder(places);
    const documents = join(home, "Documents", "Cline", "Hooks");
    return [
      { file: settings(join(home, ".cline", "data")), pieces },
      ...hooks,
      ...(existsSync(extension) ? [{ file: settings(extension), pieces }] : []),
      ...(existsSync(documents) && platform !== "win32" ? hooksIn(documents, join, launch) : []),
    ];
  },
  notes: ["Rules reach Cline by AGENTS.md: run heed sync agents-md in your repository."],
};

function extensionFolder({ application, join }: ClientPlaces): string {
  return join(application, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}

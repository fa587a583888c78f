import { homedir } from "node:os";
import { join } from "node:path";
import { readRegularFile } from "../../machine/regular-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether heed's plugin is enabled and installed in Claude Code here: with the settings' hooks, every word came twice. */
export function isPluginBeside(env: Environment, cwd: string = process.cwd()): boolean {
  // Set for the plugin's own processes.
  if (env["CLAUDE_PLUGIN_ROOT"]) return false;
  const home = env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || env["USERPROFILE"] || homedir(), ".claude");
  const project = env["CLAUDE_PROJECT_DIR"] || cwd;
  const files = [
    join(home, "settings.json"),
    join(project, ".claude", "settings.json"),
    join(project, ".claude", "settings.local.json"),
  ];
  // Later settings go before earlier ones, plugin by plugin.
  const enabled: Record<string, unknown> = Object.assign({}, ...files.map(enabledPlugins));
  const ids = Object.keys(enabled).filter((id) => id.startsWith("heed@") && enabled[id] === true);
  if (ids.length === 0) return false;
  const installed = read(join(home, "plugins", "installed_plugins.json"));
  return ids.some((id) => installed.includes(JSON.stringify(id)));
}

function enabledPlugins(file: string): object {
  try {
    const settings = JSON.parse(read(file)) as { enabledPlugins?: unknown } | null;
    const plugins = settings?.enabledPlugins;
    return typeof plugins === "object" && plugins !== null ? plugins : {};
  } catch {
    return {};
  }
}

function read(file: string): string {
  try {
    return readRegularFile(file, { maxBytes: 1024 * 1024 });
  } catch {
    return "";
  }
}

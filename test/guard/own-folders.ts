import { decideOwnCall, type OwnDirectories } from "../../src/guard/own-records.ts";

/** heed's folders on a made-up machine. */
export const OWN: OwnDirectories = {
  records: ["/home/u/.local/state/heed", "/home/u/.config/heed"],
  stores: ["/home/u/memory", "/repo/.heed"],
  reviewed: ["/repo/.heed"],
  above: ["/home/u/.claude/settings.json", "/home/u/.claude/plugins", "/opt/heed/plugin/dist"],
  profiles: ["/home/u/.bashrc"],
};
export const PLACE: { cwd: string; roots: string[]; home: string } = {
  cwd: "/repo",
  roots: ["/repo"],
  home: "/home/u",
};
/** What heed does about a command. */
export const shell = (command: string): string =>
  decideOwnCall({ tool: "Bash", input: { command }, ...PLACE }, OWN)?.action ?? "allow";
/** What heed does about a call of another tool. */
export const edit = (tool: string, input: Record<string, unknown>): string =>
  decideOwnCall({ tool, input, ...PLACE }, OWN)?.action ?? "allow";

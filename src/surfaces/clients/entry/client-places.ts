import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Directories in which clients keep their configuration, and how paths are joined there. */
export interface ClientPlaces {
  platform: NodeJS.Platform;
  home: string;
  /** `~/.config` and its equivalents. */
  config: string;
  /** Where programs with windows keep their data. */
  application: string;
  env: Environment;
  join: (...parts: readonly string[]) => string;
}

/** Finds the directories of a platform. */
export function clientPlaces(env: Environment, platform: NodeJS.Platform = process.platform): ClientPlaces {
  const paths = platform === "win32" ? win32 : posix;
  const join = (...parts: readonly string[]): string => paths.join(...parts);
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const application =
    platform === "win32"
      ? env["APPDATA"] || join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : config;
  return { platform, home, config, application, env, join };
}

/** The first of some paths that is there, else the first. */
export function firstThere(...paths: readonly [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

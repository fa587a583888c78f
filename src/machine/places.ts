import { homedir } from "node:os";
import { join, posix, win32 } from "node:path";
import { invalidInput } from "./heed-error.ts";

/** Where heed keeps things on this machine. Only `userStore` holds memories; the rest is private or derived. */
export interface Places {
  /** The user's own memories (a git repository). `HEED_DIR` moves it. */
  userStore: string;
  /** Inbox, receipts, events, sessions, the registry of stores. `HEED_STATE_DIR` moves it. Never in a repository. */
  state: string;
  /** Derived: search indexes. `HEED_CACHE_DIR` moves it; delete it and it comes back. */
  cache: string;
  /** The user's configuration file directory. `HEED_CONFIG_DIR` moves it. */
  config: string;
  /** The organisation's policy for all users of the machine. No variable moves it: a model can set those. */
  policy: string;
}

/** What only heed itself writes. An index says what memories say, a verdict what holds, and code that is kept is run. */
export const recordFolders = ({
  state,
  config,
  cache,
}: Pick<Places, "state" | "config" | "cache">): string[] => [state, config, cache];

/** heed's folder for the starts of programs. Stays until `heed uninit`: builds write its paths into their caches. */
export function startsFolder({ state }: Pick<Places, "state">): string {
  return join(state, "starts");
}

/** What a session's shells read there; undefined for an odd session name, and where there is no such shell. */
export function liveFile(places: Pick<Places, "state">, session: string): string | undefined {
  if (process.platform === "win32" || !/^[\w-]{1,100}$/.test(session)) return undefined;
  return join(startsFolder(places), "live", session);
}

/** The index over past conversations: derived. */
export const conversationIndexDirectory = ({ cache }: Pick<Places, "cache">): string =>
  join(cache, "conversations");

type CaptureFile = "root" | "queue" | "lock" | "announcements" | "lastPrompt" | "waiting";

/** `lastPrompt` is empty, its time that of the last prompt; `waiting` is there while a process waits for a quiet minute. */
export function capturePlaces(places: Pick<Places, "state">): Readonly<Record<CaptureFile, string>> {
  const root = join(places.state, "capture");
  return {
    root,
    queue: join(root, "queue"),
    lock: join(root, "lock"),
    announcements: join(root, "announcements.jsonl"),
    lastPrompt: join(root, "last-prompt"),
    waiting: join(root, "waiting"),
  };
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function homeOf(env: Environment): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

/** Names a further file in the form of the policy; its `trust` alone counts. */
export const TRUST_FILE = "HEED_TRUST_FILE";
/** Lead to what decides: not `HEED_DIR`, whose memories count as that state approved them. */
export const SETTLING: readonly string[] =
  "HEED_STATE_DIR HEED_CONFIG_DIR HEED_CACHE_DIR HOME USERPROFILE XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME".split(
    " ",
  );

/** An environment with some variables as they were once; `whyLate` tells which were others. */
export function settled(env: Environment, begun: Environment, names: readonly string[]): Environment {
  const late = names.filter((name) => (env[name] || undefined) !== (begun[name] || undefined));
  if (late.length === 0) return env;
  const before = late.map((name) => [name, begun[name]]);
  const said = [...(env["HEED_LATE"]?.split(", ") ?? []), ...late].join(", ");
  return { ...env, ...Object.fromEntries(before), HEED_LATE: said } as Environment;
}

/** Why variables do not count. */
export function whyLate({ HEED_LATE: names }: Environment): string[] {
  return names ? [`${names}: set after the client began, and does not count`] : [];
}

/** The directories of the platform. @throws HeedError `invalid-input` for a variable that is empty or relative. */
export function findPlaces(env: Environment, platform: NodeJS.Platform = process.platform): Places {
  const rules = platform === "win32" ? win32 : posix;
  const folder = (name: string): string | undefined => {
    const value = env[name];
    if (value === undefined || rules.isAbsolute(value)) return value;
    const fault = value === "" ? "is empty" : `is "${value}", which is not an absolute path`;
    throw invalidInput(name, value, `${name} ${fault}: set it to an absolute path, or unset it`);
  };
  const own = (name: string): string | undefined => (env[name] === "" ? undefined : folder(name));
  const home = folder("HOME") ?? folder("USERPROFILE") ?? homedir();
  const base = baseDirectories(folder, platform, home);
  return {
    userStore: own("HEED_DIR") ?? join(base.data, "heed", "memory"),
    state: own("HEED_STATE_DIR") ?? join(base.state, "heed", ...(base.state === base.data ? ["state"] : [])),
    cache: own("HEED_CACHE_DIR") ?? join(base.cache, "heed", ...(base.cache === base.data ? ["cache"] : [])),
    config: own("HEED_CONFIG_DIR") ?? join(base.config, "heed"),
    policy: POLICY_FILES[platform === "win32" || platform === "darwin" ? platform : "linux"],
  };
}

/** Not `%ProgramData%`: it is a variable too. */
const POLICY_FILES = {
  linux: "/etc/heed/policy.yaml",
  darwin: "/Library/Application Support/heed/policy.yaml",
  win32: "C:\\ProgramData\\heed\\policy.yaml",
};

function baseDirectories(
  folder: (name: string) => string | undefined,
  platform: NodeJS.Platform,
  home: string,
): { data: string; state: string; cache: string; config: string } {
  if (platform === "win32") {
    const local = folder("LOCALAPPDATA") ?? join(home, "AppData", "Local");
    const roaming = folder("APPDATA") ?? join(home, "AppData", "Roaming");
    return { data: local, state: local, cache: local, config: roaming };
  }
  if (platform === "darwin") {
    const support = join(home, "Library", "Application Support");
    return { data: support, state: support, cache: join(home, "Library", "Caches"), config: support };
  }
  return {
    data: folder("XDG_DATA_HOME") ?? join(home, ".local", "share"),
    state: folder("XDG_STATE_HOME") ?? join(home, ".local", "state"),
    cache: folder("XDG_CACHE_HOME") ?? join(home, ".cache"),
    config: folder("XDG_CONFIG_HOME") ?? join(home, ".config"),
  };
}

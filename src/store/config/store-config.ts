import { parseYaml, readPlainYaml } from "../../memory/codec/front-matter.ts";
import { basename, dirname, join } from "node:path";
import type { Injection, Need, TypePolicy } from "../../memory/memory-type.ts";
import { BUILT_IN_TYPES, INJECTIONS, NEEDS } from "../../memory/memory-type.ts";
import type { Problem } from "../../machine/heed-error.ts";
import { asRecord, FieldReader } from "../../machine/read-fields.ts";
import { realPathOf } from "../../machine/regular-file.ts";
import { type Reading, readOrKept } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { sha256Hex } from "../../machine/sha256.ts";

/** How facts are pushed: by type, only rules and counts, only rules, or nothing. */
export const MODES = ["typed", "pull", "rules", "off"] as const;
export type Mode = (typeof MODES)[number];

/** Whether sessions are read: for their record, solutions, and what was said in them. */
export const CAPTURE_MODES = ["on", "off"] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

/** How large the map of a fresh context may be, in characters; `auto` is what a hundred lines take. */
export const MAP_CHARS = { auto: 8000, least: 800, most: 8000 } as const;

/** The setting `map`, as characters: `auto`, `off` (0), or a number in range; undefined for anything else. */
export function readMapSetting(value: unknown): number | undefined {
  if (value === "auto") return MAP_CHARS.auto;
  // YAML 1.1 reads off as false.
  if (value === "off" || value === false) return 0;
  const chars = typeof value === "number" ? value : Number(value ?? Number.NaN);
  return Number.isInteger(chars) && chars >= MAP_CHARS.least && chars <= MAP_CHARS.most ? chars : undefined;
}

/** Which memory is written: heed's, or the client's own. */
export const WRITERS = ["heed", "client"] as const;
export type Writer = (typeof WRITERS)[number];

/** Who may write: the session's model, the model with the user's approval each time, or the user alone. */
export const WRITE_SETTINGS = ["model", "ask", "me"] as const;
export type WriteSetting = (typeof WRITE_SETTINGS)[number];

/** A value of the setting `writes`; one that is not known asks, since nobody can tell how strict it was meant. */
export function readWriteSetting(value: unknown): { setting: WriteSetting; isKnown: boolean } {
  const setting = WRITE_SETTINGS.find((word) => word === value);
  return { setting: setting ?? "ask", isKnown: setting !== undefined };
}

export interface StoreConfig {
  /** The store's identity; absent in directories that heed did not make. */
  id?: string | undefined;
  mode?: Mode | undefined;
  capture?: CaptureMode | undefined;
  mapChars?: number | undefined;
  history?: "on" | "off" | undefined;
  /** Which memory is written where Claude Code keeps one of its own; undefined until the user has said so. */
  writer?: Writer | undefined;
  writes?: WriteSetting | undefined;
  types: TypePolicy[];
  problems: Problem[];
}

export const CONFIG_FILE: string = "config.yaml";

/** A larger configuration is not read: a hundred declared types take a tenth of this. */
export const MAX_CONFIG_BYTES: number = 16 * 1024;

export type Settings = Readonly<Record<string, unknown>>;

/** Reads settings that people write. Never throws. `places`: where the last good ones are kept. */
export function readSettings(file: string, places: Pick<Places, "state">): Reading<Settings> {
  return readOrKept(file, () => keptSettings(file, places), parseSettings, MAX_CONFIG_BYTES);
}

/** The settings of a file's text. Throws what the reader of YAML throws. */
export function parseSettings(text: string): Settings {
  // A hook reads this file each time: starting the library takes half as long as Node itself.
  const settings = readPlainYaml(text.replace(/\r\n?/g, "\n")) ?? asRecord(parseYaml(text) ?? {});
  if (!settings) throw new Error("it holds no settings");
  return settings;
}

export function settingsProblem(
  file: string,
  { isChange, message: said, line }: NonNullable<Reading<Settings>["fault"]>,
): Problem {
  const [message, remedy] = isChange
    ? [`${said}: the earlier settings stay in force`, "heed inbox trust shows the change and takes it over"]
    : [said, `write it as YAML, \`key: value\`, of ${MAX_CONFIG_BYTES} bytes at most, or remove it`];
  return { file, severity: "error", code: "config", message, remedy, ...(line !== undefined && { line }) };
}

/** Where the last good state of a file of settings is kept: not beside it, which may be a repository. */
export function keptSettings(file: string, { state }: Pick<Places, "state">): string {
  const real = join(realPathOf(dirname(file)), basename(file));
  return join(state, "kept", `${sha256Hex(real).slice(0, 20)}.yaml`);
}

/** Never throws. A file that cannot be read: the last good state; without one, and for unknown values, the strict one. */
export function readStoreConfig(root: string, places: Pick<Places, "state">): StoreConfig {
  const file = join(root, CONFIG_FILE);
  return storeConfigOf(file, readSettings(file, places));
}

export function storeConfigOf(
  file: string,
  { fault, content: values = fault ? undefined : {} }: Reading<Settings>,
): StoreConfig {
  const strict = { mode: "rules", capture: "off", history: "off", writes: "ask" } as const;
  const config: StoreConfig = { types: [], problems: [], ...(!values && strict) };
  const report = (message: string, remedy: string): void => {
    config.problems.push({ file, severity: "error", code: "config", message, remedy });
  };
  if (fault) config.problems.push(settingsProblem(file, fault));
  if (!values) return config;
  const fields = new FieldReader(values);
  const id = fields.text("store");
  // An id stands in file names and as a key: what a clone brings under this name may be anything.
  if (id !== undefined && /^[\w-]{1,64}$/.test(id) && id !== "__proto__") config.id = id;
  else if (id !== undefined)
    report(`store is ${JSON.stringify(id.slice(0, 80))}`, "write letters, digits and dashes, 64 at most");
  // A value that is cut off with its file is not known either.
  const isSaid = (key: string): boolean => fields.get(key) !== undefined || Object.hasOwn(values, key);
  const reportValue = (key: string, remedy: string): void =>
    report(`${key} is ${JSON.stringify(fields.get(key) ?? "").slice(0, 80)}`, remedy);
  const wordOf = <W extends string>(key: string, words: readonly W[], otherwise?: W): W | undefined => {
    const value = fields.get(key);
    // YAML 1.1 reads a bare `off` as false.
    const said = typeof value === "boolean" ? (value ? "on" : "off") : fields.text(key)?.toLowerCase();
    const word = words.find((one) => one === said);
    if (word !== undefined || !isSaid(key)) return word;
    reportValue(key, `use one of ${words.join(", ")}`);
    return otherwise;
  };
  config.mode = wordOf("mode", MODES, strict.mode);
  config.capture = wordOf("capture", CAPTURE_MODES, strict.capture);
  config.history = wordOf("history", CAPTURE_MODES, strict.history);
  config.writer = wordOf("writer", WRITERS);
  config.writes = wordOf("writes", WRITE_SETTINGS, strict.writes);
  config.mapChars = readMapSetting(fields.get("map"));
  if (isSaid("map") && config.mapChars === undefined)
    reportValue("map", `use auto, off, or characters from ${MAP_CHARS.least} to ${MAP_CHARS.most}`);
  for (const [name, raw] of Object.entries(asRecord(fields.get("types")) ?? {})) {
    const read = readDeclaredType(name, asRecord(raw) ?? {});
    if (typeof read !== "string") config.types.push(read);
    else
      report(
        `type "${name}" ${read}`,
        `declare it with holds, needs (${NEEDS.join(", ")}) and inject (${INJECTIONS.join(", ")})`,
      );
  }
  return config;
}

/** The type, or what is wrong with it. */
function readDeclaredType(name: string, raw: Record<string, unknown>): TypePolicy | string {
  const fields = new FieldReader(raw);
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) return "has no valid name (lower case, digits, dashes)";
  const days = Number(fields.get("check_after_days"));
  const checkAfterDays = Number.isFinite(days) && days > 0 ? days : null;
  const builtIn = BUILT_IN_TYPES.find((policy) => policy.name === name);
  // What is built in decides what is in force: a pull must not redefine it.
  if (builtIn && Object.keys(raw).join() === "check_after_days") return { ...builtIn, checkAfterDays };
  if (builtIn)
    return "is built in: only its check_after_days can be set, or give a type of your own another name";
  const injection = fields.word<Injection>(INJECTIONS, "inject", "injection");
  if (!injection) return "has no injection policy: no type without one";
  const holds = fields.text("holds");
  if (!holds) return "does not say what it holds";
  const needs = fields.list("needs") as Need[];
  const unknown = needs.find((need) => !NEEDS.includes(need));
  if (unknown) return `has the unknown need "${unknown}"`;
  const reach = fields.word(["repository", "everywhere"] as const, "reach") ?? "repository";
  const defaults = {
    confidence: "high",
    source: "observed",
    status: "confirmed",
    salience: "medium",
  } as const;
  return { name, holds, needs, injection, checkAfterDays, reach, defaults };
}

/** Where heed keeps its own records about one store: in the private state directory, never in the store. */
export interface StoreState {
  folder: string;
  /** The lock of writers, and the lock of those who carry changes into git. */
  writeLock: string;
  commitLock: string;
  /** The change that is under way: what a crash left here is finished at the next write. */
  intent: string;
  changes: string;
  /** The id of the newest change, so that the next one sorts after it. */
  lastChange: string;
}

export function stateOfStore(places: Places, root: string): StoreState {
  const key = sha256Hex(realPathOf(root)).slice(0, 20);
  const folder = join(places.state, "stores", key);
  return {
    folder,
    writeLock: join(folder, "lock"),
    commitLock: join(folder, "commit-lock"),
    intent: join(folder, "intent.json"),
    changes: join(folder, "changes"),
    lastChange: join(folder, "last-change"),
  };
}

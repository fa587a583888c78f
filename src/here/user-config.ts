import { join } from "node:path";
import type { Place } from "./place.ts";
import { type Problem, problemWords } from "../machine/heed-error.ts";
import type { Places } from "../machine/places.ts";
import {
  type Mode,
  CONFIG_FILE,
  MODES,
  WRITE_SETTINGS,
  readSettings,
  readWriteSetting,
  settingsProblem,
} from "../store/config/store-config.ts";
import { type PolicyWrites, allowedMode, POLICY_WRITES, readPolicy } from "../store/config/policy.ts";

/** What the user set for all of heed on this machine. Nothing that comes with a repository can set it. */
interface UserConfig {
  file: string;
  /** As it stands there; each optional part reads what is its own. Empty without a file. */
  values: Readonly<Record<string, unknown>>;
  problems: Problem[];
}

/** Reads the user's configuration. Never throws: without a file nothing is set. */
export function readUserConfig(places: Places): UserConfig {
  const file = join(places.config, CONFIG_FILE);
  const { fault, content: values = fault ? { writes: "ask" } : {} } = readSettings(file, places);
  const { isKnown } = readWriteSetting(values["writes"]);
  const message = `writes is ${JSON.stringify(values["writes"])}: each write asks`;
  const remedy = `use one of ${WRITE_SETTINGS.join(", ")}`;
  const problems: Problem[] = fault ? [settingsProblem(file, fault)] : [];
  if (!isKnown && Object.hasOwn(values, "writes"))
    problems.push({ file, severity: "error", code: "writes", message, remedy });
  return { file, values, problems };
}

/** Strictest `writes` of policy, user and stores; default `model`. An unreadable file counts as `ask`. */
export function whoMayWrite({ places, found }: Pick<Place, "places" | "found">): PolicyWrites {
  const { values } = readUserConfig(places);
  const said = Object.hasOwn(values, "writes") ? [readWriteSetting(values["writes"]).setting] : [];
  const strictness = [...said, ...found.writes, found.policy.writes].map((one) => POLICY_WRITES.indexOf(one));
  return POLICY_WRITES[Math.max(0, ...strictness)] ?? "nobody";
}

/** Mode of the session, else `HEED_MODE`, else of the stores; the nearest that the policy allows. */
export function modeHere(place: Place, ofSession?: Mode): Mode {
  return allowedMode(place.found.policy, ofSession ?? modeOfEnvironment(place) ?? place.found.mode);
}

export function modeTrouble(place: Place): string | undefined {
  const named = place.env["HEED_MODE"];
  if (!named || modeOfEnvironment(place) !== undefined) return undefined;
  return `HEED_MODE is ${JSON.stringify(named.slice(0, 40))}, which does not count: use one of ${MODES.join(", ")}`;
}

/** How long looking at a work tree and asking git may hold up an answer, in milliseconds: `HEED_RECHECK_MS` in place of the default. */
export function recheckMs({ env }: Pick<Place, "env">, defaultMs: number): number {
  const given = Number(env["HEED_RECHECK_MS"] ?? defaultMs);
  return given >= 0 ? given : defaultMs;
}

function modeOfEnvironment({ env }: Place): Mode | undefined {
  const named = env["HEED_MODE"]?.toLowerCase();
  return MODES.find((mode) => mode === named);
}

export type LearnMode = "off" | "model";

interface LearnSetting {
  mode: LearnMode;
  /** The command line under `learn`; undefined for the word `model`. */
  command?: string;
  problems: string[];
}

/** Of the user's configuration alone: no repository turns a model on. Unreadable or `HEED_LEARN=off`: off. */
export function readLearnSetting({ env, places }: Pick<Place, "env" | "places">): LearnSetting {
  const { file, values, problems } = readUserConfig(places);
  if (readPolicy(places.policy).off.includes("learn"))
    return { mode: "off", problems: values["learn"] ? [`${places.policy} switches it off`] : [] };
  if (env["HEED_LEARN"] === "off") return { mode: "off", problems: [] };
  if (problems.some(({ code }) => code === "config"))
    return { mode: "off", problems: problems.map(problemWords) };
  return learnSettingOf(values["learn"], file);
}

function learnSettingOf(value: unknown, file: string): LearnSetting {
  // YAML 1.1 reads off as false.
  if (value === undefined || value === null || value === "off" || value === false)
    return { mode: "off", problems: [] };
  if (value === "model") return { mode: "model", problems: [] };
  if (typeof value === "string" && value.trim() !== "")
    return { mode: "model", command: value.trim(), problems: [] };
  const remedy =
    'use off, model, or a command that reads stdin and prints the answer, as "claude -p" (docs/memories.md)';
  return { mode: "off", problems: [`${file}: learn is not a command line: ${remedy}`] };
}

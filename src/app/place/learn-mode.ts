import { asRecord } from "../../memory/codec/read-fields.ts";
import type { Place } from "./place.ts";
import { readUserConfig } from "./user-config.ts";

/** Whether a model of the user's reads their turns after a session; `off` is the default. */
export const LEARN_MODES = ["off", "model"] as const;
export type LearnMode = (typeof LEARN_MODES)[number];

/** Which model, where one was named; or why the setting is not valid. */
export interface LearnSetting {
  mode: LearnMode;
  /** The map under `learn`; for the word `model`, the client's headless mode. */
  model?: Readonly<Record<string, unknown>>;
  /** It stands in the configuration; else it is the default. */
  isSaid?: true;
  problems: string[];
}

/**
 * Reads `learn` of the user's configuration, and nothing else: no store and no repository can turn a model on. A setting
 * that cannot be read is off. `HEED_LEARN=off` holds a process to that.
 */
export function readLearnSetting({ env, places }: Pick<Place, "env" | "places">): LearnSetting {
  const { file, values, problems } = readUserConfig(places);
  // `explicit` was a mode of 0.x, which this release still reads: as off.
  if (/^(?:off|explicit)$/.test(env["HEED_LEARN"] ?? "")) return { mode: "off", problems: [] };
  if (problems.length > 0) return { mode: "off", problems };
  const said = values["learn"] === undefined ? {} : ({ isSaid: true } as const);
  return { ...learnSettingOf(values["learn"], file), ...said };
}

function learnSettingOf(value: unknown, file: string): LearnSetting {
  // YAML 1.1 reads off as false.
  if (value === undefined || value === null || value === "off" || value === false || value === "explicit")
    return { mode: "off", problems: [] };
  if (value === "model") return { mode: "model", model: { provider: "claude-code" }, problems: [] };
  const model = asRecord(value);
  return model
    ? { mode: "model", model, problems: [] }
    : {
        mode: "off",
        problems: [`${file}: learn is not off, model, or a map with provider and model (docs/learn.md)`],
      };
}

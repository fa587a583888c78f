import { asRecord } from "../../memory/codec/read-fields.ts";
import type { Place } from "./place.ts";
import { readUserConfig } from "./user-config.ts";

/**
 * What is kept of what the user says, besides what the session's model writes: `off` nothing; `explicit`, the default, what
 * they ask for in so many words; `model` that, and what a model of theirs reads out of the session afterwards.
 */
export const LEARN_MODES = ["off", "explicit", "model"] as const;
export type LearnMode = (typeof LEARN_MODES)[number];

/** Which model, where one was named; or why the setting is none. */
export interface LearnSetting {
  mode: LearnMode;
  /** The map under `learn`; of the word `model`, the client's headless mode. */
  model?: Readonly<Record<string, unknown>>;
  /** It stands in the configuration; else it is the default. */
  isSaid?: true;
  problems: string[];
}

/**
 * Reads `learn` of the user's configuration, and nothing else: no store and no repository can turn a model on. A setting
 * that cannot be read keeps explicit words alone. `HEED_LEARN` set to `off` or `explicit` holds a process to less.
 */
export function readLearnSetting({ env, places }: Pick<Place, "env" | "places">): LearnSetting {
  const { file, values, problems } = readUserConfig(places);
  const most = env["HEED_LEARN"];
  if (most === "off") return { mode: "off", problems: [] };
  if (problems.length > 0) return { mode: "explicit", problems };
  const setting = learnSettingOf(values["learn"], file);
  const said = values["learn"] === undefined ? {} : ({ isSaid: true } as const);
  return most === "explicit" && setting.mode === "model"
    ? { mode: "explicit", ...said, problems: [] }
    : { ...setting, ...said };
}

function learnSettingOf(value: unknown, file: string): LearnSetting {
  if (value === undefined || value === null || value === "explicit")
    return { mode: "explicit", problems: [] };
  // YAML 1.1 reads off as false.
  if (value === "off" || value === false) return { mode: "off", problems: [] };
  if (value === "model") return { mode: "model", model: { provider: "claude-code" }, problems: [] };
  const model = asRecord(value);
  return model
    ? { mode: "model", model, problems: [] }
    : {
        mode: "explicit",
        problems: [
          `${file}: learn is none of off, explicit and model, nor a map with provider and model (docs/learn.md)`,
        ],
      };
}

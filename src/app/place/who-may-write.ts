import { join } from "node:path";
import type { WriteSetting } from "../../store/config/store-config.ts";
import { readWriteSetting, WRITE_SETTINGS } from "../../store/config/store-config.ts";
import type { Environment } from "../../platform/places.ts";
import type { Place } from "./place.ts";
import { readConfigFile, readUserConfig } from "./user-config.ts";

/** Where an organisation sets what holds for all users of a machine. */
export function organisationConfig(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32"
    ? join(env["ProgramData"] || "C:\\ProgramData", "heed", "config.yaml")
    : "/etc/heed/config.yaml";
}

/**
 * Who may write here, by the setting `writes`: `model` (the default), `ask` (a model's write waits for the user's approval) or
 * `me` (the user alone). The organisation, the user and each store may say so, and the strictest holds: a repository can only
 * make it stricter. A file that cannot be read counts as `ask`.
 */
export function whoMayWrite(
  place: Pick<Place, "env" | "places" | "found">,
  organisation: string = organisationConfig(place.env),
): WriteSetting {
  const said = [readConfigFile(organisation), readUserConfig(place.places)].flatMap(({ values, problems }) =>
    problems.length > 0
      ? ["ask" as const]
      : (values["writes"] ?? undefined) === undefined
        ? []
        : [readWriteSetting(values["writes"]).setting],
  );
  const strictness = [...said, ...place.found.writes].map((setting) => WRITE_SETTINGS.indexOf(setting));
  return WRITE_SETTINGS[Math.max(0, ...strictness)] ?? "ask";
}

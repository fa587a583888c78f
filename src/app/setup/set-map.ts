import { HeedError } from "../../errors/heed-error.ts";
import { MAP_CHARS, readMapSetting } from "../../store/config/store-config.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MapSetting } from "../api/session-map.ts";
import type { Place } from "../place/place.ts";
import { changeSetting } from "./change-setting.ts";

/** Sets how large the map of a fresh context may be, for the user or for the project at hand. */
export async function setMap(
  place: Place,
  setting: MapSetting,
  where: "user" | "project",
  actor?: Actor,
): Promise<void> {
  if (readMapSetting(setting) === undefined)
    throw new HeedError(
      "invalid-input",
      `map ${JSON.stringify(setting)} is none: use auto, off, or characters from ${MAP_CHARS.least} to ${MAP_CHARS.most}`,
      { argument: "setting", value: setting },
    );
  await changeSetting(place, "map", setting, where, actor);
  place.lookAgain();
}

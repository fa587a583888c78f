import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Actor } from "../../memory/actor.ts";
import { asRecord } from "../../memory/codec/read-fields.ts";
import { setYamlValue } from "../../memory/codec/edit-yaml.ts";
import { readText, writeFileAtomic } from "../../platform/atomic-file.ts";
import { withIoErrors } from "../../platform/io-failure.ts";
import type { LearnMode } from "../place/learn-mode.ts";
import type { Place } from "../place/place.ts";
import { readUserConfig } from "../place/user-config.ts";
import { requireYaml } from "./change-setting.ts";
import { requirePerson } from "./require-person.ts";

/**
 * Turns reading by a model on or off in the user's own configuration, whose comments and other parts stay. A model that is
 * named there already stays named.
 *
 * @throws HeedError `gate-refused` for anybody but a person: a model costs money and reads what they say.
 */
export async function setLearn(place: Place, mode: LearnMode, actor: Actor): Promise<void> {
  requirePerson(
    actor,
    `what is learned from sessions is the user's to say: they run heed mode --learn ${mode} in a terminal`,
    `the user runs heed mode --learn ${mode}`,
  );
  const { file, values } = readUserConfig(place.places);
  const before = readText(file) ?? "";
  requireYaml(file, before, "learn");
  if (mode === "model" && asRecord(values["learn"])) return;
  withIoErrors("write", file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileAtomic(file, setYamlValue(before, ["learn"], mode), { mode: 0o600 });
  });
}

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findClientMemory } from "../../here/client-memory.ts";
import type { Place } from "../../here/place.ts";
import { type LearnMode, readUserConfig } from "../../here/user-config.ts";
import { recordSession } from "../../here/records/session-state.ts";
import { usersStore } from "../../write/make-store.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import { attachStore } from "./attach-store.ts";
import { requireStore } from "../../here/consent/review-store.ts";
import { requirePerson } from "../../write/write-consent.ts";
import { HeedError, invalidInput } from "../../machine/heed-error.ts";
import type { Actor, StoreRef } from "../../memory/memory.ts";
import { setYamlValue } from "../../memory/codec/encode-memory.ts";
import type { Places } from "../../machine/places.ts";
import { allowedMode } from "../../store/config/policy.ts";
import { keepFile } from "../../machine/state-file.ts";
import { readText, writeFileAtomic } from "../../machine/atomic-file.ts";
import { namesInFolder, realPathOf, withIoErrors } from "../../machine/regular-file.ts";
import {
  type Mode,
  type Writer,
  CONFIG_FILE,
  MAP_CHARS,
  MODES,
  keptSettings,
  readMapSetting,
  readSettings,
} from "../../store/config/store-config.ts";
import { listStore } from "../../store/consent.ts";

const PERSON: Actor = { kind: "person" };

async function changeSetting(
  place: Place,
  key: string,
  value: string | number,
  where: "user" | "project",
  actor: Actor,
): Promise<StoreRef> {
  const store = where === "user" ? await usersStore(place, actor) : requireStore(place, where);
  const file = join(store.root, CONFIG_FILE);
  const before = readText(file);
  requireYaml(file, place.places, key);
  const after = setYamlValue(before ?? "", [key], value);
  if (after !== before) {
    const files = [{ file: CONFIG_FILE, before, after }];
    const writer = new MemoryWriter(place, actor);
    await writer.changeFiles(store, files, { kind: "setting", why: `${key} ${value}` });
    keepFile(file, keptSettings(file, place.places));
  }
  place.lookAgain();
  return store;
}

function requireYaml(file: string, places: Places, key: string): void {
  const { fault } = readSettings(file, places);
  const what = fault?.isChange ? "look at it with heed inbox trust" : "fix it";
  if (fault)
    throw new HeedError(
      "broken-file",
      `${file} does not count as it is (${fault.message}): ${what}, then set the ${key}`,
      { file, line: fault.line },
    );
}

/** Sets the mode for user, project or one session. @throws HeedError `invalid-input`, `no-store`, `broken-file`, `io-failed`. */
export async function setMode(
  place: Place,
  mode: Mode,
  where: ModePlace,
  actor: Actor = PERSON,
): Promise<void> {
  if (!MODES.includes(mode))
    throw invalidInput("mode", mode, `${JSON.stringify(mode)} is not a mode: use one of ${MODES.join(", ")}`);
  const { policy } = place.found;
  if (allowedMode(policy, mode) !== mode)
    throw invalidInput("mode", mode, `${policy.file} allows only ${policy.modes.join(", ")}, not ${mode}`);
  requireUser(actor, "only a person sets the mode", `heed config mode ${mode}`);
  if (typeof where === "string") {
    const store = await changeSetting(place, "mode", mode, where, actor);
    if (store.kind === "project") await listStore(place.places, store.root, "silenced", mode === "off");
  } else if (where.session.trim() === "")
    throw invalidInput("session", where.session, "the session has no id: give the one that the client names");
  else recordSession(place.places, where.session, [{ kind: "mode", time: place.now().toISOString(), mode }]);
}

/** How large the map may be: what sixty lines take, none, or this many characters. */
export type MapSetting = "auto" | "off" | number;

/** Where a mode holds. */
export type ModePlace = "user" | "project" | { session: string };

/** Claude Code's own memory of the project at hand, beside heed. */
export interface ClientMemoryReport {
  /** Claude Code is here, and its automatic memory is not switched off. */
  isOn: boolean;
  /** Its folder, whether there is anything in it or not; empty when it is not on. */
  directory: string;
  /** Memories in it. */
  files: number;
  /** heed reads it. */
  isAttached: boolean;
  /** Which of the two the user wants written; undefined until they have said so. */
  writer: "heed" | "client" | undefined;
}

/** Sets how large the map of a fresh context may be, for the user or for the project at hand. */
export async function setMap(
  place: Place,
  setting: MapSetting,
  where: "user" | "project",
  actor: Actor = PERSON,
): Promise<void> {
  if (readMapSetting(setting) === undefined)
    throw invalidInput(
      "setting",
      setting,
      `${JSON.stringify(setting)} is not a valid map size: use auto, off, or ${MAP_CHARS.least} to ${MAP_CHARS.most} characters`,
    );
  requireUser(actor, "only a person sets the size of the map", `heed config map ${setting}`);
  await changeSetting(place, "map", setting, where, actor);
}

/** Turns reading by a model on or off; a command named there stays. @throws HeedError `gate-refused` for anybody but a person. */
export async function setLearn(place: Place, mode: LearnMode, actor: Actor): Promise<void> {
  requireUser(actor, "only a person decides whether a model reads sessions", `heed config learn ${mode}`);
  const { file, values } = readUserConfig(place.places);
  const said = values["learn"];
  const before = readText(file) ?? "";
  requireYaml(file, place.places, "learn");
  if (mode === "model" && typeof said === "string" && !/^(?:off|explicit)$/.test(said)) return;
  withIoErrors("write", file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileAtomic(file, setYamlValue(before, ["learn"], mode), { mode: 0o600 });
    keepFile(file, keptSettings(file, place.places));
  });
}

/** How Claude Code's own memory of this project stands beside heed's. */
export function clientMemoryHere(place: Place): ClientMemoryReport {
  const folder = findClientMemory(place.repository?.root ?? place.cwd, place.env);
  const real = folder === undefined ? undefined : realPathOf(folder);
  return {
    isOn: folder !== undefined,
    directory: folder ?? "",
    files: namesInFolder(folder ?? "").filter((name) => name.endsWith(".md") && name !== "MEMORY.md").length,
    isAttached: place.stores.some(({ root }) => realPathOf(root) === real),
    writer: place.found.writer,
  };
}

/** Says whether heed or Claude Code writes, and reads what the client kept. @throws HeedError `gate-refused` for anybody but a person. */
export async function setWriter(place: Place, writer: Writer, actor: Actor): Promise<ClientMemoryReport> {
  requireUser(actor, "only a person decides which memory is written", `heed config writer ${writer}`);
  await changeSetting(place, "writer", writer, "user", actor);
  const { directory, files, isAttached } = clientMemoryHere(place);
  if (files > 0 && !isAttached) await attachStore(place, directory, {}, actor);
  return clientMemoryHere(place);
}

function requireUser(actor: Actor, why: string, command: string): void {
  requirePerson(actor, `${why}: run ${command} in a terminal`, `a person runs ${command}`);
}

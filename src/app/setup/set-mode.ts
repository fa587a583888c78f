import { BrokenYaml } from "../../memory/codec/broken-yaml.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { setYamlValue } from "../../memory/codec/edit-yaml.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { parseYaml } from "../../memory/codec/parse-yaml.ts";
import { readText } from "../../platform/atomic-file.ts";
import { silenceStore } from "../../store/trust/change-store-registry.ts";
import type { Mode } from "../../store/config/store-config.ts";
import { CONFIG_FILE, MAX_CONFIG_BYTES, MODES } from "../../store/config/store-config.ts";
import { join } from "node:path";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { recordSession } from "../records/session-state.ts";
import { makeStore } from "../writing/make-store.ts";
import type { Place } from "../place/place.ts";

/**
 * Sets the mode for the user, for the project at hand, or for one session. Rejects with `invalid-input` for a mode or
 * session that is none, `no-store` where the project has no store, `broken-file` for a configuration that cannot be
 * read, `io-failed` when nothing can be written.
 */
export async function setMode(
  place: Place,
  mode: Mode,
  where: "user" | "project" | { session: string },
): Promise<void> {
  if (!MODES.includes(mode)) {
    throw invalid("mode", mode, `mode ${JSON.stringify(mode)} is none: use one of ${MODES.join(", ")}`);
  }
  if (typeof where === "string") {
    const store = await storeOf(place, where);
    await writeSetting(place, "mode", mode, store);
    if (store.kind === "project") await silenceStore(place.places, store.root, mode === "off");
    place.lookAgain();
    return;
  }
  if (where.session.trim() === "") {
    throw invalid("session", where.session, "the session has no id: give the one that the client names");
  }
  try {
    recordSession(place.places, where.session, [{ kind: "mode", time: place.now().toISOString(), mode }]);
  } catch (error) {
    const { state } = place.places;
    throw new HeedError(
      "io-failed",
      `the mode could not be written to ${state}: make it writable, or set HEED_MODE`,
      { file: state, operation: "write" },
      { cause: error },
    );
  }
}

/** Sets a key of the configuration of the user's store, or of the project's; the user's is made where there is none. */
export async function setStoreSetting(
  place: Place,
  key: string,
  value: string,
  kind: "user" | "project",
): Promise<void> {
  await writeSetting(place, key, value, await storeOf(place, kind));
}

async function storeOf(place: Place, kind: "user" | "project"): Promise<StoreRef> {
  const store = place.stores.find((found) => found.kind === kind);
  if (store) return store;
  if (kind === "user") return makeStore(place, "user");
  throw new HeedError("no-store", "there is no project store here: `heed init --project` makes one", {
    store: kind,
  });
}

/** Changes one key of a store's configuration; comments and everything else stay, and its history says so. */
async function writeSetting(place: Place, key: string, value: string, ref: StoreRef): Promise<void> {
  const file = join(ref.root, CONFIG_FILE);
  const before = readText(file);
  requireYaml(file, before ?? "");
  const after = setYamlValue(before ?? "", [key], value);
  if (after === before) return;
  const files = [{ file: CONFIG_FILE, before, after }];
  const writer = new MemoryWriter(place, { kind: "person" });
  await writer.changeFiles(ref, files, { kind: "setting", why: `${key} ${value}` });
}

function requireYaml(file: string, text: string): void {
  try {
    if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) throw new Error(`more than ${MAX_CONFIG_BYTES} bytes`);
    parseYaml(text);
  } catch (error) {
    const line = error instanceof BrokenYaml ? error.line + 1 : undefined;
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new HeedError(
      "broken-file",
      `${file} is no configuration (${reason}): mend it, then set it again`,
      { file, line },
      { cause: error },
    );
  }
}

function invalid(argument: string, value: unknown, message: string): HeedError {
  return new HeedError("invalid-input", message, { argument, value });
}

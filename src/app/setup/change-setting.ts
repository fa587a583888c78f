import { join } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";
import { BrokenYaml } from "../../memory/codec/broken-yaml.ts";
import { setYamlValue } from "../../memory/codec/edit-yaml.ts";
import { parseYaml } from "../../memory/codec/parse-yaml.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { readText } from "../../platform/atomic-file.ts";
import { CONFIG_FILE, MAX_CONFIG_BYTES } from "../../store/config/store-config.ts";
import type { Place } from "../place/place.ts";
import { usersStore } from "../writing/make-store.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { requireStore } from "./require-store.ts";

/**
 * Changes one key of a store's configuration; comments and everything else stay, and its history says so. Rejects with
 * `no-store` where the project has no store, `broken-file` for a configuration that cannot be read.
 */
export async function changeSetting(
  place: Place,
  key: string,
  value: string | number,
  where: "user" | "project",
  actor: Actor = { kind: "person" },
): Promise<StoreRef> {
  const store = where === "user" ? await usersStore(place, actor) : requireStore(place, where);
  const file = join(store.root, CONFIG_FILE);
  const before = readText(file);
  requireYaml(file, before ?? "", key);
  const after = setYamlValue(before ?? "", [key], value);
  if (after !== before) {
    const files = [{ file: CONFIG_FILE, before, after }];
    const writer = new MemoryWriter(place, actor);
    await writer.changeFiles(store, files, { kind: "setting", why: `${key} ${value}` });
  }
  return store;
}

/** @throws HeedError `broken-file` for a text that is no configuration. */
export function requireYaml(file: string, text: string, key: string): void {
  try {
    if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) throw new Error(`more than ${MAX_CONFIG_BYTES} bytes`);
    parseYaml(text);
  } catch (error) {
    const line = error instanceof BrokenYaml ? error.line + 1 : undefined;
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new HeedError(
      "broken-file",
      `${file} is no configuration (${reason}): mend it, then set the ${key}`,
      { file, line },
      { cause: error },
    );
  }
}

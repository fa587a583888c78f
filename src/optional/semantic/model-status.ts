import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readVectorFile } from "./vector-table.ts";
import { asRecord } from "../../memory/codec/read-fields.ts";
import type { InstalledPackage, SemanticStatus } from "../../app/api/setup-reports.ts";
import { findModel } from "./model-files.ts";
import { vectorFile } from "./open-search-by-meaning.ts";
import type { Place } from "../../app/place/place.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";

/** What was installed, as a file in the models' directory. */
export const RECORD_FILE = "installed.json";
/** What `heed semantic install` makes in the models' directory, and all that `remove` takes away. */
const OWN = /^(?:model|engine|downloads|draft-\d+|installed\.json)$/;

/** Whether there is an embedding model on this machine, which, and how far the stores' vectors are. Loads nothing. */
export function semanticStatus(place: Place): SemanticStatus {
  const { env, places } = place;
  const found = findModel(env, places);
  const stores = place.stores.map((store) => {
    const file = vectorFile(places, store);
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return { kind: store.kind, vectors: bytes === 0 ? 0 : (readVectorFile(file)?.size ?? 0), bytes };
  });
  if (found.state !== "found") return { state: found.state, reason: found.reason, stores };
  const { model, runtime } = found.files;
  const installed = readRecord(places.models);
  return {
    state: "found",
    reason: found.origin === "installed" ? "installed by heed" : "in a directory given by you",
    model,
    engine:
      runtime.kind === "native"
        ? `onnxruntime-node ${runtime.version ?? ""}`.trim()
        : "onnxruntime-web (WASM)",
    ...(found.origin === "installed" && { installed }),
    stores,
  };
}

/** Removes what was installed, and the vectors of the stores at hand. A directory given by the user stays. */
export function removeSemantic(place: Place): { removed: string[] } {
  const { places } = place;
  const own = existsSync(places.models) ? readdirSync(places.models).filter((name) => OWN.test(name)) : [];
  const paths = [
    ...own.map((name) => join(places.models, name)),
    ...place.stores.map((store) => vectorFile(places, store)),
  ].filter((path) => existsSync(path));
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  return { removed: paths };
}

/** What is recorded as installed; of an unreadable record, or one of another form, nothing. */
export function readRecord(directory: string): InstalledPackage[] {
  try {
    const packages = asRecord(
      JSON.parse(readRegularFile(join(directory, RECORD_FILE), { maxBytes: MAX_OWN_FILE_BYTES })),
    )?.["packages"];
    return (packages as InstalledPackage[]).filter(({ places }) => Array.isArray(places));
  } catch {
    return [];
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readUserConfig } from "../../app/place/user-config.ts";
import { asRecord, FieldReader } from "../../memory/codec/read-fields.ts";
import type { Places } from "../../platform/places.ts";
import type { ModelFiles } from "./model-files.ts";
import { findModelFiles } from "./model-files.ts";

/** Where a sentence model comes from, or why there is none. */
export type FoundModel =
  | { state: "found"; origin: "directory" | "installed"; files: ModelFiles }
  | { state: "none" | "off"; reason: string };

/** Where an engine lies that `heed semantic install` fetched. */
export function engineDirectory(places: Places): string {
  return join(places.models, "engine");
}

/**
 * Looks for a sentence model: in the directory that the user named (`HEED_SEMANTIC_DIR`, else `semantic.directory` of
 * the user's configuration; `off` turns it off), else among what `heed semantic install` fetched. Looks at a handful
 * of names, loads nothing.
 */
export function findModel(env: Readonly<Record<string, string | undefined>>, places: Places): FoundModel {
  const settings = asRecord(readUserConfig(places).values["semantic"]);
  const named = env["HEED_SEMANTIC_DIR"] || (settings && new FieldReader(settings).text("directory"));
  if (named === "off") return { state: "off", reason: "turned off by you" };
  const directory = named ?? join(places.models, "model");
  if (named === undefined && !existsSync(directory))
    return { state: "none", reason: "not installed (heed semantic install)" };
  const found = findModelFiles(directory, [engineDirectory(places)]);
  return "missing" in found
    ? { state: "none", reason: found.missing }
    : { state: "found", origin: named === undefined ? "installed" : "directory", files: found };
}

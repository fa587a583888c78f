import { join } from "node:path";
import { findPlaces } from "../../heed.ts";
import { runWithCodeCache } from "./code-cache.ts";

/** Each surface is a bundle of its own, so that the hot ones load nothing of the others. */
const BUNDLES: Readonly<Record<string, string>> = {
  hook: "hook.cjs",
  mcp: "mcp.cjs",
  search: "search.cjs",
};

const bundle = BUNDLES[process.argv[2] ?? ""] ?? "cli.cjs";
runWithCodeCache(join(__dirname, bundle), join(findPlaces(process.env).cache, "code"), module);

import { join } from "node:path";
import { findPlaces } from "../../machine/places.ts";
import { runWithCodeCache } from "./code-cache.ts";

/** Each surface is a bundle of its own, so that the hot ones load nothing of the others. */
const BUNDLES: Readonly<Record<string, string>> = {
  hook: "hook.cjs",
  mcp: "mcp.cjs",
  search: "search.cjs",
};

// Help is the command line's: a hook would take its input for what somebody said. A program's own words ask for none.
const isHelp = process.argv[3] !== "--start" && process.argv.includes("--help");
const bundle = join(__dirname, (isHelp ? undefined : BUNDLES[process.argv[2] ?? ""]) ?? "cli.cjs");
// Node maps the files that it loads itself: traces then name the sources and their lines.
const isDebugging = process.env["HEED_DEBUG"] === "1";
if (isDebugging) process.setSourceMapsEnabled(true);
const cache = isDebugging ? undefined : findCache();
if (cache === undefined) module.require(bundle);
else runWithCodeCache(bundle, join(cache, "code"), module);

/** None where a variable leads nowhere, which the bundle says. */
function findCache(): string | undefined {
  try {
    return findPlaces(process.env).cache;
  } catch {
    return undefined;
  }
}

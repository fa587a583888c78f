import { whyNoNode } from "./node-version.ts";
import { join, parse } from "node:path";
import { findPlaces } from "../../machine/places.ts";
import { runWithCodeCache } from "./code-cache.ts";

/** Each surface is a bundle of its own, so that the hot ones load nothing of the others. */
const BUNDLES: Readonly<Record<string, string>> = {
  hook: "hook.cjs",
  mcp: "mcp.cjs",
  search: "search.cjs",
};

const surface = process.argv[2] ?? "";
// Help is the command line's: a hook would take its input for what somebody said. A program's own words ask for none.
const isHelp = process.argv[3] !== "--start" && process.argv.includes("--help");
const bundle = whyNoNode() === undefined ? (!isHelp && BUNDLES[surface]) || "cli.cjs" : "old-node.cjs";
// Node maps the files that it loads itself: traces then name the sources and their lines.
const isDebugging = process.env["HEED_DEBUG"] === "1";
stayInDirectory();
const cache = isDebugging || bundle === "old-node.cjs" ? undefined : findCache();
if (isDebugging) process.setSourceMapsEnabled(true);
if (cache === undefined) module.require(`./${bundle}`);
else runWithCodeCache(join(__dirname, bundle), join(cache, "code"), module);

/** A directory that goes later is kept by Node. Of one that is gone a person chooses another; messages of clients name one. */
function stayInDirectory(): void {
  try {
    process.cwd();
  } catch {
    if (surface === "hook" || surface === "mcp") process.chdir(parse(__dirname).root);
  }
}

/** None where a variable leads nowhere, which the bundle says. */
function findCache(): string | undefined {
  try {
    return findPlaces(process.env).cache;
  } catch {
    return undefined;
  }
}

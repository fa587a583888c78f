import { whyNoNode } from "./node-version.ts";
import type * as V8 from "node:v8";
import { join, parse } from "node:path";
import { type Places, findPlaces, SETTLING, TRUST_FILE } from "../../machine/places.ts";
import { READ_INPUT } from "../standard-streams.ts";
import { whoseSession } from "../hooks/whose-session.ts";
import { settledEnvironment } from "../processes.ts";
import { SERVERS, askServer } from "./ask-server.ts";
import { runWithCodeCache } from "./code-cache.ts";

/** Each surface is a bundle of its own, so that the hot ones load nothing of the others. */
const BUNDLES: Readonly<Record<string, string>> = {
  hook: "hook.cjs",
  mcp: "mcp.cjs",
  search: "search.cjs",
};

const surface = process.argv[2] ?? "";
// Help is the command line's: a hook would take its input for what somebody said. A program's own words ask for none.
const isStart = process.argv[3] === "--start";
const isHelp = !isStart && process.argv.includes("--help");
const bundle = whyNoNode() === undefined ? (!isHelp && BUNDLES[surface]) || "cli.cjs" : "old-node.cjs";
// Node maps the files that it loads itself: traces then name the sources and their lines.
const isDebugging = process.env["HEED_DEBUG"] === "1";
stayInDirectory();
// A start is asked with the places of its session, and judged by its own environment.
if (bundle !== "old-node.cjs" && !isStart) settleEnvironment();
const places = findOwnPlaces();
if (isDebugging) process.setSourceMapsEnabled(true);
// A short run ends before V8's optimising compiler gains what it costs; what reads many files switches it on again.
const ownFlags = bundle === "hook.cjs" || bundle === "search.cjs" ? "--no-opt" : "";
if (bundle === "hook.cjs" && places && !isDebugging && !isStart) void runHook(join(places.state, SERVERS));
else run();

async function runHook(servers: string): Promise<void> {
  // What it cannot do the hook's own program can.
  const input = await askServer(servers, __filename).catch(() => undefined);
  Object.assign(globalThis, { [READ_INPUT]: input });
  run();
}

function run(): void {
  // Not where a server answers: loading `v8` takes a tenth of Node's own start.
  if (ownFlags) (module.require("v8") as typeof V8).setFlagsFromString(ownFlags);
  if (isDebugging || places === undefined || bundle === "old-node.cjs") module.require(`./${bundle}`);
  else runWithCodeCache(join(__dirname, bundle), join(places.cache, "code"), module, ownFlags);
}

/** For all that runs in this process: where code is kept and servers listen, too. */
function settleEnvironment(): void {
  const kind = ({ hook: "hook", mcp: "server" } as const)[surface];
  const env = settledEnvironment(process.env, () => !!kind && whoseSession(kind).client !== undefined);
  if (env === process.env) return;
  for (const name of [...SETTLING, TRUST_FILE, "HEED_LATE"])
    if (env[name] === undefined) delete process.env[name];
    else process.env[name] = env[name];
}

/** A directory that goes later is kept by Node. Of one that is gone a person chooses another; messages of clients name one. */
function stayInDirectory(): void {
  try {
    process.cwd();
  } catch {
    if (surface === "hook" || surface === "mcp") process.chdir(parse(__dirname).root);
  }
}

/** None where a variable leads nowhere, which the bundle says. */
function findOwnPlaces(): Places | undefined {
  try {
    return findPlaces(process.env);
  } catch {
    return undefined;
  }
}

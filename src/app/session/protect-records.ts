import { basename, dirname, join, resolve } from "node:path";
import { homeOf } from "../../platform/places.ts";
import { realPathOf } from "../../platform/real-path.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import { NOTHING } from "../records/event-outcome.ts";
import type { Situation } from "./situation.ts";

/** A call that does not say it has nothing to do with heed, where heed's directories are called after it. */
const WORD = /heed/i;

/**
 * Keeps the user's word the user's: a model's tools neither write what heed has recorded of it nor feed heed with turns
 * that nobody typed (see decideOwnCall). Calls that name nothing of heed's cost one look at their text.
 */
export async function protectRecords(
  { place, root, collection }: Situation,
  use: { tool: string; input: Readonly<Record<string, unknown>> },
): Promise<EventOutcome> {
  const { state, config } = place.places;
  const stores = collection.stores.filter(({ kind, isTrusted }) => kind !== "attached" && isTrusted);
  const own = {
    records: namesOf([state, config]),
    stores: namesOf(stores.map((store) => store.root)),
    realPath,
  };
  const { cwd } = place;
  const { input } = use;
  const { content: _text, old_string: _old, new_string: _new, edits: _edits, ...named } = input;
  const said = JSON.stringify(named);
  const roots = [...own.records, ...own.stores];
  const isNamed = roots.some((path) => !WORD.test(path) && said.includes(path.split("/").at(-1) ?? path));
  const isInside = roots.some((path) => slashed(cwd).startsWith(path));
  if (!WORD.test(said) && !isNamed && !isInside) return NOTHING;
  const { decideOwnCall } = await import("../../guard/evaluate-guards.ts");
  const call = {
    tool: use.tool,
    input,
    cwd: slashed(cwd),
    roots: [slashed(root)],
    home: slashed(homeOf(place.env)),
  };
  const decision = decideOwnCall(call, own);
  if (!decision) return NOTHING;
  return {
    ...NOTHING,
    answer: { decision: { action: decision.action, reason: `heed: ${decision.reason}` } },
  };
}

/** What a path leads to: of a file that is not there yet, what its folder leads to. */
function realPath(path: string): string {
  const real = realPathOf(path);
  const folder = dirname(path);
  return slashed(real !== resolve(path) || folder === path ? real : join(realPath(folder), basename(path)));
}

/** A directory under the name that it goes by here, and its real one. */
function namesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [slashed(path), slashed(realPathOf(path))]))];
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

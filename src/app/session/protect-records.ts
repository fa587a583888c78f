import { basename, dirname, join, resolve } from "node:path";
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
  };
  const { cwd } = place;
  const input = withRealPath(use.input, cwd);
  const { content: _text, old_string: _old, new_string: _new, edits: _edits, ...named } = input;
  const said = JSON.stringify(named);
  const roots = [...own.records, ...own.stores];
  const isNamed = roots.some((path) => !WORD.test(path) && said.includes(path.split("/").at(-1) ?? path));
  const isInside = roots.some((path) => slashed(cwd).startsWith(path));
  if (!WORD.test(said) && !isNamed && !isInside) return NOTHING;
  const { decideOwnCall } = await import("../../guard/evaluate-guards.ts");
  const home = place.env["HOME"] ?? place.env["USERPROFILE"];
  const call = {
    tool: use.tool,
    input,
    cwd: slashed(cwd),
    roots: [slashed(root)],
    home: home && slashed(home),
  };
  const decision = decideOwnCall(call, own);
  if (!decision) return NOTHING;
  return {
    ...NOTHING,
    answer: { decision: { action: decision.action, reason: `heed: ${decision.reason}` } },
  };
}

/** The file that an edit names, behind the links that lead to it: the file itself may not be there yet. */
function withRealPath(
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): Readonly<Record<string, unknown>> {
  const { file_path: path } = input;
  if (typeof path !== "string") return input;
  const whole = resolve(cwd, path);
  const real = join(realPathOf(dirname(whole)), basename(whole));
  return real === whole ? input : { ...input, file_path: slashed(realPathOf(real)) };
}

/** A directory under the name that it goes by here, and its real one. */
function namesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [slashed(path), slashed(realPathOf(path))]))];
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

import { realpathSync } from "node:fs";
import type { EventOutcome } from "./event-outcome.ts";
import { NOTHING } from "./event-outcome.ts";
import type { Situation } from "./situation.ts";

/** No call that says none of these has to do with heed. */
const WORD = /heed|claudecode|memory/i;

/**
 * Keeps the user's word the user's: a model's tools neither write what heed has recorded of it nor feed heed with turns
 * that nobody typed (see judgeOwnCall). Calls that name nothing of heed's cost one look at their text.
 */
export async function protectRecords(
  { workspace, root, collection }: Situation,
  use: { tool: string; input: Readonly<Record<string, unknown>> },
): Promise<EventOutcome> {
  const { state, config } = workspace.places;
  const stores = collection.stores.filter(({ kind, isTrusted }) => kind !== "attached" && isTrusted);
  const own = {
    records: namesOf([state, config]),
    stores: namesOf(stores.map((store) => store.root)),
  };
  const { cwd } = workspace;
  const said = JSON.stringify(use.input);
  const isNamed = [...own.records, ...own.stores].some((path) =>
    said.includes(path.split("/").at(-1) ?? path),
  );
  const isInside = [...own.records, ...own.stores].some((path) => slashed(cwd).startsWith(path));
  if (!WORD.test(said) && !isNamed && !isInside) return NOTHING;
  const { judgeOwnCall } = await import("../../guard/evaluate-guards.ts");
  const home = workspace.env["HOME"] ?? workspace.env["USERPROFILE"];
  const call = { ...use, cwd: slashed(cwd), roots: [slashed(root)], home: home && slashed(home) };
  const verdict = judgeOwnCall(call, own);
  if (!verdict) return NOTHING;
  return { ...NOTHING, answer: { decision: { action: verdict.action, reason: `heed: ${verdict.reason}` } } };
}

/** A directory under the name that it goes by here, and its real one. */
function namesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [slashed(path), slashed(realPath(path))]))];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

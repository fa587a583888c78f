import { basename, dirname, join, resolve } from "node:path";
import { type OwnedCall, ruleOnCall } from "./rule-on-call.ts";
import { type EventOutcome, NOTHING, type Situation } from "./situation.ts";
import type { ToolUse } from "../../guard/guard-call.ts";
import { homeOf, recordFolders } from "../../platform/places.ts";
import { realPathOf } from "../../platform/stat-if-there.ts";

const WORD = /heed/i;
/** A word of a shell that may be other than it looks: home, a variable, another command's output, a way up, a quote inside. */
const HIDES = /~|\$|`|\.\.|[\w./-]["'\\]+[\w./-]/;
/** So many words of a call are looked at for what they lead to; one with more is looked at as a whole. */
const MAX_WORDS = 60;
const MAX_PATH_CHARS = 4096;

/**
 * Keeps the user's word the user's: a model's tools neither write what heed has recorded of it nor feed heed with turns
 * that nobody typed (see decideOwnCall). Calls that name nothing of heed's cost one look at their text.
 */
export async function protectRecords(
  situation: Situation,
  use: ToolUse,
  call?: OwnedCall,
): Promise<EventOutcome> {
  const { place, root, collection } = situation;
  const realPath = realPaths();
  const stores = collection.stores.filter(({ kind, isTrusted }) => kind !== "attached" && isTrusted);
  const { records, derived } = recordFolders(place.places);
  const own = {
    records: namesOf(records),
    derived: namesOf(derived),
    // The user's own, also where none is yet: what is laid there would be in force once it is one.
    stores: namesOf([place.places.userStore, ...stores.map((store) => store.root)]),
    realPath,
  };
  const { cwd } = place;
  const { input } = use;
  const { content: _text, old_string: _old, new_string: _new, edits: _edits, ...named } = input;
  if (use.cut === undefined && !mayTouch(named, slashed(cwd), own, realPath)) return NOTHING;
  const { decideOwnCall, decisionEnd } = await import("../../guard/evaluate-guards.ts");
  use.untilMs ??= decisionEnd();
  const seen = {
    ...use,
    cwd: slashed(cwd),
    roots: [slashed(root)],
    home: slashed(homeOf(place.env)),
    variables: variablesOf(place),
  };
  const decision = decideOwnCall(seen, own);
  if (!decision) return NOTHING;
  const outcome: EventOutcome = { ...NOTHING, answer: {}, records: [], decisions: [] };
  const { action, reason } = decision;
  // What heed alone writes, nobody can allow.
  const stop = { action, rules: [OWN_FILES], text: shownUse(use) };
  const ruling =
    call && action === "ask" ? ruleOnCall(situation, call, stop, outcome) : { action, wayOut: "" };
  if (ruling)
    outcome.answer.decision = {
      action: ruling.action,
      reason: [`heed: ${reason}`, ruling.wayOut].filter((text) => text !== "").join("\n\n"),
    };
  return outcome;
}

/** What stops a call, where no rule of the user's does. */
const OWN_FILES = { key: "heed:own-files", name: "own-files" };

function shownUse({ tool, input }: ToolUse): string {
  const said = input["command"] ?? input["file_path"] ?? input["notebook_path"];
  return typeof said === "string" ? said : `${tool} ${JSON.stringify(input)}`;
}

/**
 * Whether a call can have to do with heed's folders: it says their name, works in or above one, or has a word that leads
 * there, or that may be anything. Everything else costs no more than this.
 */
function mayTouch(
  named: object,
  cwd: string,
  { records, derived, stores }: Record<"records" | "derived" | "stores", readonly string[]>,
  realPath: (path: string) => string,
): boolean {
  const said = JSON.stringify(named);
  const roots = [...records, ...stores];
  // What is derived lies in folders with names that many have, or with heed's.
  const unmistakable = roots.filter((root) => !derived.includes(root));
  if (WORD.test(said) || unmistakable.some((root) => said.includes(root.split("/").at(-1) ?? root)))
    return true;
  if (meets(cwd, roots)) return true;
  const texts = textsIn(named);
  if (texts.some((text) => HIDES.test(text))) return true;
  const words = texts
    .flatMap((text) => [text, ...text.split(/[\s;&|<>()=,'"]+/)])
    .filter((word) => word !== "");
  if (words.length > MAX_WORDS) return true;
  // A wildcard is anything below the folder before it.
  const paths = words.map((word) => word.replace(/^file:\/\//, "").replace(/[*?[{].*$/, ""));
  return paths.some((path) => meets(realPath(resolve(cwd, path)), roots, cwd));
}

/** Whether a path lies in one of some folders, or one of them in it; the folder at hand alone says nothing. */
function meets(path: string, roots: readonly string[], cwd?: string): boolean {
  if (path === cwd) return false;
  const within = (one: string, other: string): boolean =>
    one === other || one.startsWith(other.endsWith("/") ? other : `${other}/`);
  return roots.some((root) => within(path, root) || within(root, path));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What a shell of the client would expand: as it is set, or as heed takes it to be. */
function variablesOf({ places, env }: Situation["place"]): Record<string, string> {
  const HOME = homeOf(env);
  const { XDG_DATA_HOME = `${HOME}/.local/share`, XDG_STATE_HOME = `${HOME}/.local/state` } = env;
  const { XDG_CACHE_HOME = `${HOME}/.cache`, USER = "" } = env;
  const {
    userStore: HEED_DIR,
    state: HEED_STATE_DIR,
    config: HEED_CONFIG_DIR,
    cache: HEED_CACHE_DIR,
  } = places;
  const own = { HEED_DIR, HEED_STATE_DIR, HEED_CONFIG_DIR, HEED_CACHE_DIR };
  return { HOME, USER, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, ...own };
}

/** What paths lead to: of a file that is not there yet, what its folder leads to. One call names the same over and over. */
function realPaths(): (path: string) => string {
  const known = new Map<string, string>();
  const realPath = (path: string): string => {
    // No file system has deeper ones, and a name may go on and on.
    if (path.length > MAX_PATH_CHARS) return path;
    let found = known.get(path);
    if (found !== undefined) return found;
    const real = realPathOf(path);
    const folder = dirname(path);
    found = slashed(
      real !== resolve(path) || folder === path ? real : join(realPath(folder), basename(path)),
    );
    known.set(path, found);
    return found;
  };
  return realPath;
}

/** A directory under the name that it goes by here, and its real one. */
function namesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [slashed(path), slashed(realPathOf(path))]))];
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

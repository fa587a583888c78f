import { existsSync } from "node:fs";
import { join, basename, dirname, resolve } from "node:path";
import type { Decision } from "../api/session-events.ts";
import { GUARD_NOTE } from "../trust/rule-approvals.ts";
import { reviewCommand } from "../trust/user-words.ts";
import { aboveHeed } from "./above-heed.ts";
import { type OwnedCall, ruleOnCall, shownCall } from "./rule-on-call.ts";
import type { EventOutcome, Situation } from "./situation.ts";
import { NOTHING, decisionOn, readForInjection, whyNotHere } from "./situation.ts";
import { findGitDirectory, readHead } from "../../git/git-directory.ts";
import { guardQuestion, guardReason, type GuardsReading, parseGuards } from "../../guard/parse-guards.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import type { FiredGuard } from "../../guard/evaluate-guards.ts";
import type { DutyState, GuardCall, ToolUse } from "../../guard/guard-call.ts";
import type { OwnDirectories } from "../../guard/own-records.ts";
import { type Guard, type GuardAction, GuardSet, type RuleGuard } from "../../guard/guard.ts";
import { shownText } from "../../inject/shown-text.ts";
import { ruleTexts, sourceMark, whyOf } from "../../inject/render-rules.ts";
import { handleOf } from "../../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";
import { homeOf, recordFolders } from "../../platform/places.ts";
import { realPathOf } from "../../platform/regular-file.ts";

/** Noted in a session once its user was told of an order that nobody can tell of. */
const UNPROVEN = "guard-unproven";
const MAX_INJECTED = 3;

/** What the guards in force say to a tool use. Without `call`, as in a trial, nothing is noted and no exception is made. */
export async function guardToolUse(
  situation: Situation,
  use: ToolUse,
  call?: OwnedCall,
): Promise<EventOutcome> {
  const guards = guardsInForce(situation);
  if (!guards) return NOTHING;
  const { evaluateGuards, decisionEnd } = await import("../../guard/evaluate-guards.ts");
  // Loading them is none of it.
  use.untilMs ??= decisionEnd();
  const duties = await dutiesOf(situation, guards.all);
  const { fired, unproven, cutShort } = evaluateGuards({ ...callOf(situation, use), duties }, guards);
  const outcome: EventOutcome = { ...NOTHING, answer: {}, records: [], decisions: [] };
  const [first] = unproven;
  if (first && !situation.session.noticed.has(UNPROVEN)) {
    const said = `${handleOf(first.rule.metadata)}: ${first.because}; the call passes (told once a session)`;
    outcome.answer.notice = `heed: ${said}`;
    outcome.records.push({ kind: "noticed", time: situation.place.now().toISOString(), what: UNPROVEN });
  }
  if (cutShort !== undefined) outcome.trouble = `guards looked at a part of the call only: ${cutShort}`;
  const time = situation.place.now().toISOString();
  for (const { metadata } of guards.all) {
    const store = situation.collection.storeOf(metadata);
    const what = GUARD_NOTE + JSON.stringify({ store, metadata });
    if (store.kind === "project" && !situation.session.noticed.has(what))
      outcome.records.push({ kind: "noticed", time, what });
  }
  const stopping = fired.filter(({ action }) => action !== "warn");
  const [strongest] = stopping;
  const stop = strongest && {
    action: strongest.action === "deny" ? ("deny" as const) : ("ask" as const),
    rules: stopping.map(({ rule: { metadata } }) => ({ key: memoryKey(metadata), name: metadata.name })),
    text: strongest.text,
  };
  const ruling = stop && (call ? ruleOnCall(situation, call, stop, outcome) : { ...stop, wayOut: "" });
  const isPassed = stop !== undefined && ruling === undefined;
  for (const guard of fired) {
    const done = isPassed && guard.action !== "warn" ? "let-pass" : guard.action;
    outcome.decisions.push(receiptDecision(guard, done, situation));
  }
  const injected = ruling ? stopping : fired.filter(({ action }) => action === "warn");
  const reasons = await Promise.all(
    injected.slice(0, MAX_INJECTED).map((guard) => reasonOf(guard, situation, ruling?.action === "ask")),
  );
  const reason = [...reasons, ruling?.wayOut ?? ""].filter((text) => text !== "").join("\n\n");
  if (ruling)
    outcome.answer.decision = {
      action: ruling.action,
      reason: ruling.action === "ask" ? shownText(reason) : reason,
    };
  else if (reason !== "") outcome.answer.context = reason;
  return outcome;
}

/** The call as guards see it: its directories by the name that the client uses and by their real one. */
export function callOf(
  { place, root }: Pick<Situation, "place" | "root">,
  { tool, input, cut, untilMs }: ToolUse,
): GuardCall {
  const cwd = slashed(place.cwd);
  // A client may name files through a link by which the folder was entered, or by their real path.
  const roots = [...new Set([slashed(root), slashed(realPathOf(root))])];
  const temp = place.env["TMPDIR"]?.replace(/(?<=.)\/+$/, "") || "/tmp";
  return {
    tool,
    input,
    cut,
    untilMs,
    branch: place.repository?.branch,
    ...fileLooks(),
    cwd,
    roots,
    home: slashed(homeOf(place.env)),
    temp: slashed(temp),
    // Where the shell has none, nobody can tell what a command would name.
    ...(place.env["TMPDIR"] && { variables: { TMPDIR: slashed(temp) } }),
  };
}

/** What the model is told of a guard that fires, or the user where their client asks them. */
export async function reasonOf(
  fired: FiredGuard<GuardInForce>,
  { collection }: Pick<Situation, "collection">,
  isAsked = false,
): Promise<string> {
  const { metadata } = fired.rule;
  const body = (await readForInjection(collection, metadata))?.body ?? "";
  return (isAsked ? guardQuestion : guardReason)(fired, {
    handle: handleOf(metadata) + sourceMark(collection.storeOf(metadata)),
    statement: ruleTexts({ metadata, body }).whole,
    why: whyOf({ metadata, body }),
  });
}

/** What the receipt says of a guard that fired. */
export function receiptDecision(
  { rule, text, route }: FiredGuard<GuardInForce>,
  action: GuardAction | "let-pass",
  { collection }: Situation,
): Decision {
  const where = route.length > 0 ? ` inside ${route.join(" > ")}` : "";
  const done = action === "let-pass" ? "let pass once, as the user allowed:" : `${action} on`;
  return decisionOn(rule.metadata, collection, {
    form: "guard",
    reason: `guard ${rule.index + 1}: ${done} ${shownCall(text)}${where}`,
    chars: 0,
    guard: { rule: memoryKey(rule.metadata), index: rule.index, action },
  });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

const MAX_LOOKS = 200;

/** What guards ask of the files of the machine, for one call. Never throws. */
function fileLooks(): Required<Pick<GuardCall, "exists" | "treeOf">> {
  return {
    exists: (path) => existsSync(path),
    treeOf: onceEach((folder) => {
      const directory = existsSync(folder) ? findGitDirectory(folder) : undefined;
      return directory && { root: directory.root, branch: readHead(directory).branch };
    }),
  };
}

function onceEach<T>(look: (path: string) => T): (path: string) => T | undefined {
  const found = new Map<string, T | undefined>();
  return (path) => {
    if (!found.has(path) && found.size < MAX_LOOKS)
      try {
        found.set(path, look(path));
      } catch {
        found.set(path, undefined);
      }
    return found.get(path);
  };
}

/** A guard of a rule that is in force here. */
export interface GuardInForce extends RuleGuard {
  metadata: MemoryMetadata;
  /** Its place among the rule's guards. */
  index: number;
}

/** A guard with a duty, as the session's log names it. */
export const dutyKey = ({ metadata, index }: GuardInForce): string => `${memoryKey(metadata)} ${index}`;

/** How the duties of guards stand in a session. */
export async function dutiesOf(
  { session }: Situation,
  rules: readonly GuardInForce[],
): Promise<ReadonlyMap<Guard, DutyState>> {
  const { afterSteps } = await import("../../guard/evaluate-guards.ts");
  const known = rules.map((rule) => [rule.guard, session.duties.get(dutyKey(rule))] as const);
  return new Map(known.flatMap(([guard, duty]) => (duty ? [[guard, afterSteps(duty.steps)] as const] : [])));
}

interface GuardedRule {
  metadata: MemoryMetadata;
  reading: GuardsReading;
  /** Why its guards do nothing here; undefined when they are in force. */
  whyInert: string | undefined;
}

/** So many rules' guards are kept as read; a store has some dozens. */
const MAX_KEPT = 500;
/** By content hash: reading a guard compiles its expressions and globs. */
const kept = new Map<string, GuardsReading>();

/** Every memory that carries a guard, and whether it is in force: a confirmed rule of a trusted store that holds here. */
export function guardedRules(situation: Situation): GuardedRule[] {
  return situation.collection.memoriesWith("guard").map((metadata) => ({
    metadata,
    reading: readGuards(metadata),
    whyInert: whyInert(metadata, situation),
  }));
}

/** The guards in force, arranged for deciding; undefined when there are none. */
export function guardsInForce(situation: Situation): GuardSet<GuardInForce> | undefined {
  const guards = guardedRules(situation)
    .filter((rule) => rule.whyInert === undefined)
    .flatMap(({ metadata, reading }) => {
      const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
      return reading.guards.map(({ guard, index }): GuardInForce => ({ metadata, guard, index, scope }));
    });
  return guards.length === 0 ? undefined : new GuardSet(guards);
}

function whyInert(metadata: MemoryMetadata, situation: Situation): string | undefined {
  const { collection } = situation;
  if (collection.types.get(metadata.type)?.injection !== "always")
    return `a ${metadata.type} memory is no rule`;
  const store = collection.storeOf(metadata);
  if (!store.isTrusted)
    return situation.unreviewed.get(memoryKey(metadata)) === "new"
      ? `it did not come through heed, and nobody has seen it: ${reviewCommand(store.kind)} shows it`
      : "its store is not approved on this machine";
  if (store.kind === "attached") return "its store belongs to another tool";
  if (metadata.status !== "confirmed")
    return `its status is ${metadata.status}, and only a confirmed rule stops anything`;
  return whyNotHere(metadata, situation);
}

function readGuards(metadata: MemoryMetadata): GuardsReading {
  const key = `${metadata.contentHash}:${metadata.id}`;
  const known = kept.get(key);
  if (known) return known;
  const reading = parseGuards(metadata.guard);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, reading);
  return reading;
}

const WORD = /heed/i;
/** What may be other than it looks: home in any language, a variable, another command's output, a way up, a quote inside. */
const HIDES = /~|\$|`|\.\.|HOME|home(?:dir)?\b(?!\/)|[\w./-]["'\\]+[\w./-]/;
/** Words of a call that are looked at for what they lead to; a call with more is looked at as a whole. */
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
  const { settings, profiles, folders } = aboveHeed(place);
  const own = {
    records: namesOf(records),
    derived: namesOf(derived),
    // The user's own, also where none is yet: what is laid there would be in force once it is one.
    stores: namesOf([place.places.userStore, ...stores.map((store) => store.root)]),
    reviewed: namesOf(stores.flatMap(({ kind, root: folder }) => (kind === "project" ? [folder] : []))),
    above: namesOf([...settings, ...folders]),
    profiles: namesOf(profiles),
    realPath,
  };
  const { cwd } = place;
  const { input } = use;
  const { content: _text, old_string: _old, new_string: _new, edits: _edits, ...named } = input;
  // The content that another server's tool is given may be what it runs.
  const said = JSON.stringify(use.tool.startsWith("mcp__") ? input : named).replaceAll(/\\[nt]/g, " ");
  if (use.cut === undefined && !mayTouch(said, slashed(cwd), own)) return NOTHING;
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
  const said = input["command"] ?? input["file_path"] ?? input["notebook_path"] ?? input["path"];
  return typeof said === "string" ? said : `${tool} ${JSON.stringify(input)}`;
}

/**
 * Whether a call can have to do with heed's folders: it names them, runs in or above one, or has a word that leads there or
 * may be anything. Whatever this leaves out is not checked at all; any other call costs no more than this.
 */
function mayTouch(
  said: string,
  cwd: string,
  { records, derived, stores, above, profiles, realPath }: Required<OwnDirectories>,
): boolean {
  const roots = [...records, ...stores];
  // What is derived lies in folders with names that many have, or with heed's.
  const unmistakable = roots.filter((root) => !derived.includes(root));
  if (WORD.test(said) || unmistakable.some((root) => said.includes(root.split("/").at(-1) ?? root)))
    return true;
  const isBelow = (one: string, other: string): boolean =>
    `${one}/`.startsWith(`${other}/`.replace("//", "/"));
  const meets = (path: string, folders: readonly string[]): boolean =>
    folders.some((root) => isBelow(path, root) || isBelow(root, path));
  if (HIDES.test(said) || meets(cwd, roots)) return true;
  const words = said.split(/[\s;&|<>()=,'":\\]+/);
  if (words.length > MAX_WORDS) return true;
  // A wildcard is anything below the folder before it; the folder at hand alone says nothing.
  const paths = words
    .map((word) => realPath(resolve(cwd, word.replace(/[*?[{].*$/, ""))))
    .filter((path) => path !== cwd);
  return paths.some((path) => meets(path, [...roots, ...above, ...profiles]));
}

/** What a shell of the client would expand: as it is set, or as heed takes it to be. */
function variablesOf({ places, env }: Situation["place"]): Record<string, string> {
  const HOME = homeOf(env);
  const { XDG_DATA_HOME = `${HOME}/.local/share`, XDG_STATE_HOME = `${HOME}/.local/state` } = env;
  const { XDG_CACHE_HOME = `${HOME}/.cache` } = env;
  const { userStore, state, config, cache } = places;
  const own = { HEED_DIR: userStore, HEED_STATE_DIR: state, HEED_CONFIG_DIR: config, HEED_CACHE_DIR: cache };
  return { HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, ...own };
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

function namesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [slashed(path), slashed(realPathOf(path))]))];
}

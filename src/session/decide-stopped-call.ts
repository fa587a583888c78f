import { codeOf } from "../memory/formula.ts";
import {
  type GuardedCall,
  type SessionRecord,
  type SessionState,
  hasUser,
  isHeadless,
} from "../here/records/session-state.ts";
import { existsSync } from "node:fs";
import { basename, join, parse, resolve } from "node:path";
import { aboveHeed } from "./above-heed.ts";
import { type EventOutcome, type Situation, NOTHING, outcomeWith } from "./situation.ts";
import { type ToolUse, TARGET_KEY, callUnitOf } from "../guard/guard-call.ts";
import { isShellTool } from "../guard/tools.ts";
import { isMemoryFile } from "../memory/memory.ts";
import { homeOf, recordFolders } from "../machine/places.ts";
import { isBelow, realPathOf } from "../machine/regular-file.ts";
import { CONFIG_FILE } from "../store/config/store-config.ts";
import { defuseLine } from "../memory/delimit.ts";
import { shownWhole } from "../memory/shown-text.ts";
import { compare } from "../machine/read-fields.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";

export interface OwnedCall extends CallOrigin {
  session: string;
  use: ToolUse;
}

interface Stop {
  action: "deny" | "ask";
  /** The rules that stop it: by key, as the session's log names them, and by name, as people do. */
  rules: readonly { key: string; name: string }[];
  text: string;
}

interface StopDecision {
  action: "pass" | "ask" | "deny";
  records: SessionRecord[];
  notice?: string;
  howToAllow: string;
}

/** Passes once if the user allowed this exact call by its code. Asks only in clients known to ask; otherwise denies. */
export function decideStoppedCall({ place, session }: Situation, call: OwnedCall, stop: Stop): StopDecision {
  const whole = shownWhole(wholeCall(call));
  // Nobody allows what they cannot be shown.
  const callHash = whole === undefined ? undefined : hashOfCall(call, place.cwd, stop.rules);
  const now = place.now();
  const codes = session.guarded.flatMap((one) =>
    one.code !== undefined && one.callHash === callHash ? [one.code] : [],
  );
  const code = callHash && (codes.find((one) => grantOf(session, one, now)) ?? codes[0] ?? drawCode());
  const allowedBy = code && grantOf(session, code, now);
  const { command } = call.use.input;
  const text = shownCall(typeof command === "string" ? command : stop.text);
  const records = (more: Partial<GuardedCall>): SessionRecord[] =>
    stop.rules.map(({ key, name }) => ({
      kind: "guarded",
      time: now.toISOString(),
      rule: key,
      name,
      text,
      ...more,
    }));
  if (allowedBy !== undefined) {
    const names = stop.rules.map(({ name }) => name).join(", ");
    const notice = `heed: ${names} let this pass once, as you allowed (${code}): ${whole}`;
    return { action: "pass", records: records({ code, allowedBy }), notice, howToAllow: "" };
  }
  if (stop.action === "ask" && asksUser(call) && hasUser(session))
    return { action: "ask", records: records({}), howToAllow: "" };
  return {
    action: "deny",
    records: records(code === undefined ? {} : { code, callHash, whole: whole === text ? undefined : whole }),
    howToAllow: isHeadless(session)
      ? NOBODY_ALLOWS
      : howToAllow(code, whole === defuseLine(stop.text) ? undefined : whole),
  };
}

/** Drawn, not computed from the call: a model could search for a harmless call with the code of another one. */
export const drawCode = (): string => codeOf(crypto.randomUUID());

/** A call as the user is shown it before they allow it, and what tells it from others; undefined where it has no code. */
export function allowableCall(call: OwnedCall, cwd: string): { hash: string; text: string } | undefined {
  const text = shownWhole(wholeCall(call));
  const hash = hashOfCall(call, cwd, []);
  return text === undefined || hash === undefined ? undefined : { hash, text };
}

/** What tells this call from every other one; undefined where no session remembers it, or not all of it was read. */
function hashOfCall({ session, use }: OwnedCall, cwd: string, rules: Stop["rules"]): string | undefined {
  if (session === "" || use.cut !== undefined) return undefined;
  const keys = rules.map(({ key }) => key).sort();
  return sha256Hex(JSON.stringify([use.tool, cwd, sorted(inputOf(use)), ...keys]));
}

/** What a model writes about its command is no part of it. */
function inputOf({ input }: ToolUse): Record<string, unknown> {
  const { description, ...rest } = input;
  return typeof input["command"] === "string"
    ? rest
    : { ...rest, ...(description !== undefined && { description }) };
}

/** All of a call: whoever allows it allows more than what a guard saw first. A command stands for itself. */
function wholeCall({ use }: OwnedCall): string {
  const { command, ...rest } = inputOf(use);
  const head = typeof command === "string" ? command : use.tool;
  const fields = Object.entries(typeof command === "string" ? rest : inputOf(use));
  const said = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  return [head, ...fields.map(([key, value]) => `${key}: ${said(value)}`)].join("\n");
}

/** Data with its keys in order: a client may send the same call with others. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return entries.map(([key, item]) => [key, sorted(item)]);
}

const NOBODY_ALLOWS =
  "Nobody can allow it in this run: go on without it, and say in your last message what was stopped.";

/** What a model is told of exceptions to a call. @param whole - The call, where nothing else shows all of it. */
export function howToAllow(code: string | undefined, whole: string | undefined): string {
  if (code === undefined) return "Only the user makes an exception: they run it themselves.";
  const shown = whole === undefined ? "" : `The whole call: ${whole}\n`;
  return `${shown}Only the user can allow this one call: memory_allow {code: "${code}"} asks them, or they type: heed allow ${code}`;
}

/** A call as it is noted and shown: a command may hold a secret. */
export function shownCall(text: string): string {
  return cutShown(defuseLine(text), 200);
}

/** Clients seen to ask their user: since which version, in which modes. Older ones are said to let the call run unseen. */
const ASKING: Readonly<Record<string, { since: readonly number[]; modes: readonly string[] }>> = {
  "claude-code": {
    since: [2, 1, 330],
    modes: ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"],
  },
};

interface CallOrigin {
  client: string;
  clientVersion?: string | undefined;
  permissionMode?: string | undefined;
  agentId?: string | undefined;
}

/** Whether the client asks its user when heed answers `ask`. An agent has no user; what is not known does not ask. */
function asksUser({ client, clientVersion = "", permissionMode = "", agentId }: CallOrigin): boolean {
  const isMode = ASKING[client]?.modes.includes(permissionMode) === true;
  return agentId === undefined && isMode && wasSeenToAsk(client, clientVersion);
}

/** Whether a person was seen to be asked in a client of this version; undefined: of any. */
export function wasSeenToAsk(client: string, version: string | undefined): boolean {
  const known = Object.hasOwn(ASKING, client) ? ASKING[client] : undefined;
  const parts = /^(\d+)\.(\d+)\.(\d+)$/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (!known || !parts) return known !== undefined && version === undefined;
  const differing = known.since.findIndex((part, i) => parts[i] !== part);
  return differing < 0 || (parts[differing] ?? 0) > (known.since[differing] ?? 0);
}

/** How long a stopped call may be allowed, and how long the exception waits for its call. */
const EXCEPTION_MS = 3_600_000;

/** A call that was stopped in a session and may still be allowed. */
export interface StoppedCall {
  /** Belongs to exactly this call in this session. */
  code: string;
  /** Name of the rule that stopped it; of several, all of them. */
  rule: string;
  /** All of it, in a line. */
  text: string;
}

const isRecent = (time: string, now: Date): boolean => now.getTime() - Date.parse(time) <= EXCEPTION_MS;

/** When the user allowed a call that has not been made since; undefined: it may not pass. */
export function grantOf({ allowed, guarded }: SessionState, code: string, now: Date): string | undefined {
  const used = new Set(
    guarded.flatMap((call) => (call.code === code && call.allowedBy !== undefined ? [call.allowedBy] : [])),
  );
  return allowed.find((one) => one.code === code && isRecent(one.time, now) && !used.has(one.time))?.time;
}

/** What was stopped in a session and not allowed since, the newest last. */
export function stoppedIn(session: SessionState, now: Date): StoppedCall[] {
  const calls = new Map<string, StoppedCall>();
  for (const { code, name, text: shown, whole: text = shown, time, allowedBy } of session.guarded) {
    if (code === undefined || allowedBy !== undefined || !isRecent(time, now)) continue;
    const key = `${code} ${text}`;
    const rules = new Set([...(calls.get(key)?.rule.split(", ") ?? []), name]);
    calls.delete(key);
    calls.set(key, { code, rule: [...rules].join(", "), text });
  }
  return [...calls.values()];
}

/** What stops a call, where no rule of the user's does. */
const OWN_FILES = { key: "heed:own-files", name: "own-files" };

/** Keeps file tools off heed's records; asks about memory files and what decides over heed. Shells: see `above-heed.ts`. */
export function protectRecords(situation: Situation, use: ToolUse, call?: OwnedCall): EventOutcome {
  const said = decideWrites(situation, use);
  if (!said) return NOTHING;
  const { action, path, reason } = said;
  // What heed alone writes, nobody can allow.
  const decided =
    call && action === "ask"
      ? decideStoppedCall(situation, call, { action, rules: [OWN_FILES], text: path })
      : { action, records: [], howToAllow: "" };
  const { records, notice, howToAllow } = decided;
  if (decided.action === "pass") return outcomeWith({ answer: { notice }, records });
  const words = [`heed: ${reason}`, howToAllow].filter((text) => text !== "").join("\n\n");
  return outcomeWith({ answer: { decision: { action: decided.action, reason: words } }, records });
}

interface OwnDecision {
  action: "deny" | "ask";
  path: string;
  reason: string;
}

function decideWrites({ place, collection }: Situation, use: ToolUse): OwnDecision | undefined {
  const { tool, input, cut } = use;
  // Only the names of an unknown tool and of its fields say whether it writes.
  const { paths, isChange } = callUnitOf({ ...use, cwd: place.cwd, roots: [], home: homeOf(place.env) });
  const isWriting = isChange || Object.keys(input).some((key) => TARGET_KEY.test(key));
  if (isShellTool(tool) || !isWriting) return undefined;
  // Only in a patch does the end of a text name files.
  if (cut === "entries" || (cut === "text" && tool === "apply_patch"))
    return ask("its input", "this call is larger than heed looks at, and may write what heed keeps");
  const trusted = collection.stores.filter(({ kind, isTrusted }) => kind !== "attached" && isTrusted);
  // The user's own, also where none is yet: what is laid there would be in force once it is one.
  const stores = [place.places.userStore, ...trusted.map(({ root }) => root)].map((root) => realPath(root));
  const { records } = recordFolders(place.places);
  const own = {
    records: records.map((folder) => realPath(folder)),
    stores,
    above: aboveHeed(place).map((path) => realPath(path)),
  };
  const decisions = paths.flatMap(({ word, reach }) => {
    const named = word.isGlob === true ? word.text.replace(/[^/]*[*?].*$/s, "") : word.text;
    const isTree = reach === "tree" || word.isGlob === true;
    // A tool may follow a link before it goes up, or go up first.
    const ways = named.includes("..") ? [resolve(place.cwd, named), named] : [named];
    return ways.flatMap((way) => decideWrite(realPath(way, place.cwd), isTree, own) ?? []);
  });
  return decisions.find(({ action }) => action === "deny") ?? decisions[0];
}

/** @param isTree the whole folder is removed, moved or written. */
function decideWrite(
  path: string,
  isTree: boolean,
  { records, stores, above }: Record<"records" | "stores" | "above", readonly string[]>,
): OwnDecision | undefined {
  const meets = (roots: readonly string[]): boolean =>
    roots.some((root) => isBelow(path, root) || (isTree && isBelow(root, path)));
  if (meets(records))
    return {
      action: "deny",
      path,
      reason: `${path} belongs to heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`,
    };
  if (meets(above)) return ask(path, `this changes ${path}, which starts heed or calls it. ${ASK_USER}`);
  const name = basename(path);
  const isKept = isMemoryFile(name) || name === CONFIG_FILE || !/\.\w+$/.test(name);
  if (!meets(stores) || !(isKept || isTree)) return undefined;
  return ask(
    path,
    `this writes ${path}, where memories are kept, without the checks of heed. Use memory_write or memory_update; anything else there needs the user's word.`,
  );
}

const ask = (path: string, reason: string): OwnDecision => ({ action: "ask", path, reason });

const ASK_USER = "Only the user may decide that: ask them to run it in a terminal of their own.";

/** What a path leads to: of a file that is not there yet, what the folders before it lead to. */
function realPath(path: string, cwd = "/"): string {
  const { root } = parse(path);
  const names = path.slice(root.length).split(/[\\/]/);
  let real = root === "" ? realPathOf(cwd) : root;
  for (const [at, name] of names.entries()) {
    if (!existsSync(join(real, name))) return join(real, ...names.slice(at));
    real = realPathOf(join(real, name));
  }
  return real;
}

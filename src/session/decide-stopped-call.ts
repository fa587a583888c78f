import { codeOf } from "../memory/formula.ts";
import {
  type GuardedCall,
  type SessionRecord,
  type SessionState,
  hasUser,
  isHeadless,
} from "../here/records/session-state.ts";
import type { Situation } from "./situation.ts";
import type { ToolUse } from "../guard/guard-call.ts";
import { defuseLine, shownWhole } from "../memory/shown-text.ts";
import { compare } from "../machine/read-fields.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";

/** A tool use of a session, whose user can be asked. */
export interface OwnedCall extends ToolUse, CallOrigin {
  session: string;
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

/**
 * Passes once if the user allowed this exact call by its code. Asks only in clients known to ask; otherwise denies. Of a
 * call without a session, as in a trial, nothing is noted and no exception is made.
 */
export function decideStoppedCall(
  { place, session }: Situation,
  call: ToolUse | OwnedCall,
  stop: Stop,
): StopDecision {
  if (!("session" in call)) return { action: stop.action, records: [], howToAllow: "" };
  const { hash: callHash, text: whole } = allowableCall(call, place.cwd, stop.rules) ?? {};
  const now = place.now();
  const codes = session.guarded.flatMap((one) =>
    one.code !== undefined && one.callHash === callHash ? [one.code] : [],
  );
  const code = callHash && (codes.find((one) => grantOf(session, one, now)) ?? codes[0] ?? drawCode());
  const allowedBy = code && grantOf(session, code, now);
  const { command } = call.input;
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
export function allowableCall(
  call: OwnedCall,
  cwd: string,
  rules: Stop["rules"] = [],
): { hash: string; text: string } | undefined {
  // Nobody allows what they cannot be shown, or what was not read to its end.
  const text = shownWhole(wholeCall(call));
  if (text === undefined || call.session === "" || call.cut !== undefined) return undefined;
  const keys = rules.map(({ key }) => key).sort();
  return { hash: sha256Hex(JSON.stringify([call.tool, cwd, sorted(inputOf(call)), ...keys])), text };
}

/** What a model writes about its command is no part of it. */
function inputOf({ input }: ToolUse): ToolUse["input"] {
  const { description: _description, ...rest } = input;
  return typeof input["command"] === "string" ? rest : input;
}

/** All of a call: whoever allows it allows more than what a guard saw first. A command stands for itself. */
function wholeCall(call: ToolUse): string {
  const { command, ...rest } = inputOf(call);
  const head = typeof command === "string" ? command : call.tool;
  const fields = Object.entries(typeof command === "string" ? rest : inputOf(call));
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
const ASKING: Readonly<Record<string, { since: string; modes: readonly string[] }>> = {
  "claude-code": {
    since: "2.1.330",
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
  if (!known || version === undefined) return known !== undefined;
  const isNumbers = /^\d+\.\d+\.\d+$/.test(version);
  return isNumbers && version.localeCompare(known.since, "en", { numeric: true }) >= 0;
}

/** How long a stopped call may be allowed, and how long the exception waits for its call. */
const EXCEPTION_MS = 3_600_000;

/** A call that was stopped in a session and may still be allowed. */
export interface StoppedCall {
  code: string;
  /** Name of the rule that stopped it; of several, all of them. */
  rule: string;
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

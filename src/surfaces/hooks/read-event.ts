import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SessionEvent, findPlaces } from "../../heed.ts";
import { readRegularFile } from "../../machine/regular-file.ts";
import { sha256Hex } from "../../machine/sha256.ts";
import { readFormula } from "../../memory/formula.ts";
import { isPluginBeside } from "./plugin-beside.ts";
import type { WhoseSession } from "./whose-session.ts";
import {
  type Adapter,
  type EventKind,
  type Fields,
  adapterOf,
  fieldsIn,
  clientIn,
  textIn,
} from "./adapters/all-adapters.ts";
import { toolNameOf } from "../../guard/tools.ts";

/** Two roads to one hook are run within this time; the same event again after it is another one. */
const WINDOW_MS = 5000;
const MAX_ROAD_BYTES = 64 * 1024;

/**
 * Whether another registration of heed's answers the same event, since some clients also run others' hooks. The first one
 * leaves a mark; the same one again is a new event, as of a session that was resumed twice.
 *
 * @param road - The registration: the words by which this process was started.
 */
export function isDouble(event: SessionEvent, road: string, directory: string): boolean {
  const folder = join(directory, "doubles");
  const file = join(folder, sha256Hex(keyOf(event)).slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const marks = event.kind === "session-start" ? readdirSync(folder) : [];
    for (const old of marks.map((name) => join(folder, name)))
      if (!isRecent(old)) rmSync(old, { force: true });
    try {
      writeFileSync(file, road, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isRecent(file) && readRegularFile(file, { maxBytes: MAX_ROAD_BYTES }) !== road) return true;
      writeFileSync(file, road);
    }
  } catch {
    // Then it is no double.
  }
  return false;
}

/** Another process may have removed it: then it is old. */
const isRecent = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < WINDOW_MS;

function keyOf(event: SessionEvent): string {
  const { session, kind, agentId = "" } = event;
  let about = "";
  if (event.kind === "prompt") about = event.prompt;
  else if (event.kind === "session-start") about = event.source;
  else if (kind.startsWith("tool-") && "input" in event) about = JSON.stringify([event.tool, event.input]);
  return [session, kind, agentId, about].join("\0");
}

/** A hook's process: this one, or one that asks a server. */
export interface HookProcess {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

export interface HookEvent extends Translated {
  deadlineMs: number;
  /** Answering it writes, which not every bundle can. */
  isWrite: boolean;
}

/** Past its deadline a hook says nothing: a late answer costs the user more than a missing one. */
const DEADLINE_MS = 2000;
const DEADLINES_MS: Partial<Record<SessionEvent["kind"], number>> = {
  // Without it a session goes without its rules; clients give it 5 s.
  "session-start": 4000,
  prompt: 1000,
  "tool-use": 1000,
  "tool-failure": 1000,
  "tool-result": 1000,
  // Claude Code kills the hooks of a session's end after 1.5 s in all and tells the user so.
  "session-end": 1000,
  // The session's record is written first; the compaction itself takes many times as long.
  compaction: 4000,
};

/** No client waits that long; a timer that is set for longer than it can count fires at once. */
const MAX_RECHECK_MS = 60_000;

/** A line that the user typed for heed is a write; clients give a hook on a prompt 5 s and more. */
const FORMULA_DEADLINE_MS = 4000;

/** The event of a hook's input; a text says why there is nothing to answer. */
export function readHookEvent(
  raw: object,
  { argv, env, cwd }: HookProcess,
  whose: () => WhoseSession,
): HookEvent | string {
  // So registered by `heed init` for clients that know the plugin's kinds of hooks; older ones do not run it.
  if (argv.includes("--unless-plugin") && isPluginBeside(env, cwd)) return "heed's plugin answers";
  const translated = translateEvent(raw, { client: clientIn(argv), env, cwd, whose });
  if (translated === undefined) return "an event that heed does not know, or not a person's";
  const { event, adapter } = translated;
  if (adapter.runsOthersHooks && isDouble(event, argv.slice(1).join(" "), findPlaces(env).state))
    return "another of its hooks answers this event";
  const isFormula = event.kind === "prompt" && readFormula(event.prompt) !== undefined;
  const ownMs = isFormula ? FORMULA_DEADLINE_MS : (DEADLINES_MS[event.kind] ?? DEADLINE_MS);
  // Who lets claims hold up an answer for longer waits for the whole of it that much longer.
  const recheckMs = Number(env["HEED_RECHECK_MS"]) || 0;
  const deadlineMs = ownMs + Math.min(Math.max(0, recheckMs), MAX_RECHECK_MS);
  // The record before a compaction is a write, too.
  return { ...translated, deadlineMs, isWrite: isFormula || event.kind === "compaction" };
}

/** Longest text that an event carries on. Of a longer prompt the end: some clients join a whole conversation. */
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_WORD_CHARS = 4096;

/** Sources of a client's reports about its own work: no prompts at all. */
const OWN_SOURCES = new Set(["system", "poll_event"]);
/** Sources of a prompt that the user typed. Claude Code 2.1.330 leaves the field empty, older versions have none. */
const TYPED_SOURCES: ReadonlySet<string | undefined> = new Set([undefined, "user"]);

interface Arrival {
  /** The client that the registration names (`--client`). */
  client?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** The directory, where the message has none. */
  cwd: string;
  clientVersion?: string | undefined;
  /** Whose session it is. It is asked for prompts alone, as looking for it takes time. */
  whose: () => WhoseSession;
}

/** An event that heed has an answer to, and how to give it. */
export interface Translated {
  event: SessionEvent;
  /** The client's name of the event. */
  name: string;
  adapter: Adapter;
}

/**
 * Translates a hook's JSON, from stdin or the arguments of the server's hook tool, where all is text. Undefined where heed
 * has no answer: unknown events, wrong types, the client's own notices, slash commands, internal agents.
 */
export function translateEvent(raw: unknown, arrival: Arrival): Translated | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const adapter = adapterOf(raw as Fields, arrival.client, arrival.env);
  const fields = adapter.read?.(raw as Fields) ?? (raw as Fields);
  const text = (key: string): string | undefined => textOf(fields, key);
  const word = (key: string): string | undefined => text(key)?.slice(0, MAX_WORD_CHARS);
  const name = word("hook_event_name") ?? "";
  const named = Object.hasOwn(adapter.events, name) ? adapter.events[name] : undefined;
  const error = text("error");
  // Other clients tell of every result by one event; in most of them there is no error.
  const isResult = named === "tool-failure" && adapter.client !== "claude-code" && error === undefined;
  const kind = isResult ? "tool-result" : named;
  if (kind === undefined) return undefined;
  const toolName = word("tool_name");
  const tool = toolName && toolNameOf(toolName);
  const tellsResult = tool !== undefined && adapter.tellsResult?.(tool) === true;
  const agentType = word("agent_type");
  const source = word("source");
  const prompt = kind === "prompt" ? cleanPrompt(text("prompt") ?? "") : undefined;
  const isAnswered: Partial<Record<EventKind, boolean>> = {
    // The client starts agents of its own, without a type, for example to summarise: they get no memories.
    "subagent-start": agentType !== undefined,
    prompt: !OWN_SOURCES.has(source ?? "") && isPrompt(prompt ?? ""),
    "tool-use": tool !== undefined,
    "tool-result": tellsResult,
    "tool-failure": tool !== undefined,
  };
  if (isAnswered[kind] === false) return undefined;
  const asksWho = kind === "session-start" || (kind === "prompt" && TYPED_SOURCES.has(source));
  // What the kind needs is there; `session.answer` fills in the rest.
  const event = {
    kind,
    session: word("session_id") ?? "",
    cwd: word("cwd") ?? arrival.cwd,
    client: adapter.client,
    clientVersion: arrival.clientVersion,
    agentId: word("agent_id"),
    transcriptPath: word("transcript_path"),
    permissionMode: word("permission_mode"),
    toolUseId: word("tool_use_id"),
    reach: adapter.context.includes(kind) ? "now" : "none",
    isTyped: asksWho ? arrival.whose().userless === undefined : kind !== "prompt",
    source: source ?? "startup",
    agentType,
    prompt,
    tool,
    input: toolInputOf(fields),
    error,
    tellsResult,
    lastMessage: text("last_assistant_message"),
    canSendBack: adapter.sendsBack === true,
    isContinued: [true, "true"].includes(fields["stop_hook_active"] as string),
    reason: word("reason"),
  } as SessionEvent;
  return { event, name, adapter };
}

/** What clients send as prompts for themselves. */
const OWN_PROMPT =
  /^<(?:task-notification|command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr))>/;
/** A path (`/etc/hosts is wrong`) goes on with a slash or a dot, a command with a blank or nothing. */
const SLASH_COMMAND = /^\/[a-zA-Z][\w:-]*(?:\s|$)/;

function isPrompt(prompt: string): boolean {
  const text = prompt.trimStart();
  return text !== "" && !OWN_PROMPT.test(text) && !SLASH_COMMAND.test(text);
}

/** Reads a text; one that is blank, or the placeholder of a field that the event lacks, is none. */
function textOf(fields: Fields, key: string): string | undefined {
  const value = textIn(fields, key);
  return value === undefined || value.trim() === "" || value === `\${${key}}`
    ? undefined
    : value.slice(-MAX_TEXT_CHARS);
}

/** A record, or the JSON text of one; empty for anything else. */
function toolInputOf(fields: Fields): Fields {
  const text = textIn(fields, "tool_input");
  try {
    return (
      (text === undefined ? fieldsIn(fields, "tool_input") : fieldsIn({ it: JSON.parse(text) }, "it")) ?? {}
    );
  } catch {
    return {};
  }
}

/** What clients put before and after a person's words. */
const PUT_IN =
  /<(hook_context|system-reminder|system_reminder|qwen:[\w-]+|environment_context)\b[^>\n]{0,200}>(?:[^]*?<\/\1>|[^]*)/gi;

/** A prompt without what its client put in, hooks' context above all: heed would recall its own words. */
function cleanPrompt(prompt: string): string {
  const text = prompt.replace(PUT_IN, "");
  // opencode's `run` quotes its argument.
  const quoted = /^\s*"([^"]*)"\s*$/.exec(text)?.[1];
  return quoted ?? (text === prompt ? text : text.trim());
}

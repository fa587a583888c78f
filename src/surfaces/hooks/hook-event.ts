import { type SessionEvent, findPlaces } from "../../heed.ts";
import { readFormula } from "../../memory/formula.ts";
import { isDouble } from "./drop-double.ts";
import { isPluginBeside } from "./plugin-beside.ts";
import { type Translated, translateEvent } from "./translate-event.ts";
import { registeredIn } from "./unanswered.ts";
import type { WhoseSession } from "./whose-session.ts";

/** A hook's process: this one, or one that asks a server. */
export interface HookProcess {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/** An event that a hook has to answer. */
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
  const translated = translateEvent(raw, { ...registeredIn(argv), env, cwd, whose });
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

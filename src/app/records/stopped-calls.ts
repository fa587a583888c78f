import type { SessionState } from "./session-state.ts";

/** So long a stopped call may be allowed, and so long an allowance waits for its call, in milliseconds: an hour. */
const EXCEPTION_MS = 3_600_000;

/** A call that was stopped in a session and may still be allowed. */
export interface StoppedCall {
  /** Belongs to exactly this call in this session. */
  code: string;
  /** Name of the rule that stopped it; of several, all of them. */
  rule: string;
  /** What it would have done, in a line. */
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
  for (const { code, name, text, time, allowedBy } of session.guarded) {
    if (code === undefined || allowedBy !== undefined || !isRecent(time, now)) continue;
    const key = `${code} ${text}`;
    const rules = new Set([...(calls.get(key)?.rule.split(", ") ?? []), name]);
    calls.delete(key);
    calls.set(key, { code, rule: [...rules].join(", "), text });
  }
  return [...calls.values()];
}

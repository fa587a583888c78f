import { listSessions, readInjected } from "./session-state.ts";
import { readEvents } from "../../platform/event-log.ts";
import type { Places } from "../../platform/places.ts";
import { FORMATS } from "../../platform/versioned-file.ts";

/** What a guard did to a call. */
interface GuardedCall {
  /** `<store id>:<memory id>`. */
  rule: string;
  time: string;
  text: string;
  /** `denied`: stopped, with a code. `asked`: without one; the client was to ask its user. `excepted`: passed, as allowed. */
  what: "denied" | "asked" | "excepted";
}

/** A transcript dates a call when the model made it, the log when the hook answered: so far apart they may be. */
const MAX_APART_MS = 10 * 60_000;

/** The log of one session, as far as records of rules need it. */
export class SessionLog {
  /** Names the session: its id, or a hash of it (`sessionKey`). */
  readonly session: string;
  /** When each rule entered a context first, by its key. */
  readonly injected: Map<string, string> = new Map();
  readonly guarded: GuardedCall[] = [];
  /** Rules that the user had to say again, with their words. */
  readonly repeated: { rule: string; time: string; quote: string }[] = [];
  readonly #turns: string[] = [];

  constructor(session: string, records: readonly Record<string, unknown>[]) {
    this.session = session;
    for (const { kind, rule, quote, text, code, allowedBy, memories, ...record } of records) {
      const time = String(record["time"]);
      if (kind === "turn") this.#turns.push(time);
      else if (kind === "injected" || kind === "told") {
        for (const { key, form } of readInjected(memories))
          if (form === "rule" && !this.injected.has(key)) this.injected.set(key, time);
      } else if (kind === "guarded" && typeof rule === "string") {
        const what =
          typeof allowedBy === "string" ? "excepted" : typeof code === "string" ? "denied" : "asked";
        this.guarded.push({ rule, time, text: String(text), what });
      } else if (kind === "repeated" && typeof rule === "string")
        this.repeated.push({ rule, time, quote: String(quote) });
    }
  }

  /** The user's turn at a time, counted from 1; 0 before the first. */
  turnAt(time: string): number {
    return this.#turns.filter((turn) => turn <= time).length;
  }

  /** Takes out what the log says of a call that was made: an exception before a question, that before a refusal. */
  take(rule: string, time: string, text: string | undefined): GuardedCall["what"] | undefined {
    const isOf = (call: GuardedCall): boolean =>
      call.rule === rule &&
      (text === undefined || call.text === text) &&
      !(Math.abs(Date.parse(call.time) - Date.parse(time)) > MAX_APART_MS);
    for (const what of ["excepted", "asked", "denied"] as const) {
      const at = this.guarded.findIndex((call) => call.what === what && isOf(call));
      if (at >= 0) return this.guarded.splice(at, 1)[0]?.what;
    }
    return undefined;
  }
}

/** The logs of all sessions that are kept, by what names each. */
export function readSessionLogs(places: Places): Map<string, SessionLog> {
  const logOf = (name: string, file: string): SessionLog =>
    new SessionLog(name, readEvents(file, FORMATS.sessions));
  return new Map(listSessions(places).map(({ name, file }) => [name, logOf(name, file)]));
}

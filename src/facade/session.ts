import {
  type Schema,
  type Takes,
  anyText,
  either,
  milliseconds,
  named,
  object,
  oneOf,
  optional,
  text,
  callback,
} from "../here/schema.ts";
import type { EventAnswer, SessionEvent } from "../here/records/session-events.ts";
import { limit, handle } from "./arguments.ts";
import { always, method, onPage } from "../here/call.ts";
import type { Place } from "../here/place.ts";

/** Values are read by normaliseEvent, which makes the best of them, since guards must still hold. */
const BASE = named(
  "session",
  "cwd",
  "client",
  "clientVersion",
  "agentId",
  "transcriptPath",
  "permissionMode",
  "toolUseId",
  "reach",
);
/** What an event of each kind has besides. @internal */
export const EVENT_FIELDS: Readonly<Record<SessionEvent["kind"], Takes>> = {
  "session-start": named("source", "isTyped"),
  "subagent-start": named("agentType"),
  prompt: { prompt: anyText, ...named("isTyped") },
  "tool-use": { tool: anyText, ...named("input", "cut", "tellsResult") },
  "tool-result": named("tool", "input"),
  "tool-failure": named("tool", "input", "error"),
  stop: named("lastMessage", "canSendBack", "isContinued"),
  compaction: {},
  "session-end": named("reason"),
};

/** What a kind makes nothing of may be given all the same: programs share fields among events. */
const KNOWN = named(...Object.values(EVENT_FIELDS).flatMap((fields) => Object.keys(fields)));

/** An event by its kind, with fields that events have. */
const anyEvent: Schema = {
  ...either(
    "an event with its kind",
    ...Object.entries(EVENT_FIELDS).map(([kind, fields]) =>
      object({ kind: oneOf(kind), ...BASE, ...KNOWN, ...fields }),
    ),
  ),
  discriminator: "kind",
};

const opened = optional(object({ stores: optional(oneOf("all", "project")) }));

const explained = either<object>(
  "an object with prompt or receipt",
  object({ prompt: anyText }),
  object({ receipt: anyText }),
);

const tellReaders = () => import("../session/tell-readers.ts");

export const SESSION = {
  /**
   * Answers an event of an agent's session. A known field that is missing, null or malformed counts as absent, so that
   * guards and rules stay in force. Whatever goes wrong later is in heed's log, and the answer is what could be made, `{}`
   * at the least.
   *
   * @param options - `deadlineMs`: it ends within this many milliseconds, default 1,000. `isWanted` is asked once the answer
   *   is known, or before a typed line is carried out: where it says no, nothing of the event is recorded. Default: yes.
   * @throws HeedError `invalid-input` for a kind or a field that is not known, a prompt without a text, a tool use without
   *   a tool, an invalid deadline; and no other.
   */
  answer: always(
    {
      event: anyEvent,
      options: optional(object({ deadlineMs: optional(milliseconds), isWanted: optional(callback) })),
    },
    async (
      place,
      event: SessionEvent,
      options: { deadlineMs?: number | undefined; isWanted?: (() => boolean) | undefined } = {},
    ): Promise<EventAnswer> => {
      const { answerEvent } = await import("../session/answer-event.ts");
      const startedMs = performance.now();
      const wholeMs = options.deadlineMs ?? 1000;
      // What the servers of teams took of the time is not there twice.
      const deadlineMs = wholeMs - (await refreshed(place, event, wholeMs / 3));
      const { afterwards } = place.workspace;
      const answer = await answerEvent(place, event, afterwards, {
        wholeMs: deadlineMs,
        isWanted: options.isWanted,
        run: async (there, formula, about) =>
          (await import("../session/asking/answer-question.ts")).runFormula(there, formula, about),
      });
      const leftMs = startedMs + wholeMs - performance.now();
      if (event.kind === "compaction")
        await (await import("../past/capture-waiting.ts")).captureNow(place, event, leftMs);
      return answer;
    },
  ),
  /**
   * Explains what would be injected for a prompt here, without leaving a trace, or what a past receipt says.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` for the receipt.
   */
  why: onPage({ about: explained }, tellReaders, "explain"),
  /** Gives the map of what is known here, one line a fact, as a fresh session is told it; leaves no trace. */
  map: method({}, () => import("../session/map-here.ts"), "printMap"),
  /**
   * Tells what a fresh context here is opened with, rules and map, for a reader that no hook tells: a file, a server's
   * instructions. Leaves no trace; empty when there is nothing to tell.
   *
   * @param options - `stores`: `project` leaves out what is the user's own. Default `all`.
   * @throws HeedError `invalid-input` for other stores.
   */
  opening: method({ options: opened }, tellReaders, "openingText"),
  /**
   * Tells the rules that hold for certain paths, by folder, for files that agents read there; with an empty text for a folder
   * that has an AGENTS.md and no rule. Leaves no trace.
   *
   * @param options - `stores`: as for `opening`.
   * @throws HeedError `invalid-input` for other stores.
   */
  folderRules: method({ options: opened }, tellReaders, "folderRules"),
  /**
   * Lists what was injected, newest first.
   *
   * @param options - `limit`: at most this many, default 20. `name`: those alone by which the memory of this name was told
   *   (its line in the map does not count).
   * @throws HeedError `invalid-input` for an invalid limit or name.
   */
  receipts: onPage(
    { options: optional(object({ limit, name: optional(handle) })) },
    async (place, options: { limit?: number | undefined; name?: string | undefined } = {}) =>
      (await import("../here/records/receipt-log.ts")).readReceipts(
        place.places,
        options.limit,
        options.name,
      ),
  ),
  /**
   * Finds the session in which the user spoke last to a client in this working tree, in the last twelve hours, as that
   * client's hooks told it; undefined when none did. For surfaces whose calls name no session.
   *
   * @param client - As its hooks are known: `codex`.
   * @throws HeedError `invalid-input` for a client that is no text.
   */
  newest: method({ client: text("a client's name") }, tellReaders, "newestSession"),
};

/** How long an event waits for a team's server at most, in milliseconds; others go by the last state. */
const TEAM_MS: Partial<Record<string, number>> = { "session-start": 1_500, prompt: 1_000 };

/** Brings in what a team's server has, before a context is told of it, and gives the milliseconds that it took. */
async function refreshed(place: Place, event: SessionEvent, partMs: number): Promise<number> {
  const startedMs = performance.now();
  const deadlineMs = Math.min(TEAM_MS[event.kind] ?? 0, partMs);
  if (deadlineMs === 0 || !place.found.hasServers) return 0;
  await (await import("../here/team-stores.ts")).refreshTeams(place, deadlineMs);
  return performance.now() - startedMs;
}

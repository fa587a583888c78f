import type { Episode } from "../here/api/conversations.ts";
import type { Methods, Takes } from "../here/api/schema.ts";
import {
  anyText,
  anything,
  count,
  either,
  milliseconds,
  object,
  oneOf,
  optional,
  shape,
  text,
} from "../here/api/schema.ts";
import type {
  EventAnswer,
  Explained,
  Explanation,
  Receipt,
  SessionEvent,
  MapRequest,
  SessionMap,
} from "../here/api/session-events.ts";
import { optionalFlag, limit, handle } from "./arguments.ts";
import type { FolderRules } from "../session/folder-rules.ts";
import { method, onPage } from "../here/call.ts";

/** What a session is told, and what it was told. */
export interface SessionApi {
  /**
   * Answers an event of an agent's session. A known field that is missing, null or malformed counts as absent, so that
   * guards and rules stay in force. Whatever goes wrong later is in heed's log, and the answer is what could be made, `{}`
   * at the least.
   *
   * @param options - `deadlineMs`: it ends within this many milliseconds, default 1,000.
   * @throws HeedError `invalid-input` for a kind or a field that is not known, a prompt without a text, a tool use without
   *   a tool, an invalid deadline; and no other.
   * @example
   * const event = { kind: "prompt", prompt: "where is the error budget board?", session: "s2", cwd, client: "test" } as const;
   * const { context } = await heed.session.answer(event, { deadlineMs: 15_000 });
   * context?.includes("heed:budget-board"); // → true
   */
  answer(event: SessionEvent, options?: { deadlineMs?: number | undefined }): Promise<EventAnswer>;
  /**
   * Explains what would be injected for a prompt here, without leaving a trace, or what a past receipt says.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` for the receipt.
   * @example
   * const { isDryRun } = await heed.session.why({ prompt: "where is the error budget board?" });
   * isDryRun; // → true
   */
  why(about: Explained): Promise<Explanation>;
  /**
   * Gives the map of what is known here, one line a fact, as a fresh session is told it; leaves no trace.
   *
   * @throws HeedError `invalid-input` for an invalid request.
   * @example
   * const { lines } = await heed.session.map();
   * lines.flatMap(({ handles }) => handles).includes("heed:budget-board"); // → true
   */
  map(request?: MapRequest): Promise<SessionMap>;
  /**
   * Tells what a fresh context here is opened with, rules and map, for a reader that no hook tells: a file, a server's
   * instructions. Leaves no trace; empty when there is nothing to tell.
   *
   * @param options - `stores`: `project` leaves out what is the user's own. Default `all`.
   * @throws HeedError `invalid-input` for other stores.
   * @example
   * const text = await heed.session.opening({ stores: "project" });
   * typeof text; // → "string"
   */
  opening(options?: { stores?: "all" | "project" | undefined }): Promise<string>;
  /**
   * Tells the rules that hold for certain paths, by folder, for files that agents read there; with an empty text for a folder
   * that has an AGENTS.md and no rule. Leaves no trace.
   *
   * @param options - `stores`: as for `opening`.
   * @throws HeedError `invalid-input` for other stores.
   * @example
   * const folders = await heed.session.folderRules({ stores: "project" });
   * folders.map(({ folder }) => folder); // → []
   */
  folderRules(options?: { stores?: "all" | "project" | undefined }): Promise<FolderRules[]>;
  /**
   * Lists what was injected, newest first.
   *
   * @param options - `limit`: at most this many, default 20. `name`: those alone by which the memory of this name was told
   *   (its line in the map does not count).
   * @throws HeedError `invalid-input` for an invalid limit or name.
   * @example
   * const [newest] = await heed.session.receipts({ limit: 1 });
   * newest?.id === receipt; // → true
   */
  receipts(options?: { limit?: number | undefined; name?: string | undefined }): Promise<Receipt[]>;
  /**
   * Finds the last unfinished work of this repository and branch, else the last session; undefined when none was recorded.
   *
   * @example
   * const episode = await heed.session.resume();
   * episode; // → undefined
   */
  resume(): Promise<Episode | undefined>;
  /**
   * Finds the session in which the user spoke last to a client in this working tree, in the last twelve hours, as that
   * client's hooks told it; undefined when none did. For surfaces whose calls name no session.
   *
   * @param client - As its hooks are known: `codex`.
   * @throws HeedError `invalid-input` for a client that is no text.
   * @example
   * const session = await heed.session.newest("codex");
   * session; // → undefined
   */
  newest(client: string): Promise<string | undefined>;
}

/** The fields of an event by their names alone: normaliseEvent makes the best of their values, since guards must still hold. */
const named = (...fields: readonly string[]): Takes =>
  Object.fromEntries(fields.map((field) => [field, optional(anything)]));
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

/** What `answer` takes: an event by its kind, with fields that events have. @internal */
export const ANSWER: Takes = {
  event: {
    ...either(
      "an event with its kind",
      ...Object.entries(EVENT_FIELDS).map(([kind, fields]) =>
        object({ kind: oneOf(kind), ...BASE, ...KNOWN, ...fields }),
      ),
    ),
    discriminator: "kind",
  },
  options: optional(object({ deadlineMs: optional(milliseconds) })),
};

const mapped = { isForSubagent: optionalFlag, budgetChars: optional(count(1, undefined, " of characters")) };
const opened = optional(object({ stores: optional(oneOf("all", "project")) }));

const explained = either<object>(
  "an object with prompt or receipt",
  object({ prompt: anyText }),
  object({ receipt: anyText }),
);

const newestSession = () => import("../session/explain.ts");

/** Each of its methods but `answer`, which leaves work for later: what it takes, and where it is. @internal */
export const SESSION: Methods<Omit<SessionApi, "answer">> = {
  why: onPage({ about: explained }, async (place, asked) => ({
    ...(await (await import("../session/explain.ts")).explain(place, asked)),
    ...(await (await import("../here/claims-question.ts")).openQuestion(place)),
  })),
  map: onPage({ request: optional(shape<MapRequest>(mapped)) }, async (place, request) => ({
    ...(await (await import("../session/map-here.ts")).printMap(place, request)),
    ...(await (await import("../here/claims-question.ts")).openQuestion(place)),
  })),
  opening: method({ options: opened }, () => import("../session/open-context.ts"), "openingText"),
  folderRules: method({ options: opened }, () => import("../session/folder-rules.ts"), "folderRules"),
  receipts: onPage(
    { options: optional(object({ limit, name: optional(handle) })) },
    async ({ places }, { limit: most, name } = {}) =>
      (await import("../here/records/receipt-log.ts")).readReceipts(places, most, name),
  ),
  resume: method({}, () => import("../session/unfinished-work.ts"), "lastEpisodeHere"),
  newest: method({ client: text("a client's name") }, newestSession, "newestSession"),
};

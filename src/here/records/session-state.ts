import { join } from "node:path";
import type { RenderMode } from "./session-events.ts";
import { typedText } from "../../memory/typed-text.ts";
import { type Actor, type Door, type MemoryMetadata, memoryKey } from "../../memory/memory.ts";
import type { DutyStep } from "../../guard/duties.ts";
import { appendEvent, followEvents, FORMATS } from "../../machine/state-file.ts";
import { asIoFailure, statIfThere } from "../../machine/regular-file.ts";
import type { Places } from "../../machine/places.ts";
import { type DatedFile, newestFiles, pruneFiles } from "../../machine/atomic-file.ts";
import { sha256Hex } from "../../machine/sha256.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import { type Mode, MODES } from "../../store/config/store-config.ts";
import { listMemoryFiles } from "../../store/files/scan-store.ts";

export interface InjectedMemory {
  /** `<store id>:<memory id>`. */
  key: string;
  hash: string;
  form: Exclude<RenderMode, "guard">;
  /** Its name then: tells what is gone once its file is. */
  name: string;
  /** Of a line of the map: it held the whole text. */
  isWhole?: boolean;
  /** It was told as data: its store was not approved then, or it had ended. */
  isData?: boolean;
}

export interface QuotedPassage {
  turn: string;
  start: number;
  end: number;
  line: string;
}

export function injectedAs(
  metadata: MemoryMetadata,
  form: InjectedMemory["form"],
  { isWhole = false, isData = false }: Pick<InjectedMemory, "isWhole" | "isData"> = {},
): InjectedMemory {
  const { contentHash: hash, name } = metadata;
  return {
    key: memoryKey(metadata),
    hash,
    form,
    name,
    ...(isWhole && { isWhole }),
    ...(isData && { isData }),
  };
}

export type SessionRecord =
  /** Memories entered a context; `isBlock` when it was the block that opens a context, `isMore` when the rest did not fit. */
  | {
      kind: "injected";
      time: string;
      agent?: string | undefined;
      isBlock: boolean;
      isMore?: boolean | undefined;
      chars: number;
      memories: InjectedMemory[];
    }
  /** A process (`by` begins with its id) set about opening the main context; `isLate`: at no session's start. */
  | { kind: "opening"; time: string; by: string; isLate: boolean }
  /** A context was given its map, or its changes: in which state of the stores, and whether every fact had a line. */
  | { kind: "map"; time: string; agent?: string | undefined; signature: string; isWhole: boolean }
  /** What was told before is no longer in the main context: cleared, compacted or forked. */
  | { kind: "epoch"; time: string; why: string }
  /** What the user said; the session, the client and the working tree for calls of tools that name no session. */
  | { kind: "turn"; time: string; text: string; session?: string; client?: string; root?: string }
  | { kind: "mode"; time: string; mode: Mode }
  /** Something that is noted once in a session: that the user was told of it, that a guard was in force. */
  | { kind: "noticed"; time: string; what: string }
  /** A guard stopped a call, or let it pass as the user allowed at that time. `code` belongs to the exact call of the hash. */
  | {
      kind: "guarded";
      time: string;
      rule: string;
      name: string;
      text: string;
      /** All of the call, where the text is not. */
      whole?: string | undefined;
      allowedBy?: string | undefined;
      code?: string | undefined;
      callHash?: string | undefined;
    }
  /** The user let a stopped call pass, once: by which door. */
  | { kind: "allowed"; time: string; code: string; door: Door }
  /** The user was shown a dialog about the questions with these codes; each counts against the session's limit. */
  | { kind: "boxed"; time: string; codes: string[] }
  /** A model wrote, changed or removed a memory in the main context, which knows it from then on; none where it waits. */
  | { kind: "wrote"; time: string; memories: InjectedMemory[]; by?: QuotedPassage }
  | { kind: "duty"; time: string; rule: string; index: number; steps: DutyStep[] }
  /** A call spoke of heed: the words behind its name and how formulas in it begin, as hashes, and an unfinished end. */
  | { kind: "called"; time: string; words: string[]; lines: string[]; tail: string }
  | { kind: "sent-back"; time: string }
  /** The agent's turn ended by itself: a turn without one before the next was interrupted. */
  | { kind: "stopped"; time: string }
  /** A model called a tool of heed's in the main context, whatever came of it. */
  | { kind: "called"; time: string }
  | { kind: "nudged"; time: string }
  /** A command that had failed again and again worked, at that time; noted when the transcript was read. */
  | { kind: "struggled"; time: string; text: string; failed?: string | undefined }
  | { kind: "ended"; time: string; why: string };

type RecordOf<Kind> = Extract<SessionRecord, { kind: Kind }>;

/** What a context can lack. `changes`: what is new since it was told the rest. */
export type Need = "notice" | "rules" | "map" | "question" | "changes";
export const FRESH: readonly Need[] = ["notice", "rules", "map", "question"];
/** What of that comes with a second answer, where one has not the room for all. */
export const LATER: readonly Need[] = ["map", "question"];

export type GuardedCall = RecordOf<"guarded">;

/** What one context (the main one, or a subagent's) holds now. */
const freshContext = () => ({
  missing: FRESH,
  /** How many answers left the rest of its opening to the next one. */
  tries: 0,
  /** Who set about telling it what a fresh one lacks, in order. */
  openings: [] as RecordOf<"opening">[],
  injected: new Map<string, InjectedMemory>(),
  /** How the stores stood when it was last told what they hold; undefined: it was given no map. */
  map: undefined as RecordOf<"map"> | undefined,
  factChars: 0,
  /** Lines told at tool uses: since the user's last words, and in all. */
  lines: [0, 0],
});

const unknownSession = () => ({
  isKnown: false,
  /** ISO time of its first entry; empty without one. */
  startedAt: "",
  mode: undefined as Mode | undefined,
  noticed: new Set<string>(),
  guarded: [] as GuardedCall[],
  allowed: [] as RecordOf<"allowed">[],
  /** What was done about the duties of guards, by `<rule> <index>`: in the session, and since the user's last words. */
  duties: new Map<string, { steps: readonly DutyStep[]; isThisTurn: boolean }>(),
  isSentBack: false,
  /** The dialogs that it has shown, in order; `isOfTurn`: the user has typed nothing since. */
  boxed: [] as { codes: readonly string[]; isOfTurn: boolean }[],
  trail: [] as TrailEntry[],
  context: freshContext(),
});

export type SessionState = ReturnType<typeof unknownSession>;

export const USERLESS = "userless";

/** Whether somebody typed in a session: headless and scheduled turns are recorded without a word. */
export function hasUser({ trail }: Pick<SessionState, "trail">): boolean {
  return trail.some(({ kind, text }) => kind === "turn" && text !== "");
}

/** Whether nobody can answer in a session: its client said so as it began, and nobody has typed since. */
export function isHeadless(state: Pick<SessionState, "trail" | "noticed">): boolean {
  return state.noticed.has(USERLESS) && !hasUser(state);
}

const MAX_DUTY_STEPS = 20;
/** Logs of sessions are kept for 30 days, as the clients keep their transcripts, and 500 of them at most. */
const KEPT_DAYS = 30;
const KEPT = { files: 500, bytes: 16 * 1024 * 1024 };

const folderOf = (places: Places): string => join(places.state, "sessions");

export function sessionFile(places: Places, session: string): string {
  return join(folderOf(places), `${sessionKey(session)}.jsonl`);
}

/** Sessions whose log could not be written, with what the user is told of it: in this process, as nothing can be noted. */
const unrecorded = new Map<string, string[]>();

/** Adds records to a session's log; at its start, without any, tries it. Throws what the file system throws. */
export function recordSession(places: Places, session: string, records: readonly SessionRecord[]): void {
  const file = sessionFile(places, session);
  try {
    if (records.length === 0) appendEvent(file, FORMATS.sessions);
    for (const record of records) appendEvent(file, FORMATS.sessions, record);
  } catch (error) {
    const { message } = asIoFailure(error, "write", file) as Error;
    const words = `heed: this session is not recorded, and nothing said in it becomes a rule: ${message}`;
    // Without a log the session's start, in a process of its own, has said so.
    const isKnown = unrecorded.has(session) || (records.length > 0 && !statIfThere(file)?.isFile());
    if (!isKnown) unrecorded.set(session, [words]);
    throw error;
  }
}

/** What is to be told of a session that cannot be recorded: once in this process. */
export function untold(session: string): string[] {
  return unrecorded.get(session)?.splice(0) ?? [];
}

/** A turn as it is recorded: the user's typed text of it, without secrets; empty where it grounds nothing. */
export function turnRecord(text: string, time: string): SessionRecord {
  return { kind: "turn", time, text: redactSecrets(typedText(text)) };
}

/** That memories entered a context. */
export function injectedRecord(
  now: Date,
  told: {
    agent: string | undefined;
    memories?: InjectedMemory[];
    factChars?: number;
    block?: { isMore: boolean } | undefined;
  },
): SessionRecord {
  const { agent, memories = [], factChars: chars = 0, block } = told;
  const [time, isBlock] = [now.toISOString(), block !== undefined];
  return { kind: "injected", time, agent, isBlock, isMore: block?.isMore, chars, memories };
}

/** Folds a session's log for the main context, or that of a subagent. Missing: an unknown session; what is damaged in it is left out. */
export function readSession(places: Places, session: string, agent?: string): SessionState {
  const events = session === "" ? [] : followEvents(sessionFile(places, session), FORMATS.sessions);
  const state = unknownSession();
  const { noticed, duties, guarded, allowed, trail, boxed } = state;
  state.isKnown = events.length > 0;
  state.startedAt = events.map(({ time }) => time).find((time) => typeof time === "string") ?? "";
  for (const event of events) {
    if (TRAIL_KINDS.has(event["kind"])) trail.push(trailEntry(event));
    const record = event as unknown as SessionRecord;
    const { context } = state;
    switch (record.kind) {
      case "wrote":
        if (agent === undefined) inject(record.memories);
        break;
      case "epoch":
        if (agent === undefined) state.context = freshContext();
        break;
      case "opening":
        context.openings.push(record);
        break;
      case "mode":
        state.mode = MODES.find((word) => word === record.mode);
        break;
      case "turn":
        context.lines[0] = 0;
        state.isSentBack = false;
        if (record.text !== "") for (const dialog of boxed) dialog.isOfTurn = false;
        for (const duty of duties.values()) duty.isThisTurn = false;
        break;
      case "boxed":
        if (Array.isArray(record.codes)) boxed.push({ codes: record.codes.map(String), isOfTurn: true });
        break;
      case "sent-back":
        state.isSentBack = true;
        break;
      case "duty": {
        const key = `${record.rule} ${record.index}`;
        const known = duties.get(key);
        const steps = Array.isArray(record.steps) ? record.steps.filter(isDutyStep) : [];
        duties.set(key, {
          steps: [...(known?.steps ?? []), ...steps].slice(-MAX_DUTY_STEPS),
          isThisTurn: steps.some(({ what }) => what === "edit") || known?.isThisTurn === true,
        });
        break;
      }
      case "noticed":
        if (typeof record.what === "string") noticed.add(record.what);
        break;
      case "map":
        if (record.agent === agent) context.map = record;
        break;
      case "guarded":
        if (typeof record.rule === "string") guarded.push(record);
        break;
      case "allowed":
        allowed.push(record);
        break;
      case "injected":
        if (record.agent !== agent) break;
        inject(record.memories);
        for (const { form } of injectedIn(record.memories))
          if (form === "line") context.lines = context.lines.map((count) => count + 1);
        context.factChars += Number.isFinite(record.chars) ? record.chars : 0;
        if (record.isBlock) {
          context.missing = record.isMore === true ? LATER : [];
          context.tries += context.missing.length > 0 ? 1 : 0;
        }
    }
  }
  return state;

  function inject(value: unknown): void {
    for (const memory of injectedIn(value)) state.context.injected.set(memory.key, memory);
  }
}

const isDutyStep = (step: Partial<DutyStep> | null): boolean => typeof step?.what === "string";

function injectedIn(value: unknown): InjectedMemory[] {
  if (!Array.isArray(value)) return [];
  const texts = ["key", "hash", "form", "name"] as const;
  return value.filter((item: Partial<InjectedMemory> | null): item is InjectedMemory =>
    texts.every((key) => typeof item?.[key] === "string"),
  );
}

/** One of the things that a session's log says in order: what the user typed, that a model wrote, that its turn ended. */
export interface TrailEntry {
  kind: "turn" | "called" | "wrote" | "stopped" | "nudged" | "struggled" | "ended";
  time: string;
  /** What the user typed, or the command that worked; empty for all else, and for a turn that nobody typed. */
  text: string;
  /** Of a write: what it brought, by which passage of the user's. */
  memories: readonly InjectedMemory[];
  by: QuotedPassage | undefined;
  failed: string | undefined;
}

const TRAIL_KINDS: ReadonlySet<unknown> = new Set(
  "turn called wrote stopped nudged struggled ended".split(" "),
);

function trailEntry({ kind, time, text = "", memories, by, failed }: Record<string, unknown>): TrailEntry {
  return {
    kind: kind as TrailEntry["kind"],
    time: String(time),
    text: String(text),
    failed: typeof failed === "string" ? failed : undefined,
    memories: injectedIn(memories),
    by: by as QuotedPassage | undefined,
  };
}

/** A quote is looked for in this turn and the two before. */
const LAST_TURNS = 3;
/** A turn of longer ago is not what the model answers now, in milliseconds. */
const MAX_AGE_MS = 12 * 3_600_000;

/** The user's last turns, newest first. None for a subagent, and for a session unknown or over; empty where nobody typed. */
export function lastTurns(places: Places, { kind, session = "", agent }: Actor, now: Date): TrailEntry[] {
  if (kind !== "model" || session === "" || agent !== undefined) return [];
  const { trail } = readSession(places, session);
  const turns = trail
    .slice(trail.findLastIndex((entry) => entry.kind === "ended") + 1)
    .filter((entry) => entry.kind === "turn");
  const newest = Date.parse(turns.at(-1)?.time ?? "");
  return now.getTime() - newest <= MAX_AGE_MS ? turns.slice(-LAST_TURNS).toReversed() : [];
}

/** What quotes of a turn brought in a session so far: of each write the quoted passage, and the memory as it was then. */
export function broughtBy(
  places: Places,
  session: string,
  turn: string,
): { by: QuotedPassage; memory: InjectedMemory }[] {
  return readSession(places, session).trail.flatMap(({ kind, by, memories: [memory] }) =>
    kind === "wrote" && by?.turn === turn && memory ? [{ by, memory }] : [],
  );
}

/** Whether nobody had a session or a memory of their own here: a script may still set it up. */
export const isNewMachine = (places: Places): boolean =>
  listSessions(places).length + listMemoryFiles(places.userStore).length === 0;

export function pruneSessions(places: Places, now: Date): void {
  pruneFiles(listSessions(places), { ...KEPT, oldestMs: now.getTime() - KEPT_DAYS * 86_400_000 });
}

export const listSessions = (places: Places): DatedFile[] => newestFiles(folderOf(places), ".jsonl");

/** A file name for a session: its id when that is a plain word, else a hash of it, since it comes from outside. */
export function sessionKey(session: string): string {
  return /^[a-z0-9][a-z0-9-]{0,79}$/.test(session) ? session : `h-${sha256Hex(session).slice(0, 32)}`;
}

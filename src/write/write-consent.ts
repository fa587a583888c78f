import { inboxOf } from "../here/consent/inbox.ts";
import { refusedBy } from "../machine/heed-error.ts";
import {
  type GateRefusal,
  type Actor,
  type Door,
  type MemoryHeader,
  type MemoryMetadata,
  type QuotedOrigin,
  type StoreKind,
  type MemoryDraft,
  memoryKey,
} from "../memory/memory.ts";
import { handleOf, plainHandle, plainWords, STORE_WORDS } from "../memory/handle.ts";
import { type QuotedWords, addsCode, findQuote, isAmended, isBare, isReading } from "./gates/quote.ts";
import { localDay } from "../machine/read-fields.ts";
import {
  textOfStatement,
  withParts,
  userQuotationIn,
  withoutUserQuotations,
} from "../memory/codec/sections.ts";
import { cutAround, cutText } from "../memory/shown-text.ts";
import { isStatementAlone } from "../here/consent/rule-text.ts";
import { LIMITS } from "../memory/limits.ts";
import { type TypePolicy, isPersonal, needsApproval, takesForce } from "../memory/memory-type.ts";
import { type Write, amendmentOfDraft } from "./memory-of-draft.ts";
import type { Place } from "../here/place.ts";
import { whoMayWrite } from "../here/user-config.ts";
import { type QuotedPassage, broughtBy, lastTurns } from "../here/records/session-state.ts";

interface Case extends Write {
  changed: readonly string[];
  memories: readonly MemoryMetadata[];
  day: string;
}

export interface WriteConsent {
  /** As it is to be stored: with the user's line as its quotation. */
  draft: MemoryDraft;
  door?: Door | undefined;
  waits?: string | undefined;
  refusal?: GateRefusal;
  by?: QuotedPassage | undefined;
  quoted?: QuotedOrigin | undefined;
}

export interface Said extends QuotedWords {
  turn: string;
  /** The words of the turn, and the repository's name. */
  known: string;
  shown: string;
  by: QuotedPassage;
}

const MAX_SHOWN_CHARS = 300;
/** What announces the line is shown to this length: "Never:". */
const MAX_HEAD_CHARS = 100;

/** Fields of a rule, or of a memory about the user, that a model changes freely: nothing that is told unfenced. */
const FREE: ReadonlySet<string> = new Set(["tags", "aliases", "updated"]);
/** What of a rule a quote may change besides: its text. All else is whether, where, how long and how strongly it holds. */
const TEXTS: ReadonlySet<string> = new Set([...FREE, "statement", "body", "source"]);

const SIGNS = {
  question: "its quote is a question",
  quotation: "its quote is in quotation marks",
  bare: "its quote does not say it by itself",
};

/** Decides by which door (how the user agreed) a write comes in. Without one a rule or a statement about the user waits; a fact is data. */
export function consentOf(place: Place, write: Write, memories: readonly MemoryMetadata[]): WriteConsent {
  const { actor, draft, store } = write;
  const policy = place.types.get(draft.type);
  const changed = policy ? changedBy(place, write, policy) : Object.keys(write.also ?? {});
  const subject: Case = { ...write, changed, memories, day: localDay(place.now()) };
  if (actor.kind === "person" || write.isConfirmed) {
    // A person stands for a text that they gave, or were shown, as a whole.
    const isTheirs = actor.kind === "person" && (isWholeText(subject) || write.isConfirmed);
    const door = isTheirs ? (actor.door ?? "terminal") : undefined;
    return { draft: quoting(subject, draft.quote), door };
  }
  if (!policy) return { draft: quoting(subject) };
  if (actor.kind !== "model") return decideForeign(place, subject, policy);
  const setting = whoMayWrite(place);
  if (setting === "me" || setting === "nobody") return { draft, refusal: REFUSALS[setting] };
  const said = saidBy(place, draft.quote, actor);
  if (said === undefined && draft.quote !== undefined) {
    const turns = lastTurns(place.places, actor, place.now());
    if (turns.some(({ text }) => text !== "")) return { draft, refusal: misquoted(draft) };
  }
  const { door, waits, ...decided } = decide(place, subject, policy, said);
  const isRule = policy.injection === "always";
  const asked = setting === "ask" ? ASKED : whyShared(store.ref.kind);
  return {
    ...decided,
    by: said?.by,
    quoted: said && isRule ? quotedOrigin(decided.draft, draft, said) : undefined,
    door: asked === undefined ? door : undefined,
    waits: waits ?? asked,
  };
}

function changedBy(place: Place, write: Write, policy: TypePolicy): string[] {
  const { current, draft, also = {} } = write;
  if (!current) return Object.keys(also);
  return [
    ...Object.keys(amendmentOfDraft(place, { ...write, current }, policy)),
    ...Object.keys(also),
    ...(withParts(current.body, draft) === current.body ? [] : ["body"]),
  ];
}

function supersededBy({ types }: Place, { draft, current, memories }: Case): string | undefined {
  const known = current?.metadata.links ?? [];
  const ends = (draft.links ?? []).filter(
    ({ rel, to }) => rel === "supersedes" && !known.some((one) => one.rel === rel && one.to === to),
  );
  const ended = memories.find(
    (metadata) =>
      takesForce(metadata, types) &&
      ends.some(({ to }) => to === metadata.id || plainHandle(to) === metadata.name),
  );
  return ended && handleOf(ended);
}

/** The user's words that a model's quote points at, in one of their last turns; undefined where they did not type it. */
export function saidBy(place: Place, quote: string | undefined, actor: Actor): Said | undefined {
  for (const { text: turn, time } of quote === undefined ? [] : lastTurns(place.places, actor, place.now())) {
    const found = findQuote(quote ?? "", turn);
    if (!found) continue;
    const head = cutText(found.head, MAX_HEAD_CHARS);
    const room = Math.max(MAX_SHOWN_CHARS, found.quote.length) - head.length;
    const shown = `${head} ${cutAround(found.line, found.quote, room)}`.trim();
    const { start, end } = found;
    const known = `${turn} ${place.repository?.name ?? ""}`;
    return { ...found, turn, known, shown, by: { turn: time, start, end, line: shown } };
  }
  return undefined;
}

/** What is told of the user's words besides their line: which of it was quoted, the reason, and whether it goes first. */
function quotedOrigin({ statement }: MemoryDraft, { reason = "" }: MemoryDraft, said: Said): QuotedOrigin {
  const typed = findQuote(reason, said.turn)?.quote;
  return {
    ...(said.quote !== said.shown && { quote: said.quote }),
    ...(typed !== undefined && { reason: typed }),
    ...(isReading(statement, said.known) && { first: "line" }),
  };
}

function decide(place: Place, subject: Case, policy: TypePolicy, said: Said | undefined): WriteConsent {
  const { draft, current, changed } = subject;
  const isRule = policy.injection === "always";
  const wasRule = current !== undefined && takesForce(current.metadata, place.types);
  const wasOfUser = current !== undefined && isPersonal(place.types.get(current.metadata.type));
  const quoted = quoting(subject, said?.shown);
  const waiting = (waits: string): WriteConsent => ({ draft: quoted, waits });
  const superseded = supersededBy(place, subject);
  if (superseded !== undefined) return waiting(`it would put ${superseded} out of force, which is a rule`);
  if (needsApproval(policy) && !(current && changed.every((field) => FREE.has(field))))
    return waiting(`a ${policy.name} needs approval as a whole`);
  const isBareQuote = said && isBare(said.quote, draft.statement, said.known);
  const sign = said?.sign ?? (isBareQuote ? "bare" : undefined);
  const unsaid = said && (sign ? SIGNS[sign] : whySpent(place, subject, said));
  if (!isRule && !wasRule && !isPersonal(policy) && !wasOfUser)
    return asFact(quoted, unsaid === undefined ? said : undefined, policy, subject);
  if (wasRule || wasOfUser) {
    if (subject.text !== undefined) return waiting("the whole file was edited by a model");
    // The words quoted for it are not stored either: they may speak of something else.
    if (changed.every((field) => FREE.has(field))) return { draft: quoting(subject) };
    if (wasRule && (draft.replaces !== undefined || !changed.every((field) => TEXTS.has(field))))
      return waiting("it changes whether, where or how long a rule holds");
    if (wasRule && said && saysTheSame(subject))
      return { draft: { ...draft, statement: current.metadata.statement, body: current.body } };
  }
  if (said === undefined)
    return waiting(isRule || wasRule ? "no quote supports it" : "it is inferred, not quoted");
  if ((isRule || wasRule) && !holdsOnlyHere(place, subject, policy))
    return waiting("it would hold beyond this repository");
  if (unsaid !== undefined) return waiting(unsaid);
  const known = current ? `${said.quote} ${current.metadata.statement}` : said.quote;
  const isForeign = (isRule || wasRule) && addsCode(draft.statement, known, said.known);
  if (wasRule) {
    const why = isForeign ? "its new text has code that was not typed" : whyNoAmendment(subject, said);
    if (why !== undefined) return waiting(why);
    return {
      draft: { ...quoting(subject, bothLines(subject, said)), source: "instructed" },
      door: "quote",
    };
  }
  if (wasOfUser && current.metadata.origin.door !== "quote")
    return waiting("it changes what was approved as a whole");
  // Code that they did not type is kept as data, and their line alone is told.
  const statement = isForeign ? cutText(said.shown, LIMITS.statementChars) : draft.statement;
  return { draft: { ...quoted, source: "instructed", statement }, door: "quote" };
}

/** Why words that the user typed bring nothing any more: they brought a memory already, or what they brought was taken back. */
function whySpent(place: Place, { actor, current, memories }: Case, { by, shown }: Said): string | undefined {
  for (const { by: used, memory } of broughtBy(place.places, actor.session ?? "", by.turn)) {
    const there = memories.find((metadata) => memoryKey(metadata) === memory.key);
    if (used.line === by.line && there === undefined) return "what its quote brought was taken back";
    const isOwn = current && memoryKey(current.metadata) === memory.key && there?.contentHash === memory.hash;
    if (!isOwn && used.start <= by.start && by.end <= used.end)
      return `its quote brought ${handleOf(there ?? memory)} already`;
  }
  const declined = inboxOf(place)
    .listRejected()
    .some(({ memory, date }) => date >= by.turn && userQuotationIn(memory.body) === shown);
  return declined ? "what its quote brought was declined" : undefined;
}

function saysTheSame({ draft, current }: Case): boolean {
  const words = plainWords(current?.metadata.statement ?? "");
  return (
    draft.reason === undefined &&
    draft.how === undefined &&
    plainWords(draft.statement) === words &&
    plainWords(withoutUserQuotations(draft.body)) === words
  );
}

function whyNoAmendment({ draft, current }: Case, said: Said): string | undefined {
  if (!current) return undefined;
  const { statement } = current.metadata;
  if (plainWords(statement) === plainWords(draft.statement)) return "it changes the text below the statement";
  if (!isAmended(statement, draft.statement, said.line)) return "it changes what a rule says";
  // By a quote the statement and the line alone are told.
  const isAlone =
    isStatementAlone(current.metadata) ||
    plainWords(withoutUserQuotations(current.body)) === plainWords(statement);
  return isAlone ? undefined : "it would leave out what else the rule says";
}

/** A rule that is added to keeps the line that it came by, where that says more than the rule did. */
function bothLines({ current }: Case, { shown }: Said): string {
  const old = (current && userQuotationIn(current.body)) ?? "";
  const isSaid = plainWords(current?.metadata.statement ?? "").includes(plainWords(old));
  return isSaid ? shown : cutText(`${old} / ${shown}`, 2 * MAX_SHOWN_CHARS);
}

function asFact(
  draft: MemoryDraft,
  said: Said | undefined,
  policy: TypePolicy,
  { current, changed }: Case,
): WriteConsent {
  const isSaidAnew = current === undefined || changed.some((field) => FACT_TEXTS.has(field));
  if (!isSaidAnew) return { draft };
  if (said) return { draft: { ...draft, source: "instructed" }, door: "quote" };
  const source = draft.source ?? policy.defaults.source;
  return { draft: source === "instructed" ? { ...draft, source: "observed" } : draft };
}

const FACT_TEXTS: ReadonlySet<string> = new Set(["statement", "body", "type"]);

/** What a hook or an import brings is nobody's word: a rule waits, and so does what is said about the user. */
function decideForeign(place: Place, { draft, current, actor }: Case, policy: TypePolicy): WriteConsent {
  const from = actor.kind === "import" ? "an import" : "a hook";
  // An import is the user's own doing: `requireMayWrite` has asked about it.
  if (actor.kind === "hook" && whoMayWrite(place) !== "model")
    return { draft, waits: "the setting `writes` requires approval" };
  const wasRule = current !== undefined && takesForce(current.metadata, place.types);
  const what = needsApproval(policy) ? policy.name : "rule";
  if (takesForce(draft, place.types) || wasRule)
    return { draft, waits: `it is a ${what} that came from ${from}` };
  return isPersonal(policy) ? { draft, waits: `it is personal and came from ${from}` } : { draft };
}

/** A rule that is said here holds here: in this repository, and nowhere else. */
function holdsOnlyHere(place: Place, { draft, current, store }: Case, policy: TypePolicy): boolean {
  if (draft.scope === "everywhere" || policy.reach === "everywhere") return false;
  if (store.ref.kind === "project") return true;
  return current === undefined || draft.scope !== undefined
    ? place.repository !== undefined
    : current.metadata.scope.repo !== undefined && place.here().isRepositoryHere(current.metadata.scope.repo);
}

const isWholeText = ({ current, isWholeBody, text }: Case): boolean =>
  current === undefined || isWholeBody === true || text !== undefined;

/** The draft with the user's words as its only quotation; without words, an older one stays as long as the statement does. */
function quoting(subject: Case, words?: string): MemoryDraft {
  const { draft, actor, current, changed, day } = subject;
  const { quote: _quote, ...rest } = draft;
  const before = current && userQuotationIn(current.body);
  const isReworded = changed.includes("statement");
  const isOwnText = actor.kind === "person" && isWholeText(subject);
  const text =
    words !== undefined || isOwnText
      ? draft.body
      : withoutUserQuotations(draft.body, isReworded ? undefined : before);
  return { ...rest, body: textOfStatement({ ...draft, text, quote: words, day }) };
}

function misquoted({ quote = "" }: MemoryDraft): GateRefusal {
  return {
    gate: "provenance",
    reason: `the user did not type "${cutText(quote, 80)}" in this turn or the two before it`,
    remedy:
      "quote their words letter by letter; what they paste, fence or mark with > does not count, nor does a turn of over " +
      "1,500 characters or 25 lines. Or leave quote out: then a rule waits for their approval, and a fact is kept as data",
  };
}

export function isUsersToChange(
  { types }: Place,
  { kind }: Actor,
  memory: Pick<MemoryHeader, "type"> & { guard?: unknown },
): boolean {
  return kind !== "person" && (takesForce(memory, types) || isPersonal(types.get(memory.type)));
}

export const UNTOLD: ReadonlySet<string> = new Set([...FREE, "verified"]);

/** Why a model's write to a store waits, whatever it quotes: others are told what is written there. */
export function whyShared(kind: StoreKind): string | undefined {
  return kind === "user" ? undefined : `others read ${STORE_WORDS[kind]} too`;
}

/** @throws HeedError `gate-refused` where `writes` leaves it to the user. `isAskable`: it can wait for approval. */
export function requireMayWrite(place: Place, actor: Actor, options: { isAskable?: boolean } = {}): void {
  if (actor.kind === "person" || actor.kind === "import") return;
  const setting = whoMayWrite(place);
  if (setting === "model" || (setting === "ask" && options.isAskable === true)) return;
  const { gate, reason, remedy } = REFUSALS[setting];
  throw refusedBy(gate, reason, remedy);
}

export const NOBODY: GateRefusal = {
  gate: "user-word",
  reason: "the organisation's policy lets nobody write memories on this machine",
  remedy: "heed doctor shows the policy and its file; an administrator changes it",
};
const ASKED = "the setting `writes: ask` is on";
const ONLY_ME: GateRefusal = {
  gate: "user-word",
  reason: "the setting `writes: me` keeps agents from writing memories here",
  remedy: "`heed keep: TEXT`, typed as a prompt, or `heed write` in a terminal keeps it",
};
const REFUSALS = { ask: { ...ONLY_ME, reason: ASKED }, me: ONLY_ME, nobody: NOBODY };

/** Lets a person pass. @throws HeedError `gate-refused` with `why` and `remedy` for anybody else. */
export function requirePerson(actor: Actor, why: string, remedy: string): void {
  if (actor.kind !== "person") throw refusedBy("user-word", why, remedy);
}

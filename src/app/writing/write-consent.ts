import { HeedError } from "../../errors/heed-error.ts";
import type { GateRefusal, Actor, Door, StoreKind, MemoryDraft } from "../../memory/memory.ts";
import { STORE_WORDS } from "../../memory/handle.ts";
import {
  commonWords,
  countWords,
  holdsAction,
  MAX_SENTENCE_CHARS,
  missingWords,
  nearestSentence,
  sentenceAround,
} from "../../curate/quote.ts";
import { localDay } from "../../memory/codec/read-fields.ts";
import { textOfStatement, userQuotationIn, withoutUserQuotations } from "../../memory/codec/sections.ts";
import { cutText } from "../../inject/delimit.ts";
import { LIMITS } from "../../memory/limits.ts";
import { type TypePolicy, needsApproval, takesForce } from "../../memory/memory-type.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import type { Place } from "../place/place.ts";
import { whoMayWrite } from "../place/user-config.ts";
import { lastTurns } from "../records/session-state.ts";

/** A write whose door is to be found. */
export interface ConsentCase {
  draft: MemoryDraft;
  actor: Actor;
  current: StoredMemory | undefined;
  /** The fields that it changes of `current`. */
  changed: readonly string[];
  /** A person approved this very text. */
  isConfirmed: boolean;
  /** Whose store it is for. */
  storeKind: StoreKind;
  /** The writer gave the whole body, or the whole file. */
  gives: "fields" | "body" | "file";
  /** A rule that it would supersede by a link. */
  superseded: string | undefined;
}

interface WriteConsent {
  /** As it is to be stored: with the user's whole sentence as its quotation. */
  draft: MemoryDraft;
  door?: Door;
  /** Why it needs the user's approval; undefined: it does not. */
  waits?: string;
  refusal?: GateRefusal;
}

/** How many content words of a statement may be missing from the quoted turn, and no more than are there. */
const MAX_MISSING = 4;
/** The part of the quoted sentence's content words that a statement has: a task that names a few of them is another thing. */
const MIN_SHARE = 1 / 3;
/** How many content words a change has in common with what it changes. */
const MIN_COMMON = 2;
/** A sentence with fewer content words ("yes, go ahead") says nothing by itself. */
const MIN_CONTENT_WORDS = 3;

/** Fields of a rule, or of a memory about the user, that a model changes freely: nothing that is told unfenced. */
const FREE: ReadonlySet<string> = new Set(["tags", "aliases", "updated"]);
/** What a change of a rule may not touch by a quote: whether, where and how long it holds. */
const FORCE: ReadonlySet<string> = new Set(["type", "status", "scope", "expires", "origin"]);

const TEXTS: ReadonlySet<string> = new Set(["description", "body", "type"]);

/**
 * The one place that decides by which door a write comes in (see `Door`). A person's own write, and what a person approved, is
 * their word. A model's write counts as the user's word where its quote stands letter by letter in what they typed in the last
 * turns; else a rule, and what is said about the user, waits for their approval, and a fact is data. No language is read.
 */
export function consentOf(place: Place, subject: ConsentCase): WriteConsent {
  const { actor, draft, isConfirmed } = subject;
  const day = localDay(place.now());
  if (actor.kind === "person" || isConfirmed)
    return { draft: quoting(subject, draft.quote, day), ...doorOf(subject) };
  const policy = place.types.get(draft.type);
  // Whatever has no type is refused by its gate.
  if (!policy) return { draft: quoting(subject, undefined, day) };
  if (actor.kind !== "model") return decideForeign(place, subject, policy);
  const setting = whoMayWrite(place);
  if (setting === "me" || setting === "nobody") return { draft, refusal: REFUSALS[setting] };
  const turns = lastTurns(place.places, actor, place.now());
  const said = saidBy(draft.quote, turns);
  if (said === undefined && draft.quote !== undefined && turns.some((turn) => turn !== ""))
    return { draft, refusal: misquoted(draft, turns) };
  const consent = decide(place, subject, policy, said, day);
  const asked = setting === "ask" ? ASKED : whyShared(subject.storeKind);
  return asked === undefined ? consent : { draft: consent.draft, waits: consent.waits ?? asked };
}

interface Said {
  sentence: string;
  turn: string;
}

function saidBy(quote: string | undefined, turns: readonly string[]): Said | undefined {
  for (const turn of quote === undefined ? [] : turns) {
    const sentence = sentenceAround(quote ?? "", turn);
    if (sentence !== undefined) return { sentence, turn };
  }
  return undefined;
}

function decide(
  place: Place,
  subject: ConsentCase,
  policy: TypePolicy,
  said: Said | undefined,
  day: string,
): WriteConsent {
  const { draft, current, changed } = subject;
  const isRule = policy.injection === "always";
  const wasRule = current !== undefined && takesForce(current.metadata, place.types);
  const wasOfUser = current !== undefined && isPersonal(place.types.get(current.metadata.type));
  const quoted = quoting(subject, said?.sentence, day);
  if (subject.superseded !== undefined)
    return { draft: quoted, waits: `it would put ${subject.superseded} out of force, which is a rule` };
  if (needsApproval(policy) && !(current && changed.every((field) => FREE.has(field))))
    return { draft: quoted, waits: `the user approves the whole text of a ${policy.name}` };
  if (!isRule && !wasRule && !isPersonal(policy) && !wasOfUser) return asFact(quoted, said, policy, subject);
  if (wasRule || wasOfUser) {
    if (subject.gives === "file") return { draft: quoted, waits: "the whole file was edited by a model" };
    // Words of theirs that change nothing else are not put beside it either: they may speak of something else.
    if (changed.every((field) => FREE.has(field))) return { draft: quoting(subject, undefined, day) };
    if (wasRule && changed.some((field) => FORCE.has(field)))
      return { draft: quoted, waits: "it changes whether, where or how long a rule holds" };
  }
  if (said === undefined)
    return {
      draft: quoted,
      waits:
        isRule || wasRule ? "the user's words are not quoted" : "the user did not say this about themselves",
    };
  const { sentence, turn } = said;
  if (sentence.length > MAX_SENTENCE_CHARS)
    return { draft: quoted, waits: `the quoted sentence has more than ${MAX_SENTENCE_CHARS} characters` };
  if ((isRule || wasRule) && !holdsOnlyHere(place, subject, policy))
    return { draft: quoted, waits: "it would hold beyond this repository" };
  if (current !== undefined && !isAbout(sentence, current.metadata.description))
    return { draft: quoted, waits: `the quoted sentence is not about "${current.metadata.description}"` };
  const isRelated = commonWords(sentence, draft.description) > 0;
  if (!isRelated && countWords(sentence) < MIN_CONTENT_WORDS)
    return { draft: quoted, waits: `"${sentence}" does not say what is to be kept` };
  const isSaid =
    isRelated &&
    missingWords(draft.description, turn) <= MAX_MISSING &&
    2 * commonWords(draft.description, turn) >= countWords(draft.description) &&
    MIN_SHARE * countWords(sentence) <= commonWords(draft.description, sentence) &&
    !(isRule && (holdsAction(draft.description, turn) || holdsAction(sentence, turn)));
  return {
    draft: {
      ...quoted,
      source: "instructed",
      // Where the model's wording is not theirs, theirs is told.
      ...(!isSaid && { description: shortened(sentence) }),
    },
    door: "quote",
  };
}

/** Two content words in common may be chance; a third of what the changed statement says is none. */
function isAbout(sentence: string, statement: string): boolean {
  const common = commonWords(sentence, statement);
  return common >= MIN_COMMON && 3 * common > countWords(statement);
}

/** A fact is told as fenced data, whoever said it; only what the quoted turn says counts as said. */
function asFact(
  draft: MemoryDraft,
  said: Said | undefined,
  policy: TypePolicy,
  { current, changed }: ConsentCase,
): WriteConsent {
  const isSaidAnew = current === undefined || changed.some((field) => TEXTS.has(field));
  if (!isSaidAnew) return { draft };
  const isSaid =
    said !== undefined &&
    commonWords(said.sentence, draft.description) > 0 &&
    missingWords(draft.description, said.turn) <= MAX_MISSING;
  if (isSaid) return { draft: { ...draft, source: "instructed" }, door: "quote" };
  const source = draft.source ?? policy.defaults.source;
  return { draft: source === "instructed" ? { ...draft, source: "observed" } : draft };
}

/** What a hook or an import brings is nobody's word: a rule waits, and so does what is said about the user. */
function decideForeign(
  place: Place,
  { draft, current, actor }: ConsentCase,
  policy: TypePolicy,
): WriteConsent {
  const from = actor.kind === "import" ? "an import" : "a hook";
  // An import is the user's own doing: `requireMayWrite` has asked about it.
  if (actor.kind === "hook" && whoMayWrite(place) !== "model")
    return { draft, waits: "the setting `writes` leaves it to the user" };
  const wasRule = current !== undefined && takesForce(current.metadata, place.types);
  const what = needsApproval(policy) ? policy.name : "rule";
  if (takesForce(draft, place.types) || wasRule)
    return { draft, waits: `it is a ${what} that came by ${from}` };
  return isPersonal(policy) ? { draft, waits: `${from} says it about the user` } : { draft };
}

function isPersonal(policy: TypePolicy | undefined): boolean {
  return policy?.needs.includes("confirmation") === true;
}

/** A rule that is said here holds here: in this repository, and nowhere else. */
function holdsOnlyHere(
  place: Place,
  { draft, current, storeKind }: ConsentCase,
  policy: TypePolicy,
): boolean {
  if (draft.scope === "everywhere" || policy.reach === "everywhere") return false;
  if (storeKind === "project") return true;
  return current === undefined || draft.scope !== undefined
    ? place.repository !== undefined
    : current.metadata.scope.repo !== undefined && place.here().isRepositoryHere(current.metadata.scope.repo);
}

/** By which door a person's write comes in: they stand for a text that they gave, or were shown, as a whole. */
function doorOf({ actor, current, isConfirmed, gives }: ConsentCase): { door?: Door } {
  if (actor.kind !== "person") return {};
  const isWhole = current === undefined || isConfirmed || gives !== "fields";
  return isWhole ? { door: actor.door ?? "terminal" } : {};
}

/**
 * The draft with the user's words as the only quotation of them in its text. Without words an older one stays as long as the
 * text that it is about, and a line that quotes the user is what a person has written themselves, or nobody's word.
 */
function quoting(
  { draft, actor, current, changed, gives }: ConsentCase,
  words: string | undefined,
  day: string,
): MemoryDraft {
  const { quote: _quote, ...rest } = draft;
  const before = current && userQuotationIn(current.body);
  const isReworded = changed.includes("description");
  const isOwnText = actor.kind === "person" && (current === undefined || gives !== "fields");
  const text =
    words !== undefined || isOwnText
      ? draft.body
      : withoutUserQuotations(draft.body, isReworded ? undefined : before);
  return { ...rest, body: textOfStatement({ text, quote: words, reason: draft.reason, day }) };
}

function shortened(sentence: string): string {
  return cutText(sentence, LIMITS.descriptionChars);
}

function misquoted({ quote = "" }: MemoryDraft, turns: readonly string[]): GateRefusal {
  const nearest = nearestSentence(quote, turns);
  return {
    gate: "provenance",
    reason: `the user did not type "${cutText(quote, 80)}" in this turn or the two before it`,
    remedy:
      `quote a sentence of theirs letter by letter${nearest === undefined ? "" : `, such as "${cutText(nearest, 200)}"`}; ` +
      "what they paste, fence or mark with > does not count, nor does a turn of over 1,500 characters or 25 lines. Or leave quote out: then a rule waits for their approval, and a fact is kept as data",
  };
}

/** Why a model's write to a store waits, whatever it quotes: others are told what is written there. */
export function whyShared(kind: StoreKind): string | undefined {
  return kind === "user" ? undefined : `others read ${STORE_WORDS[kind]} too`;
}

/**
 * Lets a model or a hook change what no draft is made of: a removal, a restored or renamed memory, an undo, a repair.
 *
 * @param options - `isAskable`: the change can wait for the user's approval.
 * @throws HeedError `gate-refused` where the setting `writes` leaves it to the user.
 */
export function requireMayWrite(place: Place, actor: Actor, options: { isAskable?: boolean } = {}): void {
  if (actor.kind === "person" || actor.kind === "import") return;
  const setting = whoMayWrite(place);
  if (setting === "model" || (setting === "ask" && options.isAskable === true)) return;
  const { gate, reason, remedy } = REFUSALS[setting];
  throw new HeedError("gate-refused", reason, { gate, remedy });
}

/** What anybody is told where the organisation's policy lets nobody write. */
export const NOBODY: GateRefusal = {
  gate: "user-word",
  reason: "the organisation's policy lets nobody write memories on this machine",
  remedy: "heed status shows the policy and its file; an administrator changes it",
};
const ASKED = "the setting `writes: ask` asks the user about each write";
const ONLY_ME: GateRefusal = {
  gate: "user-word",
  reason: "the setting `writes: me` lets only the user write memories here",
  remedy: "tell the user what you would keep: they type `heed keep: TEXT` as a prompt, or run `heed write`",
};
const REFUSALS = { ask: { ...ONLY_ME, reason: ASKED }, me: ONLY_ME, nobody: NOBODY };

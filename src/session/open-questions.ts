import { type InboxItem, codeOfItem, inboxOf } from "../here/consent/inbox.ts";
import { codeOf } from "../memory/formula.ts";
import type { TrustEntry, TrustReview } from "../here/consent/trust-entries.ts";
import { describeEntries, saidIn, tokenOf } from "../here/consent/trust-entries.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { accountedEntries, reviewStore } from "../here/consent/review-store.ts";
import { reviewCommand, waitingReviews } from "../here/consent/rule-approvals.ts";
import { proposalStandings, isQuarantinedFrom } from "../here/consent/standing.ts";
import {
  NO_LISTS,
  boundsOf,
  guardsOf,
  isEverywhere,
  listsOf,
  quoted,
  reachOf,
  restOf,
  untilOf,
} from "../here/consent/rule-text.ts";
import { cutText, MAX_ASKED_CHARS, shownLine } from "../memory/shown-text.ts";
import { splitSource } from "../memory/codec/front-matter.ts";
import { userQuotationIn, withoutUserQuotation } from "../memory/codec/sections.ts";
import { LIMITS } from "../memory/limits.ts";
import type { MemoryMetadata, StoreKind, StoreRef } from "../memory/memory.ts";
import { type TypeTable, isPersonal, needsApproval } from "../memory/memory-type.ts";
import { STORE_WORDS } from "../memory/handle.ts";
import { redactValue } from "../memory/screening/find-secrets.ts";

const MAX_QUOTE_CHARS = 200;
/** So much of what a review would put into force is shown in a question; more has to be looked at in a terminal. */
const MAX_REVIEW_CHARS = 900;
const MAX_ASKED = 100;
const MAX_NAMED = 3;

export interface Question {
  /** Belongs to exactly this question: the user types `heed yes CODE` or `heed no CODE`. */
  code: string;
  /** `allow`: may a stopped call pass once? */
  kind: "keep" | "change" | "remove" | "guard" | "trust" | "allow";
  /** One line, what would be done first. */
  text: string;
  /** A further line: what the user said, what it says now. */
  detail?: string | undefined;
  /** The words of the choice: yes, no. */
  choices: readonly [yes: string, no: string];
  /** Its name in the inbox, or of what it is about. */
  name: string;
  session?: string | undefined;
  /** ISO time at which it was proposed; a store's review has none. */
  since?: string;
  /** It would hold in every repository. */
  isEverywhere?: boolean;
  /** Of a store: what holds until it is answered, as a sentence. */
  until?: string;
  /** A claim about the user that they did not make: a dialog alone asks it, last, and it lapses after 14 days. */
  isLast?: boolean;
  /** It is not put to anybody unasked: an inference about the user, a quarantined text, more than a line can show. */
  isQuiet?: boolean;
}

/**
 * All that the user can be asked here: what waits in the inbox for stores at hand, the newest first, and rules that lay in
 * a store. What only another repository waits for is asked there.
 *
 * @param isEach - Also what is asked only after another one of these, as the code of a change that a review goes before.
 */
export async function openQuestions(place: Place, at?: Collection, isEach = false): Promise<Question[]> {
  const collection = at ?? (await openCollection(place));
  const here = place.here();
  const waiting = inboxOf(place)
    .list()
    .slice(-MAX_ASKED)
    .filter(({ proposal }) => place.stores.some(({ id }) => id === proposal.store))
    .filter(({ memory: { scope } }) => scope.repo === undefined || here.isRepositoryHere(scope.repo));
  const standingOf = waiting.length === 0 ? undefined : await proposalStandings(place, collection);
  const items = waiting.filter((item) => standingOf?.(item) === "open").reverse();
  const reviews = await reviewsToAsk(place, collection);
  const memories = new Map(
    items.some(({ proposal }) => proposal.target)
      ? collection.memories().map((metadata) => [metadata.id, metadata])
      : [],
  );
  // What a review asks about is not asked about in a second question: one answer would make the other moot.
  const isUnderReview = (file: string, storeId: string): boolean =>
    reviews.some(({ store, entries }) => store.id === storeId && entries.some((one) => one.file === file));
  return [
    ...items.flatMap((item) => {
      const target = memories.get(item.proposal.target?.id ?? "");
      return !isEach && target && isUnderReview(target.file, target.storeId)
        ? []
        : [aboutItem(place, item, target)];
    }),
    ...reviews.map((review) => aboutReview(place, review)),
  ];
}

function aboutItem(place: Place, item: InboxItem, target: MemoryMetadata | undefined): Question {
  const { memory, proposal } = item;
  const { types } = place;
  const quote = userQuotationIn(memory.body);
  const store = place.stores.find(({ id }) => id === proposal.store)?.kind ?? "user";
  const asked = wordsOf(item, target, types, store);
  const guards = asked.kind === "guard" ? [] : guardsOf(memory.guard);
  const details = [
    ...(quote === undefined ? [] : [`You said: ${quoted(quote, MAX_QUOTE_CHARS)}`]),
    // Whoever says yes to it says yes to them, and so does whoever lets them go.
    ...(guards.length === 0
      ? []
      : [`${asked.kind === "remove" ? "Its guard goes too" : "With a guard"}: ${guards.join("; ")}`]),
  ].join(" ");
  const policy = types.get(memory.type);
  const maxChars = needsApproval(policy) ? MAX_ASKED_CHARS : MAX_REVIEW_CHARS;
  const isWhole =
    shownLine(memory.statement).length <= LIMITS.statementChars &&
    asked.text.length <= maxChars &&
    !isQuarantinedFrom({ kind: "model" }, memory);
  // An inference about the user.
  const isClaim = isPersonal(policy) && quote === undefined && proposal.asks !== "removal";
  return {
    ...asked,
    text: cutText(asked.text, maxChars),
    code: codeOfItem(item),
    name: memory.name,
    since: proposal.at,
    detail: details === "" ? undefined : details,
    session: proposal.by.session,
    isEverywhere: isEverywhere(memory, types),
    isQuiet: isClaim || !isWhole,
    isLast: isClaim && isWhole,
  };
}

type Asked = Pick<Question, "kind" | "text" | "choices">;

/** What is asked, as a question; what a yes would put into force stands in it. */
function wordsOf(
  { memory, proposal: { asks } }: InboxItem,
  current: MemoryMetadata | undefined,
  types: TypeTable,
  store: StoreKind,
): Asked {
  const kind = nounOf(memory.type, types);
  const isProcedure = needsApproval(types.get(memory.type));
  const statement = quoted(memory.statement);
  const the = isProcedure || types.get(memory.type)?.injection === "always" ? `the ${kind} ` : "";
  const isQuoteShown = (userQuotationIn(memory.body) ?? "").length <= MAX_QUOTE_CHARS;
  const body = isQuoteShown ? withoutUserQuotation(memory.body) : memory.body;
  const whole = isProcedure ? ` ${restOf({ ...memory, body })}` : "";
  const where = store === "user" ? "" : ` in ${STORE_WORDS[store]}, which others read`;
  if (asks === "removal")
    return { kind: "remove", text: `Forget ${the}${statement}${where}?`, choices: ["forget", "keep it"] };
  if (asks === "guard") {
    const text = `Enforce ${statement}${where}? heed would then ${guardsOf(memory.guard).join("; ")}`;
    return { kind: "guard", text, choices: ["enforce", "only tell"] };
  }
  if (current === undefined) {
    const bounds = isPersonal(types.get(memory.type)) ? boundsOf(memory) : [reachOf(memory, types)];
    const reach = store === "user" ? bounds : [];
    const more = listsOf(memory, NO_LISTS).map((words) => `, ${words}`);
    const text = `Keep ${statement} as a ${[kind, ...reach].join(" ")}${where}${more.join("")}?${whole}`;
    return { kind: "keep", text, choices: ["keep", "do not keep"] };
  }
  const to = [
    ...(current.statement === memory.statement ? [] : [statement]),
    ...(current.type === memory.type ? [] : [`a ${kind}`]),
    ...(current.status === memory.status || memory.status === "provisional" ? [] : [memory.status]),
    ...(current.expires === memory.expires ? [] : [untilOf(memory.expires)]),
    ...(JSON.stringify(current.scope) === JSON.stringify(memory.scope) ? [] : [reachOf(memory, types)]),
    ...listsOf(memory, current, ["aliases", "tags"]),
  ];
  // What of a procedure's text changes is not told by its metadata: all of it is shown.
  const change = to.length > 0 ? ` to ${to.join(", ")}` : isProcedure ? "" : " in other details";
  const text = `Change ${the}${quoted(current.statement)}${where}${change}?${whole}`;
  return { kind: "change", text, choices: ["change", "do not change"] };
}

function nounOf(type: string, types: TypeTable): string {
  const policy = types.get(type);
  if (needsApproval(policy)) return shownLine(type);
  if (isPersonal(policy)) return "note about you";
  return policy?.injection === "always" ? "rule" : `memory (${shownLine(type)})`;
}

async function reviewsToAsk(place: Place, collection: Collection): Promise<TrustReview[]> {
  const waiting = (await waitingReviews(place, collection)).map(({ store }) => store.id);
  const stores = collection.stores.filter(({ id, source }) => source !== undefined || waiting.includes(id));
  const reviews = await Promise.all(stores.map((store) => reviewStore(place, store)));
  // What came to a repository's store and is told already needs no answer.
  return reviews.filter(({ store, entries }) => entries.some(({ isFact }) => store.source || !isFact));
}

/** A review, or the part of it that is asked about, by the code of the question. */
export function shownReview(place: Place, review: TrustReview, code: string): TrustReview | undefined {
  return [review, offeredPart(place, review)].find((part) => codeOfReview(part) === code);
}

/** State that was lost, on a new machine: what heed itself wrote is offered alone, as much at once as there is room to show. */
function offeredPart(place: Place, review: TrustReview): TrustReview {
  const entries = accountedEntries(review);
  const fit = entries.slice(0, linesOf(place, review.store, entries).length);
  return { ...review, entries: fit, says: describeEntries(fit), token: tokenOf(fit) };
}

function linesOf(place: Place, store: StoreRef, entries: readonly TrustEntry[]): string[] {
  const lines: string[] = [];
  let leftChars = MAX_REVIEW_CHARS + 2;
  for (const entry of entries) {
    const line = entryLine(redactValue(entry), saidIn(store, place.types, entry.file, entry.text)?.metadata);
    if ((leftChars -= line.length + 2) < 0) break;
    lines.push(line);
  }
  return lines;
}

function codeOfReview({ store, token }: Pick<TrustReview, "store" | "token">): string {
  return codeOf("trust", store.id, store.root, token);
}

function aboutReview(place: Place, review: TrustReview): Question {
  const part = offeredPart(place, review);
  const isPart = part.entries.length > 0;
  const left = accountedEntries(review).length - part.entries.length;
  const { store, token, entries: all } = isPart ? part : review;
  // Whoever says yes has to have seen all that takes force by it: of a shared store facts do too.
  const entries = all.filter(({ isFact }) => store.source !== undefined || !isFact);
  const facts = all.filter((entry) => !entries.includes(entry));
  const rules = describeEntries(entries);
  const whom = ofWhom(store);
  const whose = whom.replace(/^./, (first) => first.toUpperCase());
  const shown = linesOf(place, store, entries);
  const isShown = shown.length === entries.length && entries.every(({ flags }) => flags.length === 0);
  const namesOf = (some: readonly TrustEntry[]): string[] =>
    some.slice(0, MAX_NAMED).map(({ statement, name }) => quoted(statement || name, 80));
  const listOf = (named: readonly string[], { length }: readonly TrustEntry[]): string =>
    [...named, ...(length > named.length ? [`and ${length - named.length} more`] : [])].join("; ");
  const list = listOf(isShown ? shown : namesOf(entries), entries);
  const also = facts.length === 0 ? "" : `. With ${describeEntries(facts)}: ${listOf(namesOf(facts), facts)}`;
  const isNew = entries.every(({ change }) => change === "new");
  const [were, they] = entries.length === 1 ? ["was", "It is"] : ["were", "They are"];
  return {
    code: codeOfReview({ store, token }),
    kind: "trust",
    text: isPart
      ? `Use ${rules} of your own store, approved elsewhere? ${list}${left > 0 ? `. ${left} more: ${reviewCommand(store.kind)}` : ""}`
      : `Approve ${rules} of ${whom} on this machine? ${list}${also}`,
    choices: ["approve", "do not approve"],
    name: reviewCommand(store.kind),
    until: isNew
      ? `${whose} has ${rules} that ${were} not approved on this machine: ${list}. ${they} not in force.`
      : `${whose} has ${rules} that ${were} changed outside heed: ${list}. What changed is not in force.`,
    isQuiet: !isShown,
  };
}

export function ofWhom({ source, server, kind }: StoreRef): string {
  const title = source ? `the shared store ${source}` : server && `the team store ${server.audience}`;
  return shownLine(title ?? (kind === "user" ? "your own store" : "this repository"));
}

function entryLine(
  { change, name, statement, guards, text }: TrustEntry,
  metadata: MemoryMetadata | undefined,
): string {
  if (change === "removed") return `${quoted(name)} is gone`;
  const more = restOf({ statement, body: splitSource(text).body });
  const bounds = metadata ? [...boundsOf(metadata), ...listsOf(metadata, NO_LISTS)].join(", ") : "";
  return [
    `${change === "changed" ? "changed to " : ""}${quoted(statement, Infinity)}`,
    ...(bounds === "" ? [] : [`(${bounds})`]),
    ...(more === "" ? [] : [more]),
    ...guards.map((guard) => `(guard: ${shownLine(guard)})`),
  ].join(" ");
}

import { join } from "node:path";
import type { Question } from "../api/inbox.ts";
import type { TrustEntry, TrustReview } from "../api/setup-reports.ts";
import { claimedPlace, untilAnswered } from "../place/claims-question.ts";
import { type Collection, openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { accountedPart, reviewStore } from "../trust/approve-texts.ts";
import { isReviewed, unreviewedRules } from "../trust/rule-approvals.ts";
import { describeEntries } from "../trust/trust-entries.ts";
import { isQuarantinedFrom, reviewCommand } from "../trust/user-words.ts";
import { type InboxItem, codeOf, codeOfItem, waitingIn } from "../../curate/proposal-code.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { cutText, defuseLine } from "../../inject/delimit.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import { quotationsIn, withoutQuotations } from "../../memory/codec/sections.ts";
import type { MemoryMetadata, MemoryHeader } from "../../memory/memory.ts";
import { needsApproval, type TypeTable } from "../../memory/memory-type.ts";
import { STORE_WORDS } from "../../memory/handle.ts";
import { redactSecrets, redactValue } from "../../screening/find-secrets.ts";

/** A statement is 200 characters at most; what is longer was not written through the gates, and is not asked in a line. */
const MAX_STATEMENT_CHARS = 240;
const MAX_QUOTE_CHARS = 200;
/** So much of what a review would put into force is shown in a question; more has to be looked at in a terminal. */
const MAX_REVIEW_CHARS = 900;
/** So much of a procedure, which is asked whole: more than a rule has, and a dialog's room without its other words. */
const MAX_PROCEDURE_CHARS = 1300;
const MAX_ASKED = 100;
const MAX_NAMED = 3;

/** A text of somebody's on one line that can neither break out of it nor hide anything. */
export const oneLine = (text: string): string => defuseLine(redactSecrets(text));
/** In quotation marks that nothing within it can end. */
const quoted = (text: string, maxChars = MAX_STATEMENT_CHARS): string =>
  `"${cutText(oneLine(text).replaceAll('"', "'"), maxChars)}"`;
const shownGlob = (glob: string): string => (/^[^\s"]+$/.test(glob) ? oneLine(glob) : quoted(glob));

/**
 * All that the user can be asked here: what waits in the inbox for stores at hand, the newest first; rules that lay in a
 * store; a place that claims to be another one. What only another repository waits for is asked there.
 */
export async function openQuestions(place: Place, at?: Collection): Promise<Question[]> {
  const collection = at ?? (await openCollection(place));
  const here = place.here();
  const items = waitingIn(join(place.places.state, "inbox"), place.types)
    .slice(-MAX_ASKED)
    .filter(({ proposal }) => place.stores.some(({ id }) => id === proposal.store))
    .filter(({ memory: { scope } }) => scope.repo === undefined || here.isRepositoryHere(scope.repo))
    .reverse();
  const memories = new Map(
    items.some(({ proposal }) => proposal.target)
      ? collection.memories().map((metadata) => [metadata.id, metadata])
      : [],
  );
  return [
    ...items.map((item) => aboutItem(place, item, memories.get(item.proposal.target?.id ?? ""))),
    ...(await aboutStores(place, collection)),
    ...aboutPlace(place, collection),
  ];
}

function aboutItem(place: Place, item: InboxItem, target: MemoryMetadata | undefined): Question {
  const { memory, proposal } = item;
  const { types } = place;
  const store = place.stores.find(({ id }) => id === proposal.store)?.kind ?? "user";
  const [quote] = quotationsIn(memory.body);
  const { session } = proposal.by;
  const { detail = "", ...asked } = wordsOf(item, target, types);
  if (store !== "user") asked.text += ` (${STORE_WORDS[store]}, which others read)`;
  const guards = asked.kind === "guard" ? [] : guardsOf(memory.guard);
  const details = [
    ...(quote === undefined ? [] : [`You said: ${quoted(quote, MAX_QUOTE_CHARS)}`]),
    ...(detail === "" ? [] : [detail]),
    // Whoever says yes to it says yes to them.
    ...(guards.length === 0 || asked.kind === "remove" ? [] : [`It stops tool calls: ${guards.join("; ")}`]),
  ].join(" ");
  const policy = types.get(memory.type);
  const isInference = policy?.needs.includes("confirmation") === true && quote === undefined;
  const maxChars = needsApproval(policy) ? MAX_PROCEDURE_CHARS : MAX_REVIEW_CHARS;
  const isWhole = oneLine(memory.description).length <= MAX_STATEMENT_CHARS && asked.text.length <= maxChars;
  return {
    ...asked,
    text: cutText(asked.text, maxChars),
    code: codeOfItem(item),
    name: memory.name,
    ...(details !== "" && { detail: details }),
    ...(session !== undefined && { session }),
    ...(isEverywhere(memory, types) && { isEverywhere: true }),
    ...((isInference || !isWhole || isQuarantinedFrom({ kind: "model" }, memory)) && { isQuiet: true }),
  };
}

type Asked = Pick<Question, "kind" | "text" | "choices" | "detail">;

function wordsOf(
  { memory, proposal: { target, flags } }: InboxItem,
  current: MemoryMetadata | undefined,
  types: TypeTable,
): Asked {
  const kind = nounOf(memory.type, types);
  const isProcedure = needsApproval(types.get(memory.type));
  const body = withoutQuotations(memory.body);
  const statement = quoted(memory.description) + (isProcedure ? `. ${restOf({ ...memory, body })}` : "");
  const what = `the ${kind} heed:${oneLine(target?.name ?? memory.name)}`;
  if (flags.includes("isRemoval"))
    return { kind: "remove", text: `Remove ${what}: ${statement}`, choices: ["remove", "do not remove"] };
  if (flags.includes("isSuperseded"))
    return { kind: "remove", text: `Retire ${what}: ${statement}`, choices: ["retire", "do not retire"] };
  if (flags.includes("isGuard")) {
    const text = `Stop tool calls by ${what}: ${guardsOf(memory.guard).join("; ")}`;
    return { kind: "guard", text, detail: `The ${kind}: ${statement}`, choices: ["stop", "do not stop"] };
  }
  if (target === undefined) {
    const text = `Keep as a ${kind} ${reachOf(memory, types)}: ${statement}`;
    return { kind: "keep", text, choices: ["keep", "do not keep"] };
  }
  // What of its text changes is not told by its metadata: all of it is shown.
  const isReworded = isProcedure || current?.description !== memory.description;
  const to = [
    ...(isReworded ? [statement] : []),
    ...(current && current.type !== memory.type ? [`a ${kind}`] : []),
    ...(current && current.status !== memory.status && memory.status !== "provisional"
      ? [memory.status]
      : []),
    ...(current && current.expires !== memory.expires ? [untilOf(memory.expires)] : []),
    ...(current && JSON.stringify(current.scope) !== JSON.stringify(memory.scope)
      ? [reachOf(memory, types)]
      : []),
    ...(current ? listsOf(memory, current) : []),
  ];
  return {
    kind: "change",
    text: `Change ${what} to: ${to.join(", ") || `other details, ${statement}`}`,
    ...(current && isReworded && { detail: `It says now: ${quoted(current.description)}` }),
    choices: ["change", "do not change"],
  };
}

/** Which items of its lists a change takes out and puts in: a link can put another memory out of sight. */
function listsOf(memory: MemoryHeader, current: MemoryHeader): string[] {
  return (["links", "claims", "trigger", "aliases", "tags"] as const).flatMap((key) => {
    const [old = [], now = []] = [current, memory].map((one) =>
      one[key].map((item) => (typeof item === "string" ? item : `${item.rel} ${item.to}`)),
    );
    const gone = old.filter((item) => !now.includes(item)).map((item) => `without ${quoted(item, Infinity)}`);
    const added = now.filter((item) => !old.includes(item)).map((item) => `with ${quoted(item, Infinity)}`);
    return gone.length + added.length === 0 ? [] : [`${key} ${[...gone, ...added].join(", ")}`];
  });
}

function guardsOf(raw: unknown): string[] {
  return parseGuards(raw).guards.map(({ guard }) => oneLine(describeWholeGuard(guard)));
}

function nounOf(type: string, types: TypeTable): string {
  const policy = types.get(type);
  if (needsApproval(policy)) return oneLine(type);
  return policy?.injection === "always" ? "rule" : `memory (${oneLine(type)})`;
}

/** A memory without a scope belongs to the repository where it was given, unless its type reaches everywhere. */
function isEverywhere({ type, scope, origin }: MemoryHeader, types: TypeTable): boolean {
  return scope.repo === undefined && (origin.repo === undefined || types.get(type)?.reach === "everywhere");
}

function reachOf(memory: MemoryHeader, types: TypeTable): string {
  const { scope, expires } = memory;
  const { branch, worktree, paths } = scope;
  const where = isEverywhere(memory, types) ? "everywhere" : "in this repository";
  return [
    where,
    ...(worktree === undefined ? [] : [`in the worktree ${shownGlob(worktree)}`]),
    ...(branch === undefined ? [] : [`on branch ${shownGlob(branch)}`]),
    ...(paths.length === 0 ? [] : [`for ${paths.map(shownGlob).join(", ")}`]),
    ...(expires === undefined ? [] : [untilOf(expires)]),
  ].join(" ");
}

const untilOf = (expires: string | undefined): string =>
  expires === undefined ? "without an end" : `until ${expires.slice(0, 10)}`;

async function aboutStores(place: Place, collection: Collection): Promise<Question[]> {
  const rules = unreviewedRules(place, collection);
  const unapproved = new Set(rules.unapproved.map(({ store }) => store.id));
  const isOneGone = rules.missing.length > 0;
  const stores = collection.stores.filter(
    (store) => store.kind !== "attached" && (!isReviewed(store) || unapproved.has(store.id) || isOneGone),
  );
  const reviews = await Promise.all(stores.map((store) => reviewStore(place, store, false)));
  // What came to a repository's store and is told already needs no answer.
  const asked = reviews.filter(({ store, entries }) => entries.some(({ isFact }) => store.source || !isFact));
  return asked.map((review) => aboutReview(review));
}

/** A review, or the part of it that is asked about, by the code of the question. */
export function shownReview(review: TrustReview, code: string): TrustReview | undefined {
  return [review, accountedPart(review)].find((part) => codeOfReview(part) === code);
}

/** The code of a review: of all that it shows. */
function codeOfReview({ store, token }: Pick<TrustReview, "store" | "token">): string {
  return codeOf("trust", store.id, store.root, token);
}

function aboutReview(review: TrustReview, isPart = false): Question {
  const { store, token } = review;
  // Whoever says yes has to have seen all that takes force by it: of a shared store facts do too.
  const entries = review.entries.filter(({ isFact }) => store.source !== undefined || !isFact);
  const facts = review.entries.filter((entry) => !entries.includes(entry));
  const rules = describeEntries(entries);
  const { source, server, kind } = store;
  const title = source ? `the shared store ${source}` : server && `the team store ${server.audience}`;
  const ofWhom = oneLine(title ?? (kind === "user" ? "your own store" : "this repository"));
  const whose = ofWhom.replace(/^./, (first) => first.toUpperCase());
  // State that was lost, on a new machine: what heed itself wrote is offered alone, as far as there is room to show it.
  const part = accountedPart(review);
  if (!isPart && part.entries.length > 0) return aboutReview(part, true);
  const shown: string[] = [];
  let leftChars = MAX_REVIEW_CHARS + 2;
  for (const entry of entries) {
    const line = entryLine(redactValue(entry), isPart);
    if ((leftChars -= line.length + 2) < 0) break;
    shown.push(line);
  }
  const isShown = shown.length === entries.length && entries.every(({ flags }) => flags.length === 0);
  const namesOf = (some: readonly TrustEntry[]): string[] =>
    some.slice(0, MAX_NAMED).map(({ description, name }) => quoted(description || name, 80));
  const listOf = (named: readonly string[], { length }: readonly TrustEntry[]): string =>
    [...named, ...(length > named.length ? [`and ${length - named.length} more`] : [])].join("; ");
  const named = isPart ? shown : namesOf(entries);
  const list = listOf(isShown ? shown : named, entries);
  const also = facts.length === 0 ? "" : `. With ${describeEntries(facts)}: ${listOf(namesOf(facts), facts)}`;
  const isNew = entries.every(({ change }) => change === "new");
  const [were, they] = entries.length === 1 ? ["was", "It is"] : ["were", "They are"];
  return {
    code: codeOfReview({ store, token }),
    kind: "trust",
    text: isPart
      ? `Use ${rules} of your own store, approved elsewhere: ${list}`
      : `Approve ${rules} of ${ofWhom} on this machine: ${list}${also}`,
    choices: ["approve", "do not approve"],
    name: reviewCommand(store.kind),
    until: isNew
      ? `${whose} has ${rules} that ${were} not approved on this machine: ${list}. ${they} not in force.`
      : `${whose} has ${rules} that ${were} changed outside heed: ${list}. What changed is not in force.`,
    ...(!isShown && !isPart && { isQuiet: true }),
  };
}

/** All that one rule would put into force; `isShort`: its statement and its guards. */
function entryLine({ change, name, description, guards, text }: TrustEntry, isShort: boolean): string {
  if (change === "removed") return `${quoted(name)} is gone`;
  const more = restOf({ description, body: splitSource(text).body });
  return [
    `${change === "changed" ? "changed to " : ""}${quoted(description, Infinity)}`,
    ...(more === "" || isShort ? [] : [more]),
    ...guards.map((guard) => `(guard: ${oneLine(guard)})`),
  ].join(" ");
}

/** What a text says besides its statement, on one line. */
function restOf({ description, body }: { description: string; body: string }): string {
  const text = body.trim();
  const rest = oneLine(text.startsWith(description) ? text.slice(description.length) : text);
  return rest.replaceAll("**", "").replace(/^[.!]\s*|[.!]$/g, "");
}

function aboutPlace(place: Place, collection: Collection): Question[] {
  const claimed = claimedPlace(place, collection);
  if (!claimed) return [];
  const { root, claims, other, count } = claimed;
  return [
    {
      code: codeOf("place", root, ...claims),
      kind: "place",
      text: `Show the ${count} memories of ${oneLine(other)} here too: is ${oneLine(root)} the same project?`,
      choices: ["the same project", "another project"],
      name: "heed trust --same",
      until: oneLine(untilAnswered(claimed)),
    },
  ];
}

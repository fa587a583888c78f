import { weighQuote } from "../../curate/confirming-turn.ts";
import type { SpokenRule, WhatIsTaken } from "../../curate/withdrawing-turn.ts";
import { nameOfRemoval, withdraws, withdrawsLast } from "../../curate/withdrawing-turn.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { relationOf } from "../../recall/statement-relation.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import type { UserTurn } from "../records/session-state.ts";
import { heardTurns } from "../records/heard-turns.ts";
import { readSession } from "../records/session-state.ts";

/** So many of the last turns are looked at, as for a rule that is given. */
const HEARD_TURNS = 20;
/** What was kept so many turns ago may be meant by "forget that". */
const LAST_TURNS = 2;
/** Of two rules that say the same with so many common words one may go. */
const TWIN_LIKENESS = 0.75;

/**
 * Whether somebody may take a rule out of force: a person; heed itself, which has heard them; a model where the user has
 * said so in this session. They name the rule, say the contrary, point back at what was kept last ("forget that"), or say
 * yes to just that question. What stops tools takes the user's answer to the wish in any case.
 */
export function isTakenBack(
  place: Place,
  actor: Actor,
  card: MemoryCard,
  collection: Collection,
  what: WhatIsTaken = {},
): boolean {
  if (actor.kind !== "model") return true;
  if (card.guard !== undefined) return false;
  const { isHeard, turns } = heardTurns(place.places, actor);
  if (!isHeard) return true;
  const rules = collection.types.all().filter(({ injection }) => injection === "always");
  const others = collection
    .cards(rules.map(({ name }) => name))
    .filter((other) => other.id !== card.id && other.status !== "superseded");
  if (what.limit === undefined && others.some((other) => isTwin(other, card))) return true;
  const names = turns.slice(-HEARD_TURNS).some(({ text }) => {
    const fit = withdraws(text, card, what);
    return fit > 0 && others.every((other) => withdraws(text, other, what) <= fit);
  });
  const last = turns.at(-1);
  if (names || last === undefined) return names;
  return (
    isGranted(place, card, turns, actor) ||
    (what.limit === undefined && withdrawsLast(last.text) && isSpokenOfLast(card, collection, turns, actor))
  );
}

/** Nothing goes out of force with one of two rules that say the same. */
function isTwin(other: MemoryCard, { description, scope, expires }: MemoryCard): boolean {
  const { relation, likeness } = relationOf(other.description, description);
  return (
    relation === "same" &&
    likeness >= TWIN_LIKENESS &&
    JSON.stringify([other.scope, other.expires]) === JSON.stringify([scope, expires])
  );
}

/** The session kept or changed it last, in one of the last turns. */
function isSpokenOfLast(
  card: MemoryCard,
  collection: Collection,
  turns: readonly UserTurn[],
  { session }: Actor,
): boolean {
  const since = turns.at(-1 - LAST_TURNS)?.time ?? turns[0]?.time ?? "";
  const kept = collection
    .cards()
    .filter(
      ({ origin, type, created = "" }) =>
        session !== undefined &&
        origin.session === session &&
        collection.types.get(type)?.layer !== "episodic" &&
        created.slice(0, 19) >= since.slice(0, 19),
    )
    .sort((a, b) => (b.created ?? "").localeCompare(a.created ?? ""));
  return kept[0]?.id === card.id;
}

/** The agent asked whether it is to go, and the next turn grants it. */
function isGranted(
  { places }: Place,
  { name, description }: SpokenRule,
  turns: readonly UserTurn[],
  { session = "" }: Actor,
): boolean {
  const asked = readSession(places, session).asked.filter(({ names }) => names.includes(nameOfRemoval(name)));
  const askedAt = asked.map(({ time }) => time);
  const [at] = askedAt.slice(-1);
  const last = turns.at(-1);
  if (at === undefined || last === undefined) return false;
  const proposed = { name, description, body: "", at };
  return weighQuote(last.text, turns, proposed, { askedAt, isRemoval: true }).isGiven;
}

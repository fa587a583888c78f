import { reviewCommand } from "../trust/why-data.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import type { RuleGuard } from "../../guard/guard.ts";
import { GuardSet } from "../../guard/guard.ts";
import type { GuardsReading } from "../../guard/parse-guards.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { Situation } from "./situation.ts";
import { whyNotHere } from "./situation.ts";

/** A guard of a rule that is in force here. */
export interface GuardInForce extends RuleGuard {
  card: MemoryCard;
  /** Its place among the rule's guards. */
  index: number;
}

/** A memory with a guard, and whether the guard counts. */
export interface GuardedRule {
  card: MemoryCard;
  reading: GuardsReading;
  /** Why its guards do nothing here; undefined when they are in force. */
  whyInert: string | undefined;
}

/** So many rules' guards are kept as read; a store has some dozens. */
const MAX_KEPT = 500;
/** By content hash: reading a guard compiles its expressions and globs. */
const kept = new Map<string, GuardsReading>();

/** Every memory that carries a guard, and whether it is in force: a confirmed rule of a trusted store that holds here. */
export function guardedRules(situation: Situation): GuardedRule[] {
  return situation.collection
    .cardsWith("guard")
    .map((card) => ({ card, reading: readGuards(card), whyInert: whyInert(card, situation) }));
}

/** The guards in force, arranged for deciding; undefined when there are none. */
export function guardsInForce(situation: Situation): GuardSet<GuardInForce> | undefined {
  const guards = guardedRules(situation)
    .filter((rule) => rule.whyInert === undefined)
    .flatMap(({ card, reading }) => {
      const scope = card.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
      return reading.guards.map(({ guard, index }): GuardInForce => ({ card, guard, index, scope }));
    });
  return guards.length === 0 ? undefined : new GuardSet(guards);
}

function whyInert(card: MemoryCard, situation: Situation): string | undefined {
  const { collection } = situation;
  if (collection.types.get(card.type)?.injection !== "always") return `a ${card.type} memory is no rule`;
  const store = collection.storeOf(card);
  if (!store.isTrusted)
    return situation.unreviewed.get(memoryKey(card)) === "new"
      ? `it did not come through heed, and nobody has seen it: ${reviewCommand(store.kind)} shows it`
      : "its store is not approved on this machine";
  if (store.kind === "attached") return "its store belongs to another tool";
  if (card.status !== "confirmed")
    return `its status is ${card.status}, and only a confirmed rule stops anything`;
  return whyNotHere(card, situation);
}

function readGuards(card: MemoryCard): GuardsReading {
  const key = `${card.contentHash}:${card.id}`;
  const known = kept.get(key);
  if (known) return known;
  const reading = parseGuards(card.guard);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, reading);
  return reading;
}

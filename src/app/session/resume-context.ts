import { renderRuleChanges } from "../../inject/render-rule-changes.ts";
import { handleOf } from "../../memory/handle.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { EventOutcome } from "../records/event-outcome.ts";
import type { ToldMemory } from "../records/session-state.ts";
import { ruleDecisions } from "./rules-part.ts";
import { rulesHere } from "./rules-here.ts";
import type { Situation } from "./situation.ts";
import { toldAs } from "./situation.ts";

/** A session that goes on in a context which already holds the rules: only what changed since is told. */
export async function resumeContext(situation: Situation): Promise<EventOutcome> {
  const { session, collection } = situation;
  const found = await rulesHere(situation, true);
  const changed = found.rules.filter(
    ({ card }) => session.context.told.get(memoryKey(card))?.hash !== card.contentHash,
  );
  const inForce = new Set([...found.rules.map(({ card }) => card), ...found.pathRules].map(memoryKey));
  const gone = [...session.context.told.values()].filter(
    ({ key, form }) => form === "rule" && !inForce.has(key) && !collection.isCut,
  );
  const changes = renderRuleChanges(
    changed,
    gone.map((memory) => handleOf(memory)),
  );
  const told: ToldMemory[] = [
    ...changes.rules.map(({ card }) => toldAs(card, "rule")),
    ...gone.map((memory): ToldMemory => ({ ...memory, form: "none" })),
  ];
  if (changes.text === "") return { answer: {}, records: [], decisions: [], isCut: collection.isCut };
  return {
    answer: { context: changes.text },
    records: [
      {
        kind: "told",
        time: situation.place.now().toISOString(),
        isBlock: true,
        chars: changes.text.length,
        memories: told,
      },
    ],
    decisions: ruleDecisions(situation, changes.rules, changes.extents, found),
    isCut: collection.isCut,
  };
}

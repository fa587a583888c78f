import { claimsQuestion } from "../place/claims-question.ts";
import { reviewCommand } from "../trust/review-command.ts";
import { waitingMemories } from "../trust/user-words.ts";
import { countGone } from "../trust/rule-approvals.ts";
import type { Situation } from "./situation.ts";

/** What the user is told in a line when a session opens, once in a session; undefined for nothing. */
export function openingNotice(situation: Situation, pendingCount: number): string | undefined {
  if (situation.session.noticed.has("pending")) return undefined;
  const waiting = waitingMemories(
    situation.place.places,
    situation.collection,
    situation.collection.cards(),
  ).length;
  const lines = [
    pendingNotice(pendingCount + waiting),
    reviewNotice(situation),
    claimsQuestion(situation.place, situation.collection),
  ];
  return lines.flatMap((line) => line ?? []).join("; ") || undefined;
}

function pendingNotice(count: number): string | undefined {
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? "memory waits" : "memories wait"} for your word: heed inbox`;
}

/** One review for all that came past heed. */
function reviewNotice({ unreviewed, place, collection }: Situation): string | undefined {
  const count = unreviewed.size;
  const gone = countGone(place, collection);
  const parts = [
    ...(count === 0
      ? []
      : [
          `${count} ${count === 1 ? "rule was" : "rules were"} changed or laid into a store outside heed and ${count === 1 ? "waits" : "wait"} for your look`,
        ]),
    ...(gone === 0
      ? []
      : [`${gone} ${gone === 1 ? "rule" : "rules"} that you approved ${gone === 1 ? "is" : "are"} gone`]),
  ];
  if (parts.length === 0) return undefined;
  const kinds = [...unreviewed.keys()].flatMap(
    (key) => collection.stores.find(({ id }) => key.startsWith(`${id}:`))?.kind ?? [],
  );
  const commands = new Set(kinds.length === 0 ? ["heed trust"] : kinds.map(reviewCommand));
  return `${parts.join(", ")}: ${[...commands].join(" and ")}`;
}

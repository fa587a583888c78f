import { cutText } from "../../inject/cut-text.ts";
import { defuseLine } from "../../inject/fence.ts";
import type { WaitingItem } from "../records/waiting-items.ts";
import { waitingItems } from "../records/waiting-items.ts";
import { isHeldFrom } from "../trust/held-text.ts";
import type { OpeningPart } from "./opening-part.ts";
import type { Situation } from "./situation.ts";

/** What waits is put to the model so much at a time: more would be an interrogation. */
const MAX_ITEMS = 3;
const BUDGET_CHARS = 700;
const MAX_STATEMENT_CHARS = 140;
const MAX_QUOTE_CHARS = 60;

const HEAD =
  "These wait for the user's word and are not in force. At a pause ask about them, one short question each; on a yes memory_confirm with their words as quote, on a no memory_reject:";

/** What waits for the user's word and belongs here, once a session: the newest three, one line each. */
export const waitingPart: OpeningPart = async ({ situation, agent }) => {
  const { session, place, mode } = situation;
  if (agent !== undefined || mode === "rules" || session.noticed.has("waiting")) return undefined;
  const items = waitingItems(place.places, place.types).filter(
    ({ memory }) => isOfHere(memory.scope.repo, situation) && !isHeldFrom({ kind: "model" }, memory),
  );
  const lines = items.slice(-MAX_ITEMS).reverse().map(lineOf);
  if (lines.length === 0) return undefined;
  const time = place.now().toISOString();
  return {
    budgetChars: BUDGET_CHARS,
    reservedChars: Math.min(BUDGET_CHARS, HEAD.length + lines.join("\n").length + 1),
    render: ({ budgetChars }) => {
      const shown = [...lines];
      while (shown.length > 0 && [HEAD, ...shown].join("\n").length > budgetChars) shown.pop();
      return shown.length === 0
        ? undefined
        : {
            text: [HEAD, ...shown].join("\n"),
            told: { decisions: [], memories: [], records: [{ kind: "noticed", time, what: "waiting" }] },
          };
    },
  };
};

/** What another repository waits for is asked about there. */
function isOfHere(repo: string | undefined, { place }: Situation): boolean {
  return repo === undefined || repo === place.repository?.name;
}

function lineOf({ memory: { name, type, description }, quote, question, isRemoval }: WaitingItem): string {
  if (isRemoval)
    return `- whether this ${type} is to go, which holds until they say so: ${cutText(defuseLine(description), MAX_STATEMENT_CHARS)} [${defuseLine(name)}]`;
  const said =
    quote === undefined || quote.includes(description)
      ? ""
      : ` (they said: "${cutText(defuseLine(quote), MAX_QUOTE_CHARS)}")`;
  const asks = question === undefined ? "" : ` (${cutText(defuseLine(question), MAX_QUOTE_CHARS)})`;
  return `- ${type}: ${cutText(defuseLine(description), MAX_STATEMENT_CHARS)}${said}${asks} [${defuseLine(name)}]`;
}

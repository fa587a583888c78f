import { cutText } from "../../inject/cut-text.ts";
import { defuseLine } from "../../inject/fence.ts";
import { handleOf } from "../../memory/handle.ts";
import { linePart } from "./line-part.ts";
import type { OpeningPart } from "./opening-part.ts";
import { OPENING_MS, PromptVerdicts } from "./prompt-verdicts.ts";
import { whyNotHere } from "./situation.ts";

/** So many alarms are told when a context begins; `heed health` lists all. */
const MAX_ALARMS = 3;
const MAX_STATEMENT_CHARS = 120;
const MAX_EVIDENCE_CHARS = 160;

/** What must be so and is broken in the code: the first thing that a fresh context is told. */
export const alarmPart: OpeningPart = async ({ situation, agent }) => {
  const { collection, mode } = situation;
  if (mode === "rules" || agent !== undefined) return undefined;
  const verdicts = new PromptVerdicts(situation, OPENING_MS);
  const lines: string[] = [];
  for (const card of collection.cardsWith("claims")) {
    if (lines.length >= MAX_ALARMS) break;
    if (!collection.storeOf(card).isTrusted) continue;
    if (whyNotHere(card, situation) !== undefined) continue;
    const { isAlarm, words } = await verdicts.freshnessOf(card);
    if (!isAlarm) continue;
    const statement = cutText(defuseLine(card.description), MAX_STATEMENT_CHARS);
    lines.push(`- [${handleOf(card)}] ${statement} (${cutText(defuseLine(words), MAX_EVIDENCE_CHARS)})`);
  }
  verdicts.save();
  if (lines.length === 0) return undefined;
  return linePart(
    [
      "What must be so by a stored memory is broken in the code. Tell the user, before you build on it:",
      ...lines,
    ].join("\n"),
  );
};

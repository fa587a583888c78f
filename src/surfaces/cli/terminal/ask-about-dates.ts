import type { WriteResult } from "../../../heed.ts";
import type { Invocation } from "../arguments/command.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { answerWrite } from "./write-answer.ts";

/**
 * Tells what came of a write. Where nothing but a word such as "next friday" stands in its way, a person on a terminal is
 * asked whether it stays; scripts and models get the refusal.
 */
export async function answerAsking(
  attempt: (also: { keepsRelativeDates?: true }) => Promise<WriteResult>,
  { out, actor }: Pick<Invocation, "out" | "actor">,
): Promise<number> {
  const result = await attempt({});
  const [refusal, ...more] = result.outcome === "refused" ? result.refusals : [];
  const isAsked =
    refusal?.gate === "relative-dates" && more.length === 0 && actor.kind === "person" && !out.isJson;
  const isKept = isAsked && (await askYesNo(`${capitalised(refusal.reason)}. Keep it as it is?`));
  return answerWrite(isKept ? await attempt({ keepsRelativeDates: true }) : result, { out, actor });
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

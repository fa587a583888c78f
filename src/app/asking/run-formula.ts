import { cutText } from "../../inject/cut-text.ts";
import { defuseLine } from "../../inject/fence.ts";
import type { Actor } from "../../memory/actor.ts";
import type { Formula } from "../../memory/formula.ts";
import { LIMITS } from "../../memory/limits.ts";
import { redactSecrets } from "../../screening/find-secrets.ts";
import type { Answered } from "../api/inbox.ts";
import { allowCall, stoppedCalls } from "../guards/allow-call.ts";
import { findMemory } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { removeMemory } from "../writing/move-memory.ts";
import { writeMemory } from "../writing/write-memory.ts";
import { afterWrite, answerQuestion, isShared, whyNot } from "./answer-question.ts";
import { questionsHere } from "./questions-here.ts";

/** What a line that the user typed for heed came to: a line for them, and one for the model, which decides nothing. */
export interface FormulaAnswer {
  notice: string;
  context: string;
}

/** The type of what is kept without one: a rule. */
const RULE = "feedback";

/** Does what a formula says, as the person who typed it. Never rejects: whatever goes wrong is what they are told. */
export async function runFormula(
  place: Place,
  formula: Formula,
  { session, client }: { session: string; client: string },
): Promise<FormulaAnswer> {
  const actor: Actor = { kind: "person", door: "formula", session, client };
  const { announcement } = await doAs(place, formula, actor).catch(whyNot);
  const line = defuseLine(redactSecrets(announcement));
  return {
    notice: `heed: ${line}`,
    context: `The user's prompt is a command to heed, not to you, and heed has answered it: ${line.replace(/[.\s]*$/, ".")} Repeat that line to the user; there is nothing else to do about it.`,
  };
}

async function doAs(place: Place, formula: Formula, actor: Actor): Promise<Answered> {
  switch (formula.do) {
    case "keep": {
      const { text, type = RULE } = formula;
      const types = place.types.all().map(({ name }) => name);
      if (text.length > LIMITS.reasonChars)
        return {
          isDone: false,
          announcement: `Nothing was kept: the text has ${text.length} characters, ${LIMITS.reasonChars} at most.`,
        };
      if (!types.includes(type))
        return {
          isDone: false,
          announcement: `Nothing was kept: there is no type ${type}; there are ${types.join(", ")}.`,
        };
      const scope = place.repository === undefined ? ("everywhere" as const) : {};
      // They are the user's own words: what a statement has no room for is told beside it, as their whole sentence is.
      const description = cutText(text, LIMITS.descriptionChars);
      const draft = { type, description, quote: text, source: "instructed" as const, scope };
      return afterWrite(await writeMemory(place, draft, actor));
    }
    case "forget": {
      const { card } = await findMemory(place, formula.name);
      await removeMemory(place, formula.name, "heed forget, typed by the user", actor);
      const announcement = `Removed: ${card.description} [heed:${card.name}]. Bring it back: heed remove --restore ${card.name}`;
      return { isDone: true, announcement };
    }
    case "allow": {
      const { session = "" } = actor;
      const asked = (await questionsHere(place, session)).filter(({ code }) => code === formula.code);
      if (asked.length > 1)
        return { isDone: false, announcement: `Nothing was allowed: ${isShared(formula.code)}` };
      const announcement = allowCall(place, { session, code: formula.code, door: "formula" });
      if (announcement !== undefined) return { isDone: true, announcement };
      const stopped = stoppedCalls(place, session).map(({ code, text }) => `${code} (${text})`);
      return {
        isDone: false,
        announcement: `Nothing was allowed: no stopped call of this session has the code ${formula.code}${stopped.length === 0 ? "" : `; stopped were ${stopped.join("; ")}`}.`,
      };
    }
    default:
      return answerQuestion(place, formula.code, formula.do, actor);
  }
}

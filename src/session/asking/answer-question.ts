import { type Question, ofWhom, openQuestions, shownReview } from "../open-questions.ts";
import type { WriteResult } from "../../write/memory-of-draft.ts";
import { startingCalls } from "../program-starts.ts";
import { type StoppedCall, grantOf, stoppedIn } from "../decide-stopped-call.ts";
import { undoChange } from "../../write/undo-change.ts";
import { findMemory } from "../../here/reading/find-memory.ts";
import type { Place } from "../../here/place.ts";
import { noteQuestions } from "../../here/records/question-notes.ts";
import { readSession, recordSession } from "../../here/records/session-state.ts";
import { ASKS_ITSELF } from "../line-parts.ts";
import { approveReview, reviewStore } from "../../here/consent/review-store.ts";
import { requirePerson } from "../../write/write-consent.ts";
import { confirmMemory, describeItem, itemOf, rejectMemory } from "../../write/answer-inbox.ts";
import { announceRemoved } from "../../write/ask-user.ts";
import { removeMemory } from "../../write/move-memory.ts";
import { writeMemory } from "../../write/write-memory.ts";
import { HeedError } from "../../machine/heed-error.ts";
import { cutText, defuseLine, shownLine } from "../../memory/shown-text.ts";
import type { Actor } from "../../memory/memory.ts";
import type { Formula } from "../../memory/formula.ts";
import { handleOf } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import { redactSecrets } from "../../memory/screening/find-secrets.ts";

export interface Answered {
  /** False: nothing was changed; the announcement says why. */
  isDone: boolean;
  /** One line for the user. */
  announcement: string;
  /** What the model does now, where there is something to do. */
  next?: string;
}

/** Does what a person answered to a question. Its code is looked up again: what changed or was answered meanwhile has none. */
export async function answerQuestion(
  place: Place,
  code: string,
  answer: "yes" | "no",
  by: Actor,
  only?: Question["kind"],
): Promise<Answered> {
  requirePerson(by, "only a person answers heed's questions", "a person types the answer as a prompt");
  const questions = await questionsHere(place, by.session, true);
  const [question, ...others] = questions.filter((one) => one.code === code);
  if (others.length > 0)
    return undone(
      `more than one open question has the code ${code}; answer them by name in a terminal: heed inbox`,
    );
  if (!question || (only !== undefined && question.kind !== only))
    return undone(`no question has the code ${code} any more; heed inbox lists what is open`);
  if (by.door === "dialog") {
    const isAsked = readSession(place.places, by.session ?? "").boxed.some(({ codes }) =>
      codes.includes(code),
    );
    if (!isAsked) return undone("no dialog of this session asked this");
  }
  // Nobody agrees in a line to what a line cannot show.
  if (answer === "yes" && question.isQuiet === true && question.isLast !== true)
    return undone(
      `one line cannot show all of it: run ${question.kind === "trust" ? question.name : "heed inbox"} in a terminal`,
    );
  return (answer === "yes" ? sayYes : sayNo)(place, question, by).catch(whyNot);
}

async function sayYes(place: Place, question: Question, by: Actor): Promise<Answered> {
  const { code, kind, name } = question;
  switch (kind) {
    case "trust":
      return approve(place, code);
    case "allow": {
      const { session = "", door = "formula" } = by;
      const call = stoppedCalls(place, session).find((one) => one.code === code);
      if (!call) return undone("this call can no longer be allowed");
      const now = place.now();
      // Said twice before it is used is said once.
      if (grantOf(readSession(place.places, session), code, now) === undefined)
        recordSession(place.places, session, [{ kind: "allowed", time: now.toISOString(), code, door }]);
      return {
        ...done(`Allowed once, within an hour, although ${call.rule} forbids it: ${call.text}`),
        next: "The user allows that call once: make it again now, exactly as it was.",
      };
    }
    default:
      return afterWrite(await confirmMemory(place, name, { code }, by));
  }
}

async function sayNo(place: Place, question: Question, by: Actor): Promise<Answered> {
  const { code, kind, name } = question;
  switch (kind) {
    case "trust":
      noteQuestions(place.places, "declined", [code], place.now().toISOString());
      return done(`Not approved: these rules stay out of force. Look at them again: ${name}`);
    case "allow":
      return done("Not allowed: the call stays stopped.");
    default: {
      const what = describeItem(itemOf(place, name));
      await rejectMemory(place, name, `no (${by.door ?? "terminal"})`, by);
      return done(`Dropped: ${what}. Bring it back: heed inbox restore ${name}`);
    }
  }
}

async function approve(place: Place, code: string): Promise<Answered> {
  for (const store of place.stores.filter(({ kind }) => kind !== "attached")) {
    const shown = shownReview(place, await reviewStore(place, store), code);
    if (!shown) continue;
    await approveReview(place, store, shown.entries);
    return done(`Approved: ${shown.says} of ${ofWhom(store)}.`);
  }
  return undone("the rules changed meanwhile");
}

function afterWrite(result: WriteResult): Answered {
  switch (result.outcome) {
    case "refused":
      return undone(result.refusals.map(({ reason, remedy }) => `${reason} (${remedy})`).join("; "));
    case "pending":
      return undone(result.reason);
    default: {
      const near = (result.near ?? []).map(
        ({ name, statement, removed = handleOf({ name, statement }) }) => `"${statement}" (${removed})`,
      );
      return done(
        [result.announcement, ...(near.length === 0 ? [] : [`near it: ${near.join(", ")}`])].join("; "),
      );
    }
  }
}

/** What heed refuses is told to who answered; anything else is a fault. */
function whyNot(error: unknown): Answered {
  if (!(error instanceof HeedError)) throw error;
  return undone(error.message);
}

const done = (announcement: string): Answered => ({ isDone: true, announcement });
const undone = (why: string): Answered => ({ isDone: false, announcement: `Nothing was changed: ${why}` });

/** All that the user is asked here, the calls that guards stopped in a session included; `isEach`: as {@link openQuestions}. */
export async function questionsHere(place: Place, session?: string, isEach = false): Promise<Question[]> {
  const stopped = session === undefined ? [] : stoppedCalls(place, session);
  return [
    ...(await openQuestions(place, undefined, isEach)),
    ...stopped.map(({ code, rule, text }): Question => ({
      code,
      kind: "allow",
      text: `Let this call run once, although ${shownLine(rule)} forbids it? ${shownLine(text)}`,
      choices: ["allow once", "do not allow"],
      name: rule,
      session,
    })),
  ];
}

/** What guards stopped in a session within the last hour, or may have as its program started, the newest last. */
export function stoppedCalls(place: Place, session: string): StoppedCall[] {
  const stopped = stoppedIn(readSession(place.places, session), place.now());
  return [...(startingCalls(place.places, session)?.calls ?? []), ...stopped];
}

const OF_CALL =
  "this line was in a tool call of the model's, so it does not count as typed by you. If you want it, answer in heed's dialog, or in a terminal of your own: heed inbox, heed write, heed remove.";

/** What stood in a call is the model's: its rule waits for a dialog or the terminal, and nothing else is done. */
async function ofCall(place: Place, formula: Formula, by: Omit<Actor, "kind">): Promise<Answered> {
  if (formula.do === "keep" && (formula.type ?? RULE) === RULE)
    await doAs(place, formula, { ...by, kind: "model" });
  return undone(OF_CALL);
}

interface FormulaAnswer {
  notice: string;
  context: string;
}

const RULE = "feedback";

/** Does what a formula says, as the person who typed it. Never rejects: whatever goes wrong is what they are told. */
export async function runFormula(
  place: Place,
  formula: Formula,
  { session, client, isOfCall = false }: { session: string; client: string; isOfCall?: boolean },
): Promise<FormulaAnswer> {
  const by = { session, client };
  const answered = isOfCall
    ? ofCall(place, formula, by)
    : doAs(place, formula, { ...by, kind: "person", door: "formula" });
  const { announcement, next } = await answered.catch(whyNot);
  const line = defuseLine(redactSecrets(announcement));
  // One voice: what the client has shown, the model does not repeat.
  const repeat = ASKS_ITSELF.has(client) ? "The user has read it" : "Repeat that line to the user";
  return {
    notice: `heed: ${line}`,
    context: `The user's prompt is a command to heed, not to you, and heed has answered it: ${line.replace(/[.\s]*$/, ".")} ${next ?? `${repeat}; there is nothing else to do about it.`}`,
  };
}

async function doAs(place: Place, formula: Formula, actor: Actor): Promise<Answered> {
  switch (formula.do) {
    case "keep": {
      const { text, type = RULE } = formula;
      if (text.length > LIMITS.reasonChars)
        return undone(`the text has ${text.length} characters, ${LIMITS.reasonChars} at most`);
      const scope = place.repository === undefined ? ("everywhere" as const) : {};
      // They are the user's own words: what a statement has no room for is told instead.
      const statement = cutText(text, LIMITS.statementChars);
      const isUser = actor.kind === "person" && { quote: text, source: "instructed" as const };
      const draft = { type, statement, ...isUser, scope };
      return afterWrite(await writeMemory(place, draft, actor));
    }
    case "forget": {
      const { metadata } = await findMemory(place, formula.name);
      await removeMemory(place, formula.name, "heed forget, typed by the user", actor);
      return done(announceRemoved(metadata));
    }
    case "undo": {
      const handle = formula.name;
      const { files } = await undoChange(place, { handle, isApplied: false }, actor);
      // What would go is shown before, where that is more than one memory.
      if (files.length > 1) return undone(`it would take back ${files.join(", ")}; in a terminal: heed undo`);
      const { summary } = await undoChange(place, { handle }, actor);
      return done(`${summary}. Type heed undo again to take that back.`);
    }
    case "allow":
      return answerQuestion(place, formula.code, "yes", actor, "allow");
    default:
      return answerQuestion(place, formula.code, formula.do, actor);
  }
}

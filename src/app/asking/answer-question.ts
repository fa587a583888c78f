import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";
import type { Answered, Question } from "../api/inbox.ts";
import type { WriteResult } from "../api/written-memory.ts";
import { allowCall } from "../guards/allow-call.ts";
import type { Place } from "../place/place.ts";
import { announceLater } from "../records/announcements.ts";
import { noteQuestions } from "../records/question-notes.ts";
import { codeOfReview } from "../session/open-questions.ts";
import { answerPlace } from "../setup/answer-place.ts";
import { requirePerson } from "../setup/require-person.ts";
import { reviewTrust, trustStoreHere } from "../setup/trust-store.ts";
import { confirmMemory, rejectMemory } from "../writing/answer-inbox.ts";
import { boxesOf, questionsHere } from "./questions-here.ts";

/** So many of what waits are named to who gave a code of nothing. */
const MAX_NAMED = 3;

/**
 * Does what a person answered to the question of a code. The questions are looked up anew: a code belongs to exactly what
 * was shown, so what was changed or answered meanwhile has none, and nothing happens.
 */
export async function answerQuestion(
  place: Place,
  code: string,
  answer: "yes" | "no",
  by: Actor,
): Promise<Answered> {
  requirePerson(by, "a question of heed's is answered by the user", "the user types the answer as a prompt");
  const questions = await questionsHere(place, by.session);
  const [question, ...others] = questions.filter((one) => one.code === code);
  if (!question) return { isDone: false, announcement: unknownCode(code, questions) };
  // Nobody can tell which of them was meant.
  if (others.length > 0) return undone(isShared(code));
  if (by.door === "dialog") {
    const box = boxesOf(place, by.session ?? "").find(({ codes }) => codes.includes(code));
    if (!box) return undone("no dialog of this session asked this");
    if (box.isTrial) return afterTrial(place, by.client ?? "", `heed ${answer} ${code}`);
  }
  const answered = await (answer === "yes" ? sayYes : sayNo)(place, question, by).catch(whyNot);
  // The model of the session did not see the dialog.
  if (by.door === "dialog") {
    const forModel = `the user was asked by heed: ${answered.announcement}`;
    announceLater(place.places, { forModel, where: place.workRoot });
  }
  return answered;
}

/** A client that was not tried may answer by itself: its first answer shows only that its dialogs can be answered. */
function afterTrial(place: Place, client: string, formula: string): Answered {
  noteQuestions(place.places, "dialogs", [client], place.now().toISOString());
  const announcement = `Dialogs of this client count from now on. This first answer does not: type ${formula} once.`;
  return { isDone: false, announcement };
}

/** Why a code is not answered that more than one question has. */
export const isShared = (code: string): string =>
  `more than one open question has the code ${code}; answer them by name in a terminal: heed inbox`;

/** What waits, for whoever gave a code of nothing: it was answered or changed meanwhile, or mistyped. */
function unknownCode(code: string, questions: readonly Question[]): string {
  const open = questions.filter(({ isQuiet }) => isQuiet !== true);
  // The model reads this too: what lay in a store is not told to it before it was approved.
  const named = open.slice(0, MAX_NAMED).map((one) => `${one.code} (${one.until ? one.name : one.text})`);
  const more = open.length - named.length;
  const waits = named.length === 0 ? "nothing waits here" : `what waits: ${named.join("; ")}`;
  return `Nothing was changed: no question has the code ${code} any more, ${waits}${more > 0 ? `; ${more} more: heed inbox` : ""}.`;
}

async function sayYes(place: Place, question: Question, by: Actor): Promise<Answered> {
  const { code, kind, name } = question;
  switch (kind) {
    case "place":
      await answerPlace(place, "same");
      return done("The same project: its memories are shown here from now on.");
    case "trust":
      return approve(place, code);
    case "allow": {
      const { session = "", door = "formula" } = by;
      const announcement = allowCall(place, { session, code, door });
      return announcement === undefined ? undone("this call can no longer be allowed") : done(announcement);
    }
    default:
      return afterWrite(await confirmMemory(place, name, {}, by));
  }
}

async function sayNo(place: Place, question: Question, by: Actor): Promise<Answered> {
  const { code, kind, name } = question;
  switch (kind) {
    case "place":
      await answerPlace(place, "other");
      return done("Another project: nothing of the other folder is shown here.");
    case "trust":
      noteQuestions(place.places, "declined", [code], place.now().toISOString());
      return done(`Not approved: these rules stay out of force. Look at them again: ${name}`);
    case "allow":
      return done("Not allowed: the call stays stopped.");
    default:
      await rejectMemory(place, name, `no (${by.door ?? "terminal"})`, by);
      return done(`Dropped: ${question.text}. Bring it back: heed inbox restore ${name}`);
  }
}

/** Approves exactly the review that the code belongs to. */
async function approve(place: Place, code: string): Promise<Answered> {
  const kinds = (["project", "user"] as const).filter((kind) =>
    place.stores.some((store) => store.kind === kind),
  );
  for (const kind of kinds) {
    const review = await reviewTrust(place, kind);
    if (codeOfReview(review) !== code) continue;
    await trustStoreHere(place, review.token, kind);
    const count = review.entries.length;
    return done(
      `Approved: ${count === 1 ? "this rule is" : `these ${count} rules are`} in force on this machine.`,
    );
  }
  return undone("the rules changed meanwhile");
}

/** What came of a write, as the answer to who said yes. */
export function afterWrite(result: WriteResult): Answered {
  switch (result.outcome) {
    case "refused":
      return undone(result.refusals.map(({ reason, remedy }) => `${reason} (${remedy})`).join("; "));
    case "pending":
      return undone(result.reason);
    default:
      return done(result.announcement);
  }
}

/** What heed refuses is told to who answered; anything else is a fault. */
export function whyNot(error: unknown): Answered {
  if (!(error instanceof HeedError)) throw error;
  return undone(error.message);
}

const done = (announcement: string): Answered => ({ isDone: true, announcement });
const undone = (why: string): Answered => ({ isDone: false, announcement: `Nothing was changed: ${why}` });

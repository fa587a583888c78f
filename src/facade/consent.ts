import type { Answered, Box, DialogRequest, Question } from "../here/api/inbox.ts";
import { anyText, oneOf, text, shape, type Methods } from "../here/api/schema.ts";
import type { Actor } from "../memory/memory.ts";
import { optionalFlag, optionalText, actor, texts } from "./arguments.ts";
import { method } from "../here/call.ts";

/** What the user can be asked here: by a dialog of their client, or by a code that they type as a prompt. */
export interface ConsentApi {
  /**
   * Lists what needs the user's answer here: what a model proposed, rules that lay in a store, a place that claims to
   * be another one.
   *
   * @example
   * const questions = await heed.consent.questions();
   * questions.map(({ kind }) => kind); // → ["keep"]
   */
  questions(): Promise<Question[]>;
  /**
   * Does what a person answered to the question with this code, if it still says what they were shown: a proposal counts or
   * is dropped, rules are approved, a place is the same or another, a stopped call may pass once.
   *
   * @param actor - A person, and the door by which they came.
   * @throws HeedError `invalid-input`; `gate-refused` for anybody but a person.
   * @example
   * const [question] = await heed.consent.questions();
   * const { isDone } = await heed.consent.answer(question?.code ?? "", "yes", person);
   * isDone; // → true
   */
  answer(code: string, answer: "yes" | "no", actor: Actor): Promise<Answered>;
  /**
   * What a dialog may ask in a session now, which counts from here against the three that a session has; undefined for
   * nothing, and where no dialog may be shown: nobody typed in the last two minutes, a subagent asks, the client is none
   * that is known to ask people, or settings answer in their place.
   *
   * @throws HeedError `invalid-input`.
   * @example
   * const dialog = await heed.consent.nextDialog({ session: "s1", client: "test" });
   * dialog; // → undefined
   */
  nextDialog(about: DialogRequest): Promise<Box | undefined>;
}

const answer = oneOf("yes", "no");
const client = { session: anyText, agent: optionalText, client: anyText, version: optionalText };

const answerQuestion = () => import("../session/asking/answer-question.ts");
const loadNextDialog = () => import("../session/asking/next-dialog.ts");

/** @internal */
export const CONSENT: Methods<ConsentApi> = {
  questions: method({}, answerQuestion, "questionsHere"),
  answer: method({ code: text(), answer, actor }, answerQuestion, "answerQuestion"),
  nextDialog: method(
    {
      about: shape<DialogRequest>({
        ...client,
        call: optionalText,
        settings: texts,
        isPreview: optionalFlag,
      }),
    },
    loadNextDialog,
    "nextDialog",
  ),
};

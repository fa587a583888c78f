import type { DialogRequest } from "../session/asking/next-dialog.ts";
import { anyText, oneOf, text, shape } from "../here/schema.ts";
import type { Actor } from "../memory/memory.ts";
import { optionalFlag, optionalText, actor, texts } from "./arguments.ts";
import { method } from "../here/call.ts";

const answer = oneOf("yes", "no");
const client = { session: anyText, agent: optionalText, client: anyText, version: optionalText };

const answerQuestion = () => import("../session/asking/answer-question.ts");

export const CONSENT = {
  /** Lists what needs the user's answer here: what a model proposed, and rules that lay in a store. */
  questions: method({}, async (place) => (await answerQuestion()).questionsHere(place)),
  /**
   * Does what a person answered to the question with this code, if it still says what they were shown: a proposal counts or
   * is dropped, rules are approved, a stopped call may pass once.
   *
   * @param actor - A person, and the door by which they came.
   * @throws HeedError `invalid-input`; `gate-refused` for anybody but a person.
   */
  answer: method(
    { code: text(), answer, actor },
    async (place, code: string, answer: "yes" | "no", actor: Actor) =>
      (await answerQuestion()).answerQuestion(place, code, answer, actor),
  ),
  /**
   * The questions that a dialog may show now; each counts toward the limit of three per session. Undefined for
   * nothing, and where no dialog may be shown: nobody typed in the last two minutes, a subagent asks, the client is none
   * that is known to ask people, or settings answer in their place.
   *
   * @throws HeedError `invalid-input`.
   */
  nextDialog: method(
    {
      about: shape<DialogRequest>({
        ...client,
        call: optionalText,
        settings: texts,
        isPreview: optionalFlag,
      }),
    },
    () => import("../session/asking/next-dialog.ts"),
    "nextDialog",
  ),
};

import type { Actor } from "../../memory/actor.ts";

/** What the user can be asked here: by a dialog of their client, or by a code that they type as a prompt. */
export interface ConsentApi {
  /**
   * Lists what waits for the user's answer here: what a model proposed, rules that lay in a store, a place that claims to
   * be another one.
   *
   * @throws HeedError The codes that every method can come with (see `Heed`).
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
   * const box = await heed.consent.nextBox({ session: "s1", client: "test" });
   * box; // → undefined
   */
  nextBox(about: BoxRequest): Promise<Box | undefined>;
}

/** Something that only the user decides. */
export interface Question {
  /** Belongs to exactly this question: the user types `heed yes CODE` or `heed no CODE`. */
  code: string;
  /** `place`: is this the same project as another folder? `allow`: may a stopped call pass once? */
  kind: "keep" | "change" | "remove" | "guard" | "trust" | "place" | "allow";
  /** One line, what would be done first. */
  text: string;
  /** A further line: what the user said, what it says now. */
  detail?: string;
  /** The words of the choice: yes, no. */
  choices: readonly [yes: string, no: string];
  /** Its name in the inbox, or of what it is about. */
  name: string;
  /** The session in which it was proposed. */
  session?: string;
  /** It would hold in every repository. */
  isEverywhere?: true;
  /** Of a store or place: what holds until it is answered, as a sentence. */
  until?: string;
  /** It is not put to anybody unasked: an inference about the user, a text held back, more than a line can show. */
  isQuiet?: true;
}

/** What came of an answer. */
export interface Answered {
  /** False: nothing was changed; the announcement says why. */
  isDone: boolean;
  /** One line for the user. */
  announcement: string;
}

/** Where a dialog would be shown. */
export interface BoxRequest {
  session: string;
  /** The subagent that the call belongs to: it has no user. */
  agent?: string | undefined;
  /** The client, as it names itself, and its version. */
  client: string;
  version?: string | undefined;
  /** What the client's command line names beside its own settings: files, folders of plugins, or JSON. */
  settings?: readonly string[] | undefined;
  /** The code of a stopped call: it alone is asked about. Default: what waits here. */
  call?: string | undefined;
}

/** A dialog: at most three questions. */
export interface Box {
  /** All questions in words, for the head of the dialog. */
  message: string;
  questions: Question[];
}

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

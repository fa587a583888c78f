/** A person's approval of a pending memory. */
export interface Confirmation {
  /** What they put right before it counts. What is absent stays as it was proposed. */
  edited?: EditedProposal;
  /** The `code` of the item as it was shown: one that was replaced since is not approved. */
  code?: string | undefined;
}

/** What a person puts right in a proposal. */
export interface EditedProposal {
  type?: string;
  description?: string;
  body?: string;
}

/** An item of the inbox. */
export interface PendingItem {
  name: string;
  description: string;
  type: string;
  body: string;
  /** Why it waits: a statement about the user, an edit from two sides, an attached or imported memory. */
  reason: string;
  proposedAt: string;
  /** The user's words on which it rests. */
  quote?: string | undefined;
  /** The repository that it is for; absent: everywhere, or that of the store at hand. */
  repo?: string | undefined;
  /** The memory that it would change, and the diff. */
  target?: string | undefined;
  diff?: string | undefined;
  /** It asks for a yes or no alone, as about a removal: there is no text to put right. */
  isFixed?: boolean | undefined;
  /** What the guard that comes with it stops, in words: in force with the user's yes. */
  guard?: string | undefined;
  /** Where and how long it would count, and its links, claims and other lists, in words; a diff has them itself. */
  bounds?: string | undefined;
  /** Belongs to exactly this text. */
  code: string;
}

/** Something that only the user decides. */
export interface Question {
  /** Belongs to exactly this question: the user types `heed yes CODE` or `heed no CODE`. */
  code: string;
  /** `allow`: may a stopped call pass once? */
  kind: "keep" | "change" | "remove" | "guard" | "trust" | "allow";
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
  /** ISO time at which it was proposed; a store's review has none. */
  since?: string;
  /** It would hold in every repository. */
  isEverywhere?: true;
  /** Of a store: what holds until it is answered, as a sentence. */
  until?: string;
  /** A claim about the user that they did not make: a dialog alone asks it, last, and it lapses after 14 days. */
  isLast?: true;
  /** It is not put to anybody unasked: an inference about the user, a quarantined text, more than a line can show. */
  isQuiet?: true;
}

/** Result of an answer. */
export interface Answered {
  /** False: nothing was changed; the announcement says why. */
  isDone: boolean;
  /** One line for the user. */
  announcement: string;
  /** What the model does now, where there is something to do. */
  next?: string;
}

/** Where a dialog would be shown. */
export interface DialogRequest {
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
  /** It asks nothing yet, and counts against nothing. */
  isPreview?: boolean | undefined;
}

/** A dialog: at most three questions. */
export interface Box {
  /** All questions in words, for the head of the dialog. */
  message: string;
  questions: Question[];
}

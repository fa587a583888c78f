/** What a model's call would do to what only the user decides. */
export interface OwnDecision {
  action: "deny" | "ask";
  reason: string;
}

/** What a model is to do about what only the user decides. */
export const ASK_USER: string =
  "Only the user may decide that: ask them to run it in a terminal of their own.";

/** A program that may write one of heed's folders, as far as anybody can tell. */
export function unsureOf(path: string, program: string): OwnDecision {
  return {
    action: "ask",
    reason: `heed cannot tell whether ${program} writes ${path}, where heed keeps its records and memories. ${ASK_USER}`,
  };
}

/** A call that cannot be looked at to its end. */
export function undecided(why: string): OwnDecision {
  return {
    action: "ask",
    reason: `heed cannot tell whether this writes what it keeps of the user's word: ${why}. ${ASK_USER}`,
  };
}

/** A write to what heed alone writes. */
export function denied(path: string): OwnDecision {
  return {
    action: "deny",
    reason: `${path} belongs to heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`,
  };
}

/** A write to where memories lie. */
export function asked(what: string): OwnDecision {
  return {
    action: "ask",
    reason: `this writes ${what} and passes heed by, which checks what becomes a memory. Use memory_write or memory_update; anything else there needs the user's word.`,
  };
}

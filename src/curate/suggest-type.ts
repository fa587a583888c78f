import { hasPointer } from "../memory/codec/type-needs.ts";
import { isAboutUser, peopleIn, THE_USER } from "../memory/about-user.ts";

/** A type, and why it fits. */
export interface SuggestedType {
  type: "reference" | "feedback" | "solution" | "user" | "project";
  why: string;
}

/** Words that order or forbid, at the beginning of a statement or as its verb, in four languages. */
const RULE =
  /^(?:please )?(?:never|always|don['’]?t|do not|use|prefer|avoid|stop|keep|run|write|ask|make sure|from now on|nie|niemals|immer|bitte|jamais|toujours|ne |nunca|siempre|no )\b|(?<!\p{L})(?:must|should|have to|has to|müssen|muss|soll|doit|il faut|debe|hay que)(?!\p{L})/iu;
/** What points rather than tells: an address, or that something is kept somewhere. */
const PLACE =
  /:\/\/|(?<!\p{L})(?:lives? (?:in|at|on)|is (?:kept |found )?(?:at|in the|under)|are (?:kept |found )?(?:in|at|under)|holds the)(?!\p{L})/iu;
const STRUGGLE =
  /\*\*Symptom|(?<!\p{L})(?:error|fails?|failed|crash(?:es)?)(?!\p{L})[^\n]*(?<!\p{L})(?:fixed|works?|solved|instead|helped)(?!\p{L})/iu;
/** Anybody at all: a pronoun, a word for a person, or "who". */
const PERSON =
  /(?<!\p{L})(?:i|i['’]m|me|my|we|they|their|he|she|his|her|user|users|the human|who|prefers?|likes?|knows?|speaks?|works?|expert|beginner|engineer|developer|experience|years|learn(?:s|ing)?|new to|familiar|timezone|time zone|language|editor|wants?|hates?|dislikes?|lives?)(?!\p{L})/iu;

/** Where a text belongs, by the first match of: where something is, how to work, the person, the work. */
export function suggestType({ description, body }: { description: string; body: string }): SuggestedType {
  const text = `${description}\n${body}`;
  if (STRUGGLE.test(text))
    return { type: "solution", why: "it tells of something that failed and what worked" };
  if (RULE.test(description)) return { type: "feedback", why: "it says how to work" };
  if (PLACE.test(description) && hasPointer(text))
    return { type: "reference", why: "it says where something is" };
  if (isAboutUser(text)) return { type: "user", why: "it is a lasting fact about the person" };
  return { type: "project", why: "it is a lasting fact about the work" };
}

/** An order that stands for always, at the beginning of a statement. */
const STANDING =
  /^(?:please )?(?:never|always|don['’]t|do not|from now on,?|stop(?= \p{L}+ing )|nie|niemals|immer|(?:ne )?jamais|toujours|nunca|siempre)\s+(?:(?:ever|again|to|ne|se)\s+)*\p{Ll}/iu;
/** It says where something is, and nothing else: "the board: https://…", "runbooks live at https://…". */
const ONLY_PLACE =
  /^[^.!?]{3,80}?(?::| (?:is|are|lives?|live) (?:at|in|on|under|here:?)) <?[a-z][a-z0-9+.-]*:\/\/\S+>?[.)]?$/iu;

/**
 * The type that a text speaks for against the one it is given; undefined where that fits or nobody can tell. Only what is
 * plain by the statement's first words or its whole form: whoever gave the type is right far more often.
 */
export function contradictedType(
  type: string,
  { description, body }: { description: string; body: string },
): SuggestedType | undefined {
  const statement = description.trim();
  if (
    (type === "project" ||
      type === "user" ||
      (type === "reference" && !hasPointer(`${statement}\n${body}`))) &&
    STANDING.test(statement)
  )
    return {
      type: "feedback",
      why: "it says how to work, always: as a rule it is in force in every session",
    };
  if (
    (type === "project" || type === "feedback") &&
    ONLY_PLACE.test(statement) &&
    !RULE.test(body.replace(statement, ""))
  )
    return { type: "reference", why: "it says where something is, and nothing else" };
  if ((type === "project" || type === "reference") && peopleIn(statement).includes(THE_USER))
    return { type: "user", why: "it is a lasting fact about the person" };
  return undefined;
}

/** Whether a text names a person in any way: without, it is no statement about the user. */
export function namesPerson({ description, body }: { description: string; body: string }): boolean {
  return PERSON.test(`${description}\n${body}`) || isAboutUser(`${description}\n${body}`);
}

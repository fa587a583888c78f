/** That it is an exception. */
const ONCE =
  /(?<!\p{L})(?:(?:(?:just|only|for|but) )?this (?:once|one time|time(?: only)?|one)|just (?:once|this time)|only (?:once|this time)|(?:for|just|only) (?:this|the) session|in this session|one[- ]time|(?:(?:as|make) )?an exception|(?:nur |bloß )?dieses (?:eine )?mal|nur (?:dies|ein)mal|diesmal|ausnahmsweise|(?:eine|als) ausnahme|(?:juste |seulement )?cette fois(?:-ci)?|une exception|exceptionnellement|(?:sólo |solo )?(?:por )?esta vez|una excepción|excepcionalmente)(?!\p{L})/giu;
/** It holds under a condition that heed cannot look at. */
const CONDITION =
  /(?<!\p{L})(?:if|unless|until|whenever|once (?:it|the|you|we|they|that)|as soon as|after|wenn|falls|sobald|nachdem|sofern|quand|lorsque|dès|si (?:le|la|les|ça|tu|el|los|las|no)|cuando)(?!\p{L})/iu;

/** Words that leave open what follows, or make it somebody else's: reported speech, a doubt, a question whether to. */
const LEAVES_OPEN =
  /(?<!\p{L})(?:(?:told|tells?|said|says?|asks|asked|suggest(?:s|ed)?|claim(?:s|ed)?|thinks?) (?:me|us|him|her|them|you|that|to)|i (?:doubt|wonder|wish|guess)|not sure|unsure|if only|maybe|perhaps|(?:i|we|they) (?:could|might)|used to|(?:should|shall) (?:i|we|it|they|this|that))(?!\p{L})/iu;

/** Whether something is said for this once, or this session, alone. */
export function isOnce(text: string): boolean {
  return withoutOnce(text) !== text;
}

/** A text without what says that it is for this once. */
export function withoutOnce(text: string): string {
  return text.replace(ONCE, " ");
}

/** Whether something is said under a condition. */
export function isOnCondition(text: string): boolean {
  return CONDITION.test(text);
}

/** Whether words tell what somebody else said, or doubt it. */
export function leavesOpen(text: string): boolean {
  return LEAVES_OPEN.test(text);
}

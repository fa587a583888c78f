/** The person whom heed works for, as memories call them; "users" of the product are somebody else. */
const PERSON = String.raw`(?<!\b(?:when|whenever|if|while|once|until|unless|where|after|before) )(?:the user|this user|our user|(?<!\w )user|the human|my user|the developer i work with|der (?:be)?nutzer|die (?:be)?nutzerin|der anwender|l['’]utilisat(?:eur|rice)|el usuario|la usuaria)`;
const KIND = String.raw`(?:\w+ )?(?:senior|junior|expert|beginner|novice|new to|experienced|familiar|fluent|unfamiliar|comfortable|uncomfortable|interested|colou?r-?blind|deaf|blind|developer|engineer|designer|manager|lead|founder|student|researcher|scientist|teacher|freelancer|writer|programmer|architect|admin|native|left-handed|based in|from|working (?:at|as|in)|located)`;
const TRAIT = String.raw`(?:prefers?|likes?|loves?|hates?|dislikes?|values?|knows?|speaks?|enjoys?|(?:is|isn['’]t) (?:not |no |very |really |quite |rather |so )*(?:a |an |the )?${KIND}|(?:is|isn['’]t) (?:not |very |really |quite |rather |so )*(?:bad|good|weak|strong|great|impatient|sensitive|allergic|confident|strict|picky) (?:at|in|with|about|to)|has (?:\w+ ){0,3}(?:years?|experience|background|degree|children|kids|family|disability|adhd|dyslexia)|works? (?:at|as|for|in|from)|lives? in|comes from|(?:was|were) born|studied|graduated|(?:does(?:n['’]t| not)|never) (?:like|want|know|understand|enjoy|care)s?|bevorzugt|mag|liebt|hasst|kennt|spricht|(?:arbeitet|wohnt|lebt) (?:bei|als|in)|kann (?:kein|gut|nicht)|ist (?:sehr |nicht |kein[e]? )*(?:gut|schlecht|neu|erfahren|anfänger|entwickler|designer)(?:in)?|préfère|n?['’ ]?aime|déteste|connaît|parle|(?:travaille|habite|vit) (?:chez|comme|à|en)|prefiere|le gusta|odia|conoce|habla|(?:trabaja|vive) (?:en|como|para))`;
const POSSESSED = String.raw`['’]s (?:preferred|favou?rite|job|role|employer|name|age|timezone|time zone|editor|background|expertise|experience|skill|health|family)`;
const OFTEN = String.raw`(?:\w+ly |strongly |always |usually |often |sehr |meist |immer )?`;

/** Whom a text says something personal of, where it is the user without a name. */
export const THE_USER = "the user";
const ABOUT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${PERSON}(?:${POSSESSED}|\s+${OFTEN}${TRAIT})(?!\p{L})`,
  "iu",
);
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.-])(\p{Lu}[\p{L}'’-]{2,30}(?: \p{Lu}[\p{L}'’-]{1,30}){0,2}?)(?:${POSSESSED}|\s+${OFTEN}${TRAIT})(?!\p{L})`,
  "gu",
);

const MAX_CHARS = 20_000;
/** So many names of one text are kept. */
const MAX_NAMES = 20;
/** A name of fewer letters is also a word. */
const MIN_NAME_CHARS = 3;

/**
 * Whom a text says something of as a person: a preference, a role, expertise, circumstances. By their names as they stand
 * there, or `THE_USER`. What a card keeps of a text, so that nobody has to read it again to know whom it is about.
 */
export function peopleIn(text: string): string[] {
  const beginning = text.slice(0, MAX_CHARS);
  const people = new Set(ABOUT.test(beginning) ? [THE_USER] : []);
  for (const [, name = ""] of beginning.matchAll(NAMED)) if (people.size < MAX_NAMES) people.add(name);
  return [...people];
}

/** Whether one of these is the user, who may be called by the whole name or by the first. */
export function isUserAmong(people: readonly string[], names: readonly string[] = []): boolean {
  const called = callNames(names);
  // "Yesterday Mara likes": what stands before a name is not always a part of it; "Mara Jade" is somebody else.
  return people.some(
    (person) => person === THE_USER || called.some((name) => person === name || person.endsWith(` ${name}`)),
  );
}

/** Whether a text says something about the user as a person. What is said of somebody else is told from it. */
export function isAboutUser(text: string, names: readonly string[] = []): boolean {
  return isUserAmong(peopleIn(text), names);
}

/** How somebody is called: by the whole name, and by the first. */
function callNames(names: readonly string[]): string[] {
  const called = names.flatMap((name) => [name.trim(), name.trim().split(/\s+/)[0] ?? ""]);
  return [...new Set(called)].filter((name) => name.length >= MIN_NAME_CHARS && /^\p{Lu}/u.test(name));
}

/** No names, though sentences begin with them. */
const NO_NAME =
  /^(?:The|This|Our|My|User|Prefers?|Likes?|Works?|Is|Has|Uses?|Always|Never|Speaks|Knows|Wants|Lives)\b/;

/** The names that memories about the user call them by: "Mara is the backend lead". */
export function namesInStatements(descriptions: readonly string[]): string[] {
  return descriptions.flatMap((text) => {
    const [name] = peopleIn(text).filter((person) => text.startsWith(person) && !NO_NAME.test(person));
    return name === undefined ? [] : [name];
  });
}

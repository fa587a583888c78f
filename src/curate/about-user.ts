/** The person whom heed works for, as memories call them; "users" of the product are somebody else. */
const PERSON = String.raw`(?<!\b(?:when|whenever|if|while|once|until|unless|where|after|before) )(?:the user|this user|our user|(?<!\w )user|the human|my user|the developer i work with)`;
const KIND = String.raw`(?:\w+ )?(?:senior|junior|expert|beginner|novice|new to|experienced|familiar|fluent|unfamiliar|comfortable|uncomfortable|interested|colou?r-?blind|deaf|blind|developer|engineer|designer|manager|lead|founder|student|researcher|scientist|teacher|freelancer|writer|programmer|architect|admin|native|left-handed|based in|from|working (?:at|as|in)|located)`;
const TRAIT = String.raw`(?:prefers?|likes?|loves?|hates?|dislikes?|values?|knows?|speaks?|enjoys?|(?:is|isn['’]t) (?:not |no |very |really |quite |rather |so )*(?:a |an |the )?${KIND}|(?:is|isn['’]t) (?:not |very |really |quite |rather |so )*(?:bad|good|weak|strong|great|impatient|sensitive|allergic|confident|strict|picky) (?:at|in|with|about|to)|has (?:\w+ ){0,3}(?:years?|experience|background|degree|children|kids|family|disability|adhd|dyslexia)|works? (?:at|as|for|in|from)|lives? in|comes from|(?:was|were) born|studied|graduated|(?:does(?:n['’]t| not)|never) (?:like|want|know|understand|enjoy|care)s?)`;

const aboutOf = (person: string): RegExp =>
  new RegExp(
    String.raw`\b${person}(?:['’]s (?:preferred|favou?rite|job|role|employer|name|age|timezone|time zone|editor|background|expertise|experience|skill|health|family)|\s+(?:\w+ly |strongly |always |usually |often )?${TRAIT})\b`,
    "i",
  );
const ABOUT = aboutOf(PERSON);

const MAX_CHARS = 20_000;
/** A name of fewer letters is also a word. */
const MIN_NAME_CHARS = 3;

/**
 * Whether a text says something about the user as a person: a preference, a role, expertise, circumstances. They may be
 * called the user, or by one of their names; what is said of somebody else is told from it.
 */
export function isAboutUser(text: string, names: readonly string[] = []): boolean {
  const beginning = text.slice(0, MAX_CHARS);
  if (ABOUT.test(beginning)) return true;
  return callNames(names).some(
    (name) =>
      beginning.includes(name) && aboutOf(escaped(name)).test(beginning) && isSubject(beginning, name),
  );
}

/** How somebody is called: by the whole name, and by the first. */
function callNames(names: readonly string[]): string[] {
  const called = names.flatMap((name) => [name.trim(), name.trim().split(/\s+/)[0] ?? ""]);
  return [...new Set(called)].filter((name) => name.length >= MIN_NAME_CHARS && /^\p{Lu}/u.test(name));
}

/** A name that another one goes on from (`Mara Jade`, while the user is Mara Lind) is somebody else's. */
function isSubject(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])${escaped(name)}(?!\s+\p{Lu}|[\p{L}\p{N}_-])`, "u").test(
    text,
  );
}

/** The names that memories about the user call them by: "Mara is the backend lead". */
export function namesInStatements(descriptions: readonly string[]): string[] {
  return descriptions.flatMap((text) => {
    const name = /^(\p{Lu}\p{L}{2,30}(?:\s\p{Lu}\p{L}{1,30}){0,2})\b/u.exec(text)?.[1];
    return name !== undefined &&
      !/^(?:The|This|Our|My|User|Prefers?|Likes?|Works?|Is|Has|Uses?|Always|Never|Speaks|Knows|Wants|Lives)\b/.test(
        name,
      ) &&
      aboutOf(escaped(name)).test(text)
      ? [name]
      : [];
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

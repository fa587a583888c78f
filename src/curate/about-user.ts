/** The person whom heed works for, as memories call them; "users" of the product are somebody else. */
const PERSON = String.raw`(?<!\b(?:when|whenever|if|while|once|until|unless|where|after|before) )(?:the user|this user|our user|(?<!\w )user|the human|my user|the developer i work with)`;
const TRAIT = String.raw`(?:prefers?|likes?|loves?|hates?|dislikes?|values?|knows?|speaks?|enjoys?|is (?:a |an |the )?(?:\w+ )?(?:senior|junior|expert|beginner|novice|new to|experienced|familiar|fluent|unfamiliar|comfortable|uncomfortable|interested|colou?r-?blind|deaf|blind|developer|engineer|designer|manager|lead|founder|student|researcher|scientist|teacher|freelancer|writer|programmer|architect|admin|native|left-handed|based in|from|working (?:at|as|in)|located)|has (?:\w+ ){0,3}(?:years?|experience|background|degree|children|kids|family|disability|adhd|dyslexia)|works? (?:at|as|for|in|from)|lives? in|comes from|(?:was|were) born|studied|graduated|does(?:n['’]t| not) (?:like|want|know|understand)|is (?:bad|good|weak|strong|great|impatient|sensitive) (?:at|in|with|about))`;
const ABOUT = new RegExp(
  String.raw`\b${PERSON}(?:['’]s (?:preferred|favou?rite|job|role|employer|name|age|timezone|time zone|editor|background|expertise|experience|skill|health|family)|\s+(?:\w+ly |strongly |always |usually |often )?${TRAIT})\b`,
  "i",
);

/** Whether a text says something about the user as a person: a preference, a role, expertise, circumstances. */
export function isAboutUser(text: string): boolean {
  return ABOUT.test(text.slice(0, 20_000));
}

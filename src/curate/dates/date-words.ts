/** Joins alternatives to one group; the longer ones first, as the first that fits is taken. */
const any = (words: Iterable<string>): string =>
  `(?:${[...words].sort((a, b) => b.length - a.length).join("|")})`;

const numbered = (...lines: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap((line) => line.split(" ").map((word, index) => [word, index] as const)));

/** Days of the week in English, German, French and Spanish; 0 is Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = numbered(
  "sunday monday tuesday wednesday thursday friday saturday",
  "sonntag montag dienstag mittwoch donnerstag freitag samstag",
  "dimanche lundi mardi mercredi jeudi vendredi samedi",
  "domingo lunes martes miércoles jueves viernes sábado",
);

/** Months; 0 is January. */
export const MONTHS: ReadonlyMap<string, number> = numbered(
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sep oct nov dec",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
);

const NUMBERS = numbered(
  "- one two three four five six seven eight nine ten eleven twelve",
  "- einem zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  "- un deux trois quatre cinq six sept huit neuf dix onze douze",
  "- una dos tres cuatro cinco seis siete ocho nueve diez once doce",
  "- a",
  "- einer",
  "- une",
);

/** What a count of days or weeks says: "3", "three", "drei". */
export function countOf(word: string): number {
  return NUMBERS.get(word.toLowerCase()) ?? Number(word);
}

/** A span of time by its beginning in any of the languages. */
export type Unit = "day" | "week" | "month" | "quarter" | "year" | "weekend";

const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/^(?:weekend|wochenende)/i, "weekend"],
  [/^(?:week|woche|semain|seman)/i, "week"],
  [/^(?:month|monat|mois|mes)/i, "month"],
  [/^(?:quarter|quartal|trimest)/i, "quarter"],
  [/^(?:year|jahr|an|año)/i, "year"],
  [/^(?:day|tag|jour|día)/i, "day"],
];

/** The unit that a word names; undefined for a sprint, a semester or a season. */
export function unitOf(word: string): Unit | undefined {
  return UNITS.find(([start]) => start.test(word))?.[1];
}

const NEXT = ["next", "coming", "nächste[nrsm]?", "kommende[nrsm]?", "prochaine?", "próxim[oa]", "que viene"];
const LAST =
  "last past previous letzte[nrsm]? vergangene[nrsm]? vorige[nrsm]? dernier dernière passée? pasad[oa]".split(
    " ",
  );
const THIS = ["this", "diese[nrsm]?", "cette", "ce", "est[ea]"];

/** 1 for "next", -1 for "last", 0 for "this", in each language; undefined for another word. */
export function directionOf(word: string | undefined): -1 | 0 | 1 | undefined {
  if (word === undefined) return undefined;
  const is = (words: readonly string[]): boolean => new RegExp(`^${any(words)}$`, "iu").test(word);
  return is(NEXT) ? 1 : is(LAST) ? -1 : is(THIS) ? 0 : undefined;
}

/** Sources of patterns, to be used with the flags `giu` between `START` and `END`. */
export const START = "(?<![\\p{L}\\p{N}-])";
export const END = "(?![\\p{L}\\p{N}-])";
export const WEEKDAY: string = any(WEEKDAYS.keys());
export const MONTH: string = any(MONTHS.keys());
export const COUNT: string = `(?:\\d{1,3}|${any([...NUMBERS.keys()].filter((word) => word !== "-"))})`;
export const DIRECTION: string = any([...NEXT, ...LAST, ...THIS]);
export const UNIT =
  "(?:days?|weeks?|months?|years?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?|años?)";
export const PERIOD =
  "(?:week(?:end)?|month|quarter|year|sprint|iteration|semester|term|spring|summer|autumn|fall|winter|woche(?:nende)?|monats?|quartals?|jahre?s?|semaine|mois|trimestre|année|an|semana|mes|año)";

/** Words that make a day a habit, a policy or a part of a timetable. */
export const HABIT: RegExp = new RegExp(
  `${START}(?:every|each|always|never|ever|usually|normally|generally|typically|nightly|weekly|biweekly|daily|monthly|yearly|recurring|any|whenever|per|don['’]t|avoid|prefers?|jede[nrsm]?|immer|nie|niemals|stets|täglich|wöchentlich|monatlich|chaque|tous|toutes|toujours|jamais|cada|todos|todas|siempre|nunca)${END}`,
  "iu",
);

/** Verbs of the past, for what happened on one day. */
export const PAST: RegExp = new RegExp(
  `${START}(?:was|were|had|did|has|have|broke|went|came|made|took|found|sent|ran|began|left|\\p{L}{2,}ed|wurden?|waren?|hat|haben|a été|ont|était|fue|fueron|se (?:hizo|decidió))${END}`,
  "iu",
);

/** Words that say that what follows is still to come. */
export const AHEAD: RegExp = new RegExp(
  `${START}(?:will|shall|must|to be|by|until|till|before|due|deadline|starts?|begins?|ends?|launch(?:es)?|ships?|going to|plan(?:s|ned)?|scheduled|bis|spätestens|wird|werden|beginnt|endet|prévue?|avant|d['’]ici|hasta|antes)${END}`,
  "iu",
);

/** Times that nobody can date: they are questioned, not refused. */
export const VAGUE: RegExp = new RegExp(
  `${START}(?:very soon|soon|shortly|recently|lately|nowadays|these days|the other day|in the near future|a while ago|some time ago|the next (?:release|milestone|cycle)|(?:in )?a (?:few|couple of) (?:days|weeks|months)(?: ago)?|demnächst|kürzlich|neulich|bientôt|récemment|recientemente)${END}(?! after| before)`,
  "giu",
);

/** Days counted from the day of writing, with the language that they are said in. */
export const NEARBY: readonly { words: string; days: number; language: Language }[] = [
  { words: "(?:the )?day after tomorrow", days: 2, language: "en" },
  { words: "tomorrow", days: 1, language: "en" },
  { words: "(?:the )?day before yesterday", days: -2, language: "en" },
  { words: "yesterday", days: -1, language: "en" },
  { words: "today|tonight", days: 0, language: "en" },
  { words: "übermorgen", days: 2, language: "de" },
  { words: "morgen", days: 1, language: "de" },
  { words: "vorgestern", days: -2, language: "de" },
  { words: "gestern", days: -1, language: "de" },
  { words: "heute", days: 0, language: "de" },
  { words: "après-demain", days: 2, language: "fr" },
  { words: "demain", days: 1, language: "fr" },
  { words: "avant-hier", days: -2, language: "fr" },
  { words: "hier", days: -1, language: "fr" },
  { words: "aujourd['’]hui", days: 0, language: "fr" },
  { words: "pasado mañana", days: 2, language: "es" },
  { words: "mañana", days: 1, language: "es" },
  { words: "anteayer", days: -2, language: "es" },
  { words: "ayer", days: -1, language: "es" },
  { words: "hoy", days: 0, language: "es" },
];

/** A language that dates are read in. */
export type Language = "en" | "de" | "fr" | "es";

/** How a language puts a date: the word before it, and the words after which it stands bare. */
export const PUTTING: Readonly<Record<Language, { on: string; bare: RegExp }>> = {
  en: { on: "on", bare: /(?:^|\s)(?:until|till|by|since|before|after|from|as of|on)\s$/iu },
  de: { on: "am", bare: /(?:^|\s)(?:bis|seit|ab|am)\s$/iu },
  fr: { on: "le", bare: /(?:^|\s)(?:le|depuis le)\s$/iu },
  es: { on: "el", bare: /(?:^|\s)(?:el|hasta el|desde el)\s$/iu },
};

/** Words behind which a day can only be that of the event itself: "the demo is tomorrow". */
export const EVENT: RegExp = new RegExp(
  `${START}(?:(?:is|are|was|were)(?: due| \\p{L}+ed)?|starts?|begins?|ends?|opens?|closes?|expires?|until|till|as of|ist|sind|beginnt|endet|startet|wurden?|war|bis|ab|est|sont|commence|termine|es|son|empieza|termina|será)\\s$`,
  "iu",
);

/** Words of a sentence that tells of others' days, or of words: what a digest lists, what a label reads, a default. */
export const TELLS_OF_OTHERS: RegExp = new RegExp(
  `${START}(?:what|which|that|who|whose|when|if|whether|than|like|says?|shows?|reads?|lists?|means?|displays?|prints?|default|label|header|column|field|placeholder|title|called|named|name|value|heißt|welche[rsn]?|wenn|ob|zeigt|quand|si|affiche|cuando|muestra)${END}`,
  "iu",
);

const MARKS: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  de: /(?<!\p{L})(?:der|die|das|den|dem|ist|sind|und|nicht|wird|wurden?|am|im|bis|ein|eine|für|mit|auf)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:le|la|les|des|du|est|été|une|nous|pour|dans|qui|au|aux|sur|avec|et|a)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:el|la|los|las|del|es|está|una|para|por|con|que|se|y|en)(?!\p{L})/giu,
};

/** Whether a sentence is in a language, as far as its small words tell: `hier` is a day in French and a place in German. */
export function speaks(language: Language, sentence: string): boolean {
  if (language === "en") return true;
  const count = (of: Exclude<Language, "en">): number => sentence.match(MARKS[of])?.length ?? 0;
  const own = count(language);
  return own > 0 && (["de", "fr", "es"] as const).every((other) => other === language || count(other) <= own);
}

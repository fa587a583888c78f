import { foldText } from "../index/analysis/fold-text.ts";
import { termOf } from "../index/analysis/normalize-word.ts";
import { isStopWord } from "../index/analysis/stop-words.ts";
import { rememberLast } from "./remember-last.ts";

/** What of a statement decides: a content word or a value, with what binds it to the word before. */
export interface Word {
  term: string;
  surface: string;
  /** The function words between it and the content word before. */
  link: readonly string[];
  /** A denial stands before it. */
  isDenied: boolean;
  /** What kind of value it is; undefined for a word. */
  kind: string | undefined;
}

/** A statement as its words, with whether it denies. */
export interface Statement {
  words: readonly Word[];
  isDenied: boolean;
  /** It says that something may be done: "you can …", "it is fine to …". */
  isPermission: boolean;
}

/** Statements of one line are compared; nothing longer is one. */
const MAX_CHARS = 600;
const TOKEN =
  /[a-z][a-z0-9+.-]*:\/\/[^\s<>()"'`]+|\d[\d.,:/-]*\d(?!\p{L})|\d+(?!\p{L})|#?[\p{L}\d][\p{L}\p{M}\d]*(?:[-_./@'’][\p{L}\p{M}\d]+)*/giu;

/** Whether a word, folded and without apostrophes, only binds others, in English, German, French or Spanish. */
export function isFunctionWord(folded: string): boolean {
  return isStopWord(folded) || FUNCTION_WORDS.has(folded) || DEFINITE.has(folded);
}

/** Words with a blank between them, as a set. */
export const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const DENIALS = set(
  "not never no without avoid cannot dont doesnt cant wont isnt arent mustnt excluding except unless nicht nie niemals kein keine keinen ohne pas jamais sans nunca sin " +
    // What is no more is denied by it.
    "gone retired removed replaced discontinued abandoned abgeschafft entfernt eingestellt abgeschaltet supprime abandonne eliminado retirado",
);
/** Function words of German, French and Spanish; English ones are known to search. */
const FUNCTION_WORDS = set(
  "der die das den dem des ein eine einen einem einer am im an auf bei von vom fur mit zu zum zur und ist sind wird werden wurde um nach le la les l un une du de au aux dans sur pour par avec et est sont el los las una del al en para por con se y es son",
);
/** Words that say that or how something is said, not what. */
const EMPTY = set(
  "now currently always still please keep stay remain move moved switch switched change changed get go goe must should may might need needs like love prefer better made make be new also anymore longer nur immer jetzt ist maintenant toujours ahora siempre instead rather",
);
/** Articles, and words for each and every. */
export const DEFINITE: ReadonlySet<string> = set(
  "the every all each any der die das den jeden alle le la les chaque el los las cada",
);
const NUMBER_WORDS = set(
  "two three four five six seven eight nine ten twelve zwei drei vier funf deux trois quatre cinq dos tres cuatro cinco",
);
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["address", /^[a-z][a-z0-9+.-]*:\/\//i],
  ["number", /^\d/],
  [
    "weekday",
    /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?$/i,
  ],
  [
    "frequency",
    /^(?:hour|dai|night|week|biweek|month|quarter|year)ly$|^(?:stünd|täg|wöchent|monat|jähr)lich$/i,
  ],
];
/** Reads a statement of one line; the last ones are remembered, as each is compared with many. */
export const readStatement: (text: string) => Statement = rememberLast(read);

function read(text: string): Statement {
  const words: Word[] = [];
  let link: string[] = [];
  let denials = 0;
  let isDenied = false;
  const isGerman = GERMAN.test(text);
  for (const [token] of text
    .slice(0, MAX_CHARS)
    .replace(OPENING, "")
    .replace(IN_PLACE_OF, "not")
    // "n'utilise", "l'audit"
    .replace(/(?<!\p{L})(?:[ldjnsc]|qu)['’](?=\p{L})/giu, "")
    .matchAll(TOKEN)) {
    const folded = foldText(token)
      .toLowerCase()
      .replace(/['’]/g, "");
    if (DENIALS.has(folded)) {
      denials++;
      isDenied = true;
    } else if (
      // "sensor A", unlike "A sensor".
      !/^\p{Lu}{2,}$/u.test(token) &&
      !(/^\p{Lu}$/u.test(token) && words.length + link.length > 0) &&
      isFunctionWord(folded)
    )
      link.push(folded);
    else {
      const term = isGerman ? germanTerm(folded) : termOf(folded);
      // "the May outage", "in Go files": a name.
      const isName = /^\p{Lu}\p{Ll}+$/u.test(token) && words.length + link.length > 0;
      if (!isName && (EMPTY.has(term) || EMPTY.has(folded))) continue;
      const kind = NUMBER_WORDS.has(folded)
        ? "number"
        : KINDS.find(([, pattern]) => pattern.test(token))?.[0];
      words.push({ term, surface: token, link, kind, isDenied });
      link = [];
      isDenied = false;
    }
  }
  const isEven = denials % 2 === 0;
  return { words, isDenied: !isEven, isPermission: isEven && PERMITS.test(text) };
}

/** What a speaker begins with, and means nothing by: the "no" of "no wait, use bun" denies what was done, not what is said. */
const OPENING =
  /^(?:\s*(?:no|nope|nein|non|wait|no wait|stop|actually|ok(?:ay)?|oh|hmm+|sorry|doch|eigentlich|en fait)\s*[,!:;–—-]\s*)+/iu;
/** Y is not to be used by who uses X in its place. */
const IN_PLACE_OF =
  /\b(?:instead of|rather than|in place of|anstelle von|anstatt|statt|au lieu de|plutôt que|en vez de|en lugar de)(?!\p{L})/giu;
const PERMITS =
  /(?<!\p{L})(?:(?:you|we|one|anyone|everyone) (?:can|may)|(?:is|it['’]s|are|am) (?:now )?(?:ok(?:ay)?|fine|allowed|permitted)|feel free|(?:du|ihr|man|wir) (?:darf(?:st)?|dürf(?:t|en)|kann(?:st)?)|(?:tu peux|on peut|vous pouvez)|(?:puedes|se puede|podemos))(?!\p{L})/iu;

const GERMAN =
  /(?<!\p{L})(?:der|das|den|dem|ein|eine|wir|und|ist|wird|werden|auf|mit|nicht|nur|im)(?!\p{L})/iu;

/** "getestet" and "testen", "Geräte" and "Geräten" are one word. */
function germanTerm(folded: string): string {
  const stem = folded.replace(/^ge(?=\p{L}{4,}t$)/u, "").replace(/(?:e[nrst]?|n|s|t|et|est)$/u, "");
  return stem.length >= 4 ? stem : folded;
}

/** Longer terms are cut here: two that differ only beyond it are one term. Paths and handles of real stores are shorter. */
export const MAX_TERM_LENGTH = 64;

const ENGLISH_WORD = /^[a-z]+$/;

/** The term of a lower-case word: English words are stemmed, everything is cut at {@link MAX_TERM_LENGTH}. */
export function termOf(word: string): string {
  const cut = word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH) : word;
  return ENGLISH_WORD.test(cut) ? stemEnglish(cut) : cut;
}

/** The one term of `preCommit`, `pre-commit`, `pre_commit` and `precommit`. Keeps dots, slashes, and dashes between digits. */
export function identifierTermOf(identifier: string): string {
  const lower = identifier.toLowerCase();
  const joined =
    lower.includes("-") || lower.includes("_") ? lower.replace(/(?<!\d)[-_]+|[-_]+(?!\d)/g, "") : lower;
  return termOf(joined);
}

/** The English Snowball stemmer (Porter2), https://snowballstem.org/algorithms/english/stemmer.html, for lower-case a-z. */
const VOWEL = "aeiouy";
const DOUBLES: ReadonlySet<string> = new Set(["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"]);
const LI_ENDING = "cdeghkmnrt";
const REGION_PREFIXES = ["gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter"];

function pairsOf(text: string): (readonly [string, string])[] {
  return text.split(" ").map((pair) => pair.split(":") as [string, string]);
}

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  pairsOf("skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl"),
);
const INVARIANT: ReadonlySet<string> = new Set(["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"]);
const INVARIANT_AFTER_1A: ReadonlySet<string> = new Set(
  "inning outing canning herring earring evening proceed exceed succeed".split(" "),
);

/** Longest suffix first, with what replaces it inside R1 (step 2). */
const STEP_2 = pairsOf(
  "ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble " +
    "lessli:less entli:ent ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful ogist:og " +
    "enci:ence anci:ance abli:able izer:ize ator:ate alli:al bli:ble ogi:og li:",
);
const STEP_3 = pairsOf("ational:ate tional:tion alize:al icate:ic iciti:ic ative: ical:ic ness: ful:");
const STEP_4 = pairsOf(
  "ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: ion: al: er: ic:",
);

/** `Y` marks a consonant y while the steps run. */
const isVowel = (letter: string | undefined): boolean => letter !== undefined && VOWEL.includes(letter);

function hasVowel(text: string): boolean {
  for (const letter of text) if (isVowel(letter)) return true;
  return false;
}

function markConsonantY(word: string): string {
  if (!word.includes("y")) return word;
  let marked = "";
  for (let at = 0; at < word.length; at++) {
    const letter = word[at] as string;
    marked += letter === "y" && (at === 0 || isVowel(marked[at - 1])) ? "Y" : letter;
  }
  return marked;
}

/** Start of the region after the first non-vowel that follows a vowel, at or after `from`. */
function regionAfter(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!isVowel(word[at]) && isVowel(word[at - 1])) return at + 1;
  }
  return word.length;
}

function firstRegion(word: string): number {
  for (const prefix of REGION_PREFIXES) if (word.startsWith(prefix)) return prefix.length;
  return regionAfter(word, 0);
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (last === 1) return isVowel(word[0]) && !isVowel(word[1]);
  if (word === "past") return true;
  return (
    last >= 2 &&
    !isVowel(word[last]) &&
    !"wxY".includes(word[last] as string) &&
    isVowel(word[last - 1]) &&
    !isVowel(word[last - 2])
  );
}

function step1a(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith("us") || word.endsWith("ss")) return word;
  if (word.endsWith("s") && hasVowel(word.slice(0, -2))) return word.slice(0, -1);
  return word;
}

function step1b(word: string, r1: number): string {
  if (word.endsWith("eedly") || word.endsWith("eed")) {
    const stem = word.slice(0, word.endsWith("eed") ? -3 : -5);
    return stem.length >= r1 ? `${stem}ee` : word;
  }
  const suffix = ["ingly", "edly", "ing", "ed"].find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (suffix.startsWith("ing") && stem.length === 2 && stem[1] === "y" && !isVowel(stem[0]))
    return `${stem[0]}ie`;
  if (!hasVowel(stem)) return word;
  if (stem.endsWith("at") || stem.endsWith("bl") || stem.endsWith("iz")) return `${stem}e`;
  if (DOUBLES.has(stem.slice(-2)) && !(stem.length === 3 && "aeo".includes(stem[0] as string)))
    return stem.slice(0, -1);
  return stem.length <= r1 && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

function step1c(word: string): string {
  const last = word.at(-1);
  return (last === "y" || last === "Y") && word.length > 2 && !isVowel(word.at(-2))
    ? `${word.slice(0, -1)}i`
    : word;
}

function step2(word: string, r1: number): string {
  for (const [suffix, replacement] of STEP_2) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    if (stem.length < r1) return word;
    if (suffix === "ogi" && !stem.endsWith("l")) return word;
    if (suffix === "li" && !LI_ENDING.includes(stem.at(-1) ?? "?")) return word;
    return stem + replacement;
  }
  return word;
}

function step3(word: string, r1: number, r2: number): string {
  for (const [suffix, replacement] of STEP_3) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return stem.length < (suffix === "ative" ? r2 : r1) ? word : stem + replacement;
  }
  return word;
}

function step4(word: string, r2: number): string {
  const [suffix] = STEP_4.find(([ending]) => word.endsWith(ending)) ?? [];
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (stem.length < r2) return word;
  return suffix === "ion" && !stem.endsWith("s") && !stem.endsWith("t") ? word : stem;
}

function step5(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith("e")) {
    return stem.length >= r2 || (stem.length >= r1 && !endsInShortSyllable(stem)) ? stem : word;
  }
  return word.endsWith("ll") && stem.length >= r2 ? stem : word;
}

export function stemEnglish(input: string): string {
  if (input.length <= 2 || INVARIANT.has(input)) return input;
  const irregular = IRREGULAR.get(input);
  if (irregular !== undefined) return irregular;
  let word = markConsonantY(input);
  const r1 = firstRegion(word);
  const r2 = regionAfter(word, r1);
  word = step1a(word);
  if (INVARIANT_AFTER_1A.has(word)) return word;
  word = step1c(step1b(word, r1));
  word = step4(step3(step2(word, r1), r1, r2), r2);
  return step5(word, r1, r2).replaceAll("Y", "y");
}

/** English function words without apostrophes; `if` and `for` too: keywords are found by whole identifiers. */
const WORDS =
  "a about above after again against all also am an and any are arent as at be because been before being below between " +
  "both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during each either else few for from " +
  "further get gets got had hadnt has hasnt have havent having he her here hers herself him himself his how however i id ie " +
  "if ill im in into is isnt it its itself ive just let lets like me more most much my myself no nor not now of off on " +
  "once only or other ought our ours ourselves out over own please same shall she should shouldnt so some such than that " +
  "thats the their theirs them themselves then there theres these they theyre this those through to too under until up " +
  "us very was wasnt we well were werent what when where which while who whom why will with wont would wouldnt yes you " +
  "youre your yours yourself yourselves";

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(" "));

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** A growing list of unsigned 32-bit numbers: a tenth of the memory of an array of objects. */
export class Uint32List {
  items: Uint32Array = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }
}

/** Others in each process, so that nobody can write two texts that are taken for one. */
const SEEDS = [Math.random() * 2 ** 32, Math.random() * 2 ** 32] as const;

/**
 * Numbers texts as they come. A text is known by two hashes and never compared: the chance that any two of a million texts
 * share both is 1 in 37 million.
 */
export class TextNumbers {
  count = 0;
  /** Four numbers a place: both hashes, and the text's number from 1 on. Every other place is free. */
  #places = new Int32Array(4096);

  numberAt(codes: Uint16Array, start: number, end: number): number {
    let [one, two] = [SEEDS[0] | 0, SEEDS[1] | 0];
    for (let at = start; at < end; at++) {
      const code = codes[at] as number;
      one = Math.imul(one ^ code, 0x9e3779b1);
      two = Math.imul((two ^ (two >>> 15)) + code, 0x85ebca6b);
    }
    one ^= one >>> 15;
    const places = this.#places;
    let place = placeOf(one, places);
    for (let next = 0; (next = places[place + 2] as number) > 0; place = (place + 4) & (places.length - 4))
      if (places[place] === one && places[place + 1] === two) return next - 1;
    places[place] = one;
    places[place + 1] = two;
    places[place + 2] = ++this.count;
    if (this.count * 8 === places.length) this.#grow();
    return this.count - 1;
  }

  numberOf(text: string): number {
    if (text.length > copied.length) copied = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) copied[at] = text.charCodeAt(at);
    return this.numberAt(copied, 0, text.length);
  }

  #grow(): void {
    const [before, places] = [this.#places, new Int32Array(this.#places.length * 2)];
    for (let from = 0; from < before.length; from += 4) {
      if (before[from + 2] === 0) continue;
      let place = placeOf(before[from] as number, places);
      while (places[place + 2] !== 0) place = (place + 4) & (places.length - 4);
      for (let i = 0; i < 3; i++) places[place + i] = before[from + i] as number;
    }
    this.#places = places;
  }
}

let copied = new Uint16Array(512);

const placeOf = (hash: number, places: Int32Array): number => (hash * 4) & (places.length - 4);

/** What becomes of a word, and its small letters. */
export interface Word {
  term: string;
  surface: string;
}

export const WordKind = { other: 0, stop: 1, code: 2 } as const;

/** Words as they are written, by number: most of a text are among the few thousand that every text has. */
export class KnownWords {
  readonly words: Word[] = [];
  /** Of each its {@link WordKind}; letters and digits are a code: E11000. */
  readonly kinds: Uint32List = new Uint32List();
  /** What a reader keeps of each; 0 at first. */
  readonly marks: Uint32List = new Uint32List();
  readonly #numbers = new TextNumbers();

  numberAt(codes: Uint16Array, start: number, end: number): number {
    const number = this.#numbers.numberAt(codes, start, end);
    if (number === this.words.length) this.#add(String.fromCharCode(...codes.subarray(start, end)));
    return number;
  }

  numberOf(text: string): number {
    const number = this.#numbers.numberOf(text);
    if (number === this.words.length) this.#add(text);
    return number;
  }

  #add(written: string): void {
    const lower = written.toLowerCase();
    const isStop = isStopWord(lower);
    this.words.push({ term: termOf(lower), surface: lower.slice(0, MAX_TERM_LENGTH) });
    const isCode = /\d/.test(lower) && /\D/.test(lower);
    this.kinds.push(isStop ? WordKind.stop : isCode ? WordKind.code : WordKind.other);
    this.marks.push(0);
  }
}

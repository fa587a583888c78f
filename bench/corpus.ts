import type { IndexDocument } from "../src/search/index/document/index-document.ts";
import { BUILT_IN_TYPES } from "../src/memory/memory-type.ts";
import { metadataOf } from "../test/memory/metadata-of.ts";

/** Size of the made-up vocabulary. Real stores of a few thousand notes hold 30,000 to 60,000 distinct words. */
const VOCABULARY = 40_000;
const MIN_BODY_WORDS = 40;
const MAX_BODY_WORDS = 220;
/** Distinct repositories that the memories of one person are scoped to. */
const REPOSITORIES = 40;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);

/** A small, fast generator (mulberry32): the same seed gives the same corpus on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_00_00_00_00;
  };
}

const ONSETS = "b br c cl d dr f g gr h k l m n p pl r s st t tr v".split(" ");
const VOWELS = ["a", "e", "i", "o", "u", "ea", "io"];
const CODAS = ["", "", "n", "r", "s", "t", "l", "ck", "nd"];

/**
 * The most frequent words of English, in about the order of their frequency: they make up two fifths of any prose, and
 * an engine that drops function words, or one that does not, should meet them as it would in real notes.
 */
const FUNCTION_WORDS = (
  "the of and to a in is it that for on with as be this by are at or from not an have was if when which but can all we " +
  "will has so no they there their then do its more up out into only what some such than other been were any them these " +
  "would also each about how may between must over after before where most because under same very should through both " +
  "during own until too now just once here again off further down few against above below our your you he she his her"
).split(" ");

function wordOf(rank: number): string {
  const functionWord = FUNCTION_WORDS[rank];
  if (functionWord !== undefined) return functionWord;
  const random = seededRandom(rank * 7919 + 13);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] as string;
  const syllables = rank < 200 ? 1 : rank < 5000 ? 2 : 3;
  let word = "";
  for (let syllable = 0; syllable < syllables; syllable++) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS);
  return word;
}

/** Words drawn with Zipf's frequencies (exponent 1), and now and then an identifier, a path or a flag made of them. */
export class ZipfWords {
  readonly #random: () => number;
  readonly #words: string[] = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

  constructor(random: () => number) {
    this.#random = random;
  }

  /** One word; `skew` 0 draws by frequency, towards 1 favours rare words. */
  word(skew = 0): string {
    // The inverse of the cumulative 1/rank distribution, which is logarithmic.
    const draw = skew + (1 - skew) * this.#random();
    const rank = Math.floor(Math.exp(draw * Math.log(VOCABULARY))) - 1;
    return this.#words[Math.min(rank, VOCABULARY - 1)] as string;
  }

  token(): string {
    const draw = this.#random();
    if (draw < 0.94) return this.word();
    if (draw < 0.96) return `${this.word(0.5)}_${this.word(0.5)}`;
    if (draw < 0.98) return `src/${this.word(0.5)}/${this.word(0.5)}.ts`;
    return draw < 0.99
      ? `--${this.word(0.5)}-${this.word(0.5)}`
      : `\`${this.word(0.5)}.${this.word(0.5)}()\``;
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.token()).join(" ");
  }
}

/** Deterministic documents that look like memories: cards with every field, markdown bodies of 40 to 220 words. */
export function* syntheticCorpus(count: number, seed = 1): Generator<IndexDocument> {
  const random = seededRandom(seed);
  const words = new ZipfWords(random);
  const types = BUILT_IN_TYPES.filter((type) => type.name !== "episode");
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  for (let place = 0; place < count; place++) {
    // Rules are few in every real store; the rest is spread evenly.
    const type = place % 50 === 0 ? types[0] : types[1 + (place % (types.length - 1))];
    const policy = type ?? types[0];
    if (policy === undefined) return;
    const name = `${words.word(0.5)}-${words.word(0.5)}-${words.word(0.6)}-${place.toString(36)}`;
    const created = new Date(FIRST_DAY_MS + Math.floor(random() * 900) * DAY_MS).toISOString();
    const lead = words.text(between(10, 25));
    const body = `${lead}.\n\n**Why:** ${words.text(between(10, 30))}.\n\n${words.text(between(MIN_BODY_WORDS, MAX_BODY_WORDS) - 40 + 20)}.\n`;
    yield {
      metadata: metadataOf({
        ...policy.defaults,
        id: `01J${place.toString(36).toUpperCase().padStart(23, "0")}`,
        name,
        statement: words.text(between(6, 16)),
        type: policy.name,
        created,
        updated: created,
        tags: Array.from({ length: between(2, 5) }, () => words.word(0.5)),
        trigger: policy.name === "solution" ? [words.word(0.6), words.word(0.6)] : [],
        scope: { repo: `github.com/acme/service-${between(0, REPOSITORIES)}`, paths: [] },
        file: `${policy.name}/${name}.md`,
        mtimeMs: FIRST_DAY_MS + place,
        sizeBytes: body.length + 400,
        contentHash: place.toString(16).padStart(16, "0"),
        bodyLength: body.length,
      }),
      body,
    };
  }
}

/** Queries of a given number of words with meaning, from frequent to rare as people mix them. */
export function syntheticQueries(count: number, terms: number, seed = 2): string[] {
  const random = seededRandom(seed);
  const words = new ZipfWords(random);
  // Where the words with meaning begin on the scale of frequency.
  const firstSkew = Math.log(FUNCTION_WORDS.length + 1) / Math.log(VOCABULARY);
  return Array.from({ length: count }, () =>
    Array.from({ length: terms }, () => words.word(firstSkew + random() * 0.3)).join(" "),
  );
}

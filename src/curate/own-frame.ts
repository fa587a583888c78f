import { wordsOf } from "../recall/words-of.ts";
import { isFiller } from "./filler-words.ts";
import { leavesOpen } from "./reservations.ts";
import { contentOf } from "./restates.ts";

/** The user's own stance: it makes what follows theirs. */
const STANCE =
  /(?<!\p{L})(?:(?:i|we)(?:['’](?:ve|d|ll|m|re))?|i am|we are) (?:(?:have|had|would|will|do|already|always|just|really|honestly|also|again|only|rather) )*(?:told|said|asked|tell|say|ask|want|need|prefer|like|love|hate|mean|meant|think|expect|insist|require|agreed|decided|work|keep)(?: (?:you|u|it|that))*(?: when (?:you|it|we))?(?!\p{L})|(?<!\p{L})(?:ich (?:hab(?:e)?(?: dir)?(?: doch)?(?: schon)? gesagt|hasse es(?:,? wenn)?|bevorzuge)|wir (?:wollen|bevorzugen|nutzen|verwenden|benutzen|haben)|je (?:préfère|t['’]ai (?:déjà )?dit|voudrais|déteste(?: quand)?)|j['’]aimerais|(?:on|nous) (?:utilise|utilisons|préfère|préférons)|(?:yo )?prefiero|(?:ya )?te (?:he dicho|dije)|(?:nosotros )?(?:usamos|preferimos)|odio (?:que|cuando)|me gusta)(?!\p{L})/giu;
/** A clause that others may have said what stands behind its comma. */
const SAYS =
  /(?<!\p{L})(?:sa(?:ys?|id|ying)|tells?|told|wrote|writes|asked|asks|claims?|claimed|insists?|insisted|thinks?|suggests?|suggested|wants?|according|per|sagt\p{L}*|schr(?:eib|ieb)\p{L}*|laut|meint\p{L}*|dit|disait|écrit|selon|dice\p{L}*|dijo|escribió|según)(?!\p{L})/iu;
/** What opens a question; not one that politely asks for something to be done. */
const ASKS =
  /^\P{L}*(?:why(?! (?:not|don['’]?t you))|what|who|whose|which|how|where|is|are|was|were|does|did|do (?:i|we|they|you|people)|(?:should|shall|must) (?:i|we|they|one)|has|have (?:we|they|you)|warum|wieso|was|wer|wie|welche\p{L}*|ist|sind|sollen|sollte[nm]?|pourquoi|quoi|qui|quel\p{L}*|comment|est-ce|qué|quién|cómo|por qué|cuál\p{L}*)(?!\p{L})/iu;
const POLITE =
  /^\P{L}*(?:(?:and|also|please|pls|hey|ok|so|then|claude)[\s,]+)*(?:can|could|would|will|why (?:not|don['’]?t you)|kannst|könntest|würdest|peux|pourrais|puedes|podrías|(?:let|make|please|use))(?!\p{L})/iu;
/** "…, ok?" */
const TAG =
  /[\s,]+(?:ok|okay|k|right|alright|please|pls|thanks|yes|yeah|got it|deal|understood|clear|ja|oder|verstanden|d['’]accord|vale|si|sí)\s*[?!.]+\s*$/iu;
/** What turns the words before it into what is spoken about. */
const JUDGES =
  /(?<!\p{L})(?:is|are|was|were|isn['’]?t|wasn['’]?t|looks?|sounds?|seems?|means?|what|which|why|ist|war|sind|waren|est|était|sont|es|era|son|c['’]est)(?!\p{L})/iu;
const POINTS =
  /(?<!\p{L})(?:this|that|these|those|it|lines?|sentences?|das|dies\p{L}*|ça|cela|ceci|eso|esto|esta)(?!\p{L})/iu;
/** A line that goes on with the user's own words, whatever stood before. */
const GOES_ON =
  /^\P{L}*(?:and|also|plus|oh|btw|ps|p\.s\.|please|pls|plz|remember|from now on|going forward|in (?:the )?future|you (?:should|must)|i (?:want|prefer|need|like|hate|said|told)|außerdem|und|ab jetzt|bitte|aussi|et|désormais|dorénavant|además|y|también|a partir de|recuerda)(?!\p{L})/iu;
const REASON =
  /(?<!\p{L})(?:because|cause|cuz|coz|since|so that|otherwise|weil|denn|sonst|damit|parce que|car|sinon|pour que|porque|ya que|para que|si no)(?!\p{L})[^]*$/iu;
const JOINS =
  /(,\s+(?:(?:and|but|then|so|und|aber|et|mais|y|pero)\s+)?|\s+(?:and|but|then|so|und|aber|et|mais|y|pero)\s+)|(:\s+|\s+(?:[–—-]+|-+>|→)\s+|\s*[()]\s*)/giu;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
/** So long a common beginning makes two words one: "lint" and "linter". */
const STEM_CHARS = 4;

/** A stretch of a sentence. */
interface Clause {
  text: string;
  /** It hangs on the clause before: by a colon, a dash, a bracket. */
  hangs: boolean;
}

/**
 * Of a turn the clauses that speak of a statement in the user's own frame: what stands before the words of the statement,
 * back to the beginning of the sentence, its line, and a line without an end above it, says nothing of its own ("hey, can
 * you make sure to …", "from now on …", "I hate when you …"); and nothing behind asks about them or judges them. "bob says
 * …", "fix grammar: …" and "it is forbidden to …" make words something that is spoken about, or somebody else's.
 */
export function inOwnFrame(turn: string, statement: string): string {
  const cover = new Cover(statement);
  const lines = turn.split("\n").filter((line) => line.trim() !== "");
  return lines
    .flatMap((line, at) => {
      const sentences = sentencesOf(line.replace(LIST_ITEM, ""));
      const isOpen = isFramed(lines, at, cover);
      return sentences.flatMap((sentence, i) => {
        if (i === 0 && !isOpen) return [];
        const next =
          sentences[i + 1] ?? sentencesOf(lines.slice(at + 1).find((l) => !LIST_ITEM.test(l)) ?? "")[0];
        return next !== undefined && comments(next, cover) ? [] : ownClauses(sentence, cover);
      });
    })
    .join("\n");
}

/** The words that a statement covers. */
class Cover {
  readonly #terms: ReadonlySet<string>;
  readonly #verb: string | undefined;

  constructor(statement: string) {
    this.#terms = wordsOf(statement);
    this.#verb = contentOf(statement)[0];
  }

  has(word: string): boolean {
    const terms = [...wordsOf(word)];
    return terms.some(
      (term) =>
        this.#terms.has(term) ||
        (term.length >= STEM_CHARS &&
          [...this.#terms].some((own) => own.slice(0, STEM_CHARS) === term.slice(0, STEM_CHARS))),
    );
  }

  isVerb(word: string): boolean {
    return this.#verb !== undefined && wordsOf(word).has(this.#verb);
  }

  /** Words that are neither the statement's nor filler. */
  foreignIn(text: string): string[] {
    return tokens(text).filter((word) => !isFiller(word) && !this.has(word));
  }
}

/** Nothing above a line makes it somebody else's. */
function isFramed(lines: readonly string[], at: number, cover: Cover): boolean {
  const line = lines[at] ?? "";
  let above = at - 1;
  if (LIST_ITEM.test(line)) while (LIST_ITEM.test(lines[above] ?? "")) above -= 1;
  const head = lines[above];
  if (/^[^\p{L}\p{N}]+$/u.test(lines[at + 1] ?? "")) return false;
  if (head === undefined) return true;
  if (!/\p{L}/u.test(head)) return false;
  const hangs = /:\s*$/.test(head);
  if (/[.!?;"”]\s*$/.test(head)) return true;
  if (!hangs && GOES_ON.test(line)) return true;
  const last = sentencesOf(head).at(-1) ?? "";
  return cover.foreignIn(withoutStance(last)).length === 0;
}

/** A sentence behind that asks about what was said, or judges it in a word. */
function comments(sentence: string, cover: Cover): boolean {
  if (POLITE.test(sentence)) return false;
  const words = cover.foreignIn(sentence);
  if (words.length === 0) return false;
  if ((ASKS.test(sentence) || sentence.includes("?")) && POINTS.test(sentence)) return true;
  return words.length === 1 && tokens(sentence).every((word) => words.includes(word) || JUDGED.test(word));
}
const JUDGED =
  /^(?:so|that|thats|that's|it|its|it's|is|was|how|just|totally|this|the|a|das|ist|c'est|qué|es|very)$/i;

function ownClauses(whole: string, cover: Cover): string[] {
  const sentence = whole.replace(TAG, " ").replace(REASON, " ");
  if ((ASKS.test(sentence) || sentence.includes("?")) && !POLITE.test(sentence)) return [];
  const own: string[] = [];
  let isForeign = false;
  let isSaid = false;
  const clauses = clausesOf(sentence);
  for (const [at, { text, hangs }] of clauses.entries()) {
    const words = tokens(withoutStance(text));
    const first = words.findIndex((word) => !isFiller(word) && cover.has(word));
    if (first < 0) {
      isForeign = (hangs && isForeign) || cover.foreignIn(withoutStance(text)).length > 0;
      // "don't follow this: …"
      isForeign ||= clauses[at + 1]?.hangs === true && DENIES.test(withoutStance(text));
      isSaid ||= SAYS.test(withoutStance(text));
      continue;
    }
    const last = words.findLastIndex((word) => cover.has(word));
    const opening = Math.max(
      first,
      words.findIndex((word) => LASTING.test(word)),
    );
    const front = words.slice(0, opening).filter((word) => !isFiller(word) && !cover.has(word));
    // The verb of the statement may be another one than the user's, which has its object behind it.
    const takesObject = DETERMINER.test(words[words.indexOf(front[0] ?? "") + 1] ?? "");
    const isReworded = front.length === 1 && (takesObject || !words.some((word) => cover.isVerb(word)));
    const opens = words.findIndex((word) => cover.isVerb(word));
    const startsAnew = !hangs && !isSaid && (GOES_ON.test(text) || opens === first || OPENS.test(text));
    if (
      (front.length === 0 || (isReworded && !isForeign)) &&
      (!isForeign || startsAnew) &&
      !JUDGES.test(words.slice(last + 1).join(" ")) &&
      !leavesOpen(text) &&
      !SAYS.test(
        tokens(clauses[at + 1]?.text ?? "")
          .slice(0, 1)
          .join(" "),
      )
    )
      own.push(text);
    else {
      isForeign = true;
      isSaid ||= SAYS.test(withoutStance(text));
    }
  }
  return own;
}
/** An order opens here, whatever of its words stood before. */
const LASTING = /^(?:always|never|immer|nie|niemals|toujours|jamais|siempre|nunca)$/i;
const DENIES = /(?<!\p{L})(?:don['’]?t|do not|never|nicht|nie|ne|no|nunca)\s+\p{L}/iu;
const DETERMINER =
  /^(?:an?|the|this|these|that|some|any|all|each|every|your|my|our|der|die|das|den|eine?n?|alle|le|la|les|une?|des|el|los|las)$/i;
const OPENS =
  /^\P{L}*(?:always|never|don['’]?t|do not|no|please|pls|use|make sure|ensure|remember|you|immer|nie|kein\p{L}*|toujours|ne|jamais|siempre|nunca)(?!\p{L})/iu;

function clausesOf(sentence: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let hangs = false;
  for (const match of sentence.matchAll(JOINS)) {
    clauses.push({ text: sentence.slice(start, match.index), hangs });
    hangs = match[2] !== undefined;
    start = match.index + match[0].length;
  }
  clauses.push({ text: sentence.slice(start), hangs });
  return clauses.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?;…])\s+/).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function withoutStance(text: string): string {
  return text.replace(STANCE, " ");
}

function tokens(text: string): string[] {
  return text.match(WORD) ?? [];
}

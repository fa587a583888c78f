import { wordsOf } from "../recall/words-of.ts";
import { readReply } from "./agreement.ts";
import { isOnce, isOnCondition, leavesOpen, withoutOnce } from "./reservations.ts";
import type { SaidTurn } from "./said-turn.ts";

/** What was stopped, in the words by which a person can speak of it. */
export interface StoppedMatter {
  /** The rule: its name and statement. */
  rule: string;
  /** What its guard says it stops: `deny git commit with --no-verify`. */
  guard: string;
  /** The program and subcommands that any such call has, forbidden or not; empty where they are what is forbidden. */
  plain: string;
  /** What the guard fired on. */
  text: string;
}

/** The user's word that what was stopped may pass. */
export interface Allowance {
  turn: SaidTurn;
  /** For what is at hand, or for the whole session. */
  reach: "once" | "session";
}

/** That somebody may, that it is all right, that it is to be done in spite of what holds it up. */
const PERMITS =
  /(?<!\p{L})(?:(?:you|u|it|claude) (?:may|can|are allowed to|have my permission)|i (?:allow|permit|authori[sz]e|approve)|(?:it'?s|that'?s|is|are) (?:ok|okay|fine|all ?right|allowed|permitted)|feel free|go ahead|let (?:it|that|this)|anyway|(?:du )?(?:darfst|kannst)(?: du)?|ich erlaube|ist (?:ok|okay|in ordnung|erlaubt)|trotzdem|tu (?:peux|as le droit)|vous pouvez|je (?:permets|t'autorise)|(?:est|sont) (?:ok|permise?s?|autorisée?s?)|vas-y|quand même|puedes|te permito|está bien|(?:es|son) (?:ok|permitid[oa]s?)|de todas formas)(?!\p{L})/iu;
/** Passing by an obstacle: the other words name it. */
const PASSES_BY =
  /(?<!\p{L})(?:skip(?:ping)?|bypass(?:ing)?|ignor(?:e|ing)|override|disregard|disable|without|w\/o|überspring\p{L}*|umgeh\p{L}*|ignorier\p{L}*|ohne|saute[rsz]?|contourne[rsz]?|ignore[rsz]?|passe[rsz]? outre|sans|sált\p{L}*|salta\p{L}*|ignora\p{L}*|sin)(?!\p{L})/iu;
const ORDERS =
  /^(?:use|run|do|add|pass|with|take|execute|benutze|nimm|mach|mit|utilise|fais|avec|usa|haz|con)(?!\p{L})/iu;
/** Words that open a clause and say nothing of it. */
const OPENING =
  /^(?:(?:yes|yeah|yep|k|ok|okay|sure|fine|right|well|so|then|now|and|also|please|pls|just|for once|i said|ja|gut|bitte|dann|also|oui|bon|alors|sí|si|vale|bueno|por favor|go ahead and|feel free to|let'?s|to|zu|de)(?!\p{L})[\s,]*)+/iu;
const DENIES =
  /(?<![\p{L}-])(?:no|not|never|nope|\p{L}+n['’]t|dont|cannot|without asking|stop|refuse|forbid|nein|nicht|nie|niemals|kein\p{L}*|non|ne|n['’]|pas|jamais|ni|nunca|jamás)(?![\p{L}-])/iu;
/** Said of another time, place or person, or of what might be. */
const ELSEWHERE =
  /(?<!\p{L})(?:should|could|would|might|next|later|tomorrow|other|another|elsewhere|(?<!is |are )there|except|only|nächstes|später|morgen|andere[rnms]?|nur|demain|autres?|mañana|otr[oa]s?)(?!\p{L})|^(?:i|we|he|she|they|one|ich|wir|er|man|je|on|il|elle|nous|yo)(?!\p{L})(?! (?:allow|permit|authori|approve|erlaub|permets|said))/iu;
/** A question that has no mark, or a case that heed cannot look at. */
const ASKS =
  /^\W*(?:why|what|who|how|where|which|(?:can|may|am) i|(?:can|may|are) we|is it|(?:do|does|did|have) (?:i|we|you|they|he|she|it)|warum|wieso|wer|was|wie|darf|pourquoi|qui|comment|por qué|quién|cómo)(?! it(?!\p{L}))(?!\p{L})|(?<!\p{L})(?:when|provided|should \p{L}+ fail|as long as|suppose|imagine|solange|angenommen)(?!\p{L})/iu;
/** What follows says why, or in whose place, and nothing of what is allowed. */
const REASON =
  /(?<!\p{L})(?:because|since|as it|even though|weil|denn|parce que|car|porque|ya que|instead of|rather than|anstelle von|anstatt|statt|au lieu de|plutôt que|en vez de|en lugar de)(?!\p{L}).*$/iu;
/** Words that go with a permission and name nothing that is stopped, in four languages. */
const SMALL = wordsOf(
  "may might without use run make go ahead please pls allow allowed permit permission exception once time session today now rule guard heed check " +
    "k ok okay yep yeah fine sure right yes thing things work case one anyway still quickly really simply bypass skip ignore override said " +
    "disable broken failing slow flaky stupid damn annoying whole current mine tell want need know free feel let put u w o do " +
    "branch repo repository remote commit commits change changes code file files command flag option it " +
    "ja bitte du darfst kannst der die das den dem ein eine einen mal nur mit und ist es zu auf in für hier jetzt auf am im benutzen benutz verwenden verwende nimm nehmen machen mach committen trotzdem " +
    "oui tu peux le la les un une avec et pour de du vas y sur à utilise utiliser fais faire quand même " +
    "sí puedes el los las por con a en usar usa hacer haz",
);
const SESSION =
  /\b(?:(?:for|in) (?:this|the|the rest of (?:this|the)) session|for the rest of (?:this|the) session|(?:für|in) (?:diese|dieser|die) (?:ganze )?sitzung|pour (?:cette|la) session|(?:para|en) esta sesión)(?!\p{L})/iu;
const QUOTED = /["“”„«»][^"“”„«»\n]*["“”«»]|(?<![\p{L}\d])['‘][^'‘’\n]*['’](?!\p{L})/gu;
/** The rule, called by its kind. */
const RULE = /(?<!\p{L})(?:rules?|guard|check|regel|règle|regla)(?!\p{L})/iu;
/** Work on a file. */
const EDITS =
  /(?<!\p{L})(?:edit|chang|touch|modif|writ|updat|änder|bearbeit|schreib|édit|écri|cambi|escrib)\p{L}*/iu;
/** The question proposes something else in its place, or leaves open which. */
const OTHERWISE =
  /\b(?:or|instead|rather|without (?:bypassing|skipping|using)|avoid|not|oder|stattdessen|ou|plutôt|o|en lugar)\b|n['’]t\b/i;
const ASKS_TO_PASS =
  /\b(?:bypass\w*|skip\w*|overrid\w*|ignor\w*|exception|anyway|this once|allow\w*|permission|despite|go ahead|proceed|override|umgehen|überspringen|ausnahme|trotzdem|erlaub\w*|contourner|sauter|exception|permettre|saltar\w*|excepción|permitir)\b/i;
const FLAG = /(?<![\p{L}\p{N}-])--?[\p{L}\p{N}][\p{L}\p{N}=-]*/gu;

/**
 * The user's word that what a guard stopped may pass, among the turns of its session that heed recorded itself; the newest
 * turn that speaks of the matter counts, unless the one after takes back what was said. It is given
 *
 * - by a turn that permits it in so many words ("skip the hook, just this once", "you may force-push"), speaks of nothing
 *   else, names no other target, and asks nothing and states no condition; before or after the stop; or
 * - by a yes in the first turn after the agent asked for just that (`askedAt`).
 *
 * "commit it", "ignore the failing test" and "yes, rename it" allow nothing.
 */
export function allowanceIn(
  turns: readonly SaidTurn[],
  stopped: StoppedMatter,
  { askedAt }: { askedAt: readonly string[] },
): Allowance | undefined {
  const matter = new Matter(stopped);
  for (const [i, turn] of [...turns.entries()].reverse()) {
    const text = turn.text.replace(QUOTED, " “” ");
    const said = readTurn(text, matter);
    if (said === "forbids") return undefined;
    const isAnswer = askedAt.some((asked) => turns.find(({ time }) => time > asked)?.time === turn.time);
    if (said !== "allows" && !(isAnswer && isYes(text, matter))) continue;
    const next = turns[i + 1]?.text;
    if (next !== undefined && takesBack(next)) return undefined;
    return { turn, reach: SESSION.test(text) ? "session" : "once" };
  }
  return undefined;
}

/** Whether the last question of a message asks the user to let pass what was stopped, and nothing else. */
export function asksToPass(message: string, stopped: StoppedMatter): boolean {
  const question = message.match(/[^.!?\n]*(?:[.:](?=\S)[^.!?\n]*)*\?/g)?.at(-1) ?? "";
  const asked = question.replace(/\b(?:or (?:not?|nein)|oder nicht|ou non|o no)\b/gi, " ");
  const matter = new Matter(stopped);
  if (OTHERWISE.test(asked.replace(FLAG, " "))) return false;
  return matter.isForbidden(question) || (matter.isObstacle(question) && ASKS_TO_PASS.test(question));
}

/** Words said first that take back what was said before them. */
function takesBack(text: string): boolean {
  return /^\W*(?:no|nope|stop|wait|hold on|never ?mind|i changed my mind|on second thought|i take (?:it|that) back|nein|halt|warte|non|arrête|attends|alto|espera|(?:forget|vergiss|oublie|olvida)(?: (?:it|that|das|ça|eso))?\W*$)(?!\p{L})/iu.test(
    text,
  );
}

function isYes(text: string, matter: Matter): boolean {
  const { isAssent, rest } = readReply(text, (clause) => matter.isCovered(clause));
  return isAssent && !DENIES.test(text) && rest.every((clause) => matter.isCovered(clause));
}

type Said = "allows" | "forbids" | "silent";

function readTurn(text: string, matter: Matter): Said {
  let allows = false;
  for (const sentence of text.split(/(?<=[.!?;])\s+|\n+/)) {
    if (sentence.includes("?")) continue;
    const [before = "", ...behind] = sentence.split(/:\s/);
    // What stands behind a colon is the word of whoever is named before it, or text to be written.
    const isOthers = behind.length > 0 && !matter.isCovered(before);
    const isOpen = isOthers || ASKS.test(sentence) || isOnCondition(sentence) || leavesOpen(sentence);
    const clauses = clausesOf(sentence);
    const isExcepted = clauses.some((clause) => isOnce(clause) && restOf(clause).length === 0);
    for (const clause of clauses) {
      const said = readClause(clause, matter, isExcepted || isOnce(clause));
      if (said === "forbids" || (allows && isExcluded(clause, matter))) return "forbids";
      allows ||= said === "allows" && !isOpen && !ELSEWHERE.test(clause.replace(OPENING, ""));
    }
  }
  return allows ? "allows" : "silent";
}

/** What was allowed is taken back, or a part of it: "but not to main", "no wait". */
function isExcluded(clause: string, matter: Matter): boolean {
  return (
    (/^(?:no|not|nein|nicht|non|pas)(?!\p{L})/iu.test(clause) && matter.isCovered(clause)) ||
    /(?<!\p{L})(?:wait|don['’]?t)$/iu.test(clause)
  );
}

/** The clauses of a sentence; where a part denies, it denies all of itself. */
function clausesOf(sentence: string): string[] {
  return sentence
    .replace(REASON, "")
    .split(/[,:;–—]+\s|\s-\s|\b(?:but|aber|mais|pero)\b/)
    .flatMap((part) => (DENIES.test(part) ? [part] : part.split(/(?<!ahead)\s(?:and|und|et|y)\s/)))
    .map((clause) => clause.trim().replace(/[.!]+$/, ""));
}

function readClause(clause: string, matter: Matter, isExcepted: boolean): Said {
  const [isForbidden, isObstacle] = [matter.isForbidden(clause), matter.isObstacle(clause)];
  const opened = clause.replace(OPENING, "");
  const passing = clause.replace(FLAG, " ").replace(PASSES_BY, " ");
  const passes = passing !== clause.replace(FLAG, " ");
  if (DENIES.test(passing)) return isForbidden || (passes && isObstacle) ? "forbids" : "silent";
  if (passes) {
    const isHeldUp = matter.isObstacle(passing) || (RULE.test(passing) && isForbidden);
    // "skip the force-push" asks for it to be left out.
    if (isForbidden && !isHeldUp) return "forbids";
    return isHeldUp && matter.isCovered(clause) ? "allows" : "silent";
  }
  if (isObstacle && !isForbidden && ORDERS.test(opened)) return "forbids";
  // "The rule is fine" lets nothing pass.
  if (!isForbidden || RULE.test(clause) || !matter.isCovered(clause)) return "silent";
  return PERMITS.test(clause) || isExcepted || matter.isOrder(opened) ? "allows" : "silent";
}

/** What was stopped, as sets of words. */
class Matter {
  /** Words that tell it from calls that nobody stops; where flags do, there are none. */
  readonly #telling: ReadonlySet<string>;
  readonly #flags: readonly string[];
  /** Other words of the rule: what holds it up (`--no-verify`: verify), or is to be done in its place. */
  readonly #obstacles: ReadonlySet<string>;
  readonly #all: ReadonlySet<string>;
  readonly #programs: ReadonlySet<string>;
  /** The file that was to be written; undefined where it was a command. */
  readonly #file: string | undefined;

  constructor({ rule, guard, plain, text }: StoppedMatter) {
    const [stops = ""] = guard.split(", unless ");
    const programs = wordsOf(plain);
    const isFile = /\b(?:Edit|Write)\b/.test(stops);
    const without = (some: Iterable<string>, ...sets: ReadonlySet<string>[]): Set<string> =>
      new Set([...some].filter((word) => !sets.some((words) => words.has(word))));
    this.#flags = stops.match(FLAG) ?? [];
    const named = without(wordsOf(stops.replace(/\bEdit\/Write\b/, " ")), programs, SMALL);
    const shared = [...named].filter((word) => wordsOf(rule).has(word));
    this.#telling = this.#flags.length > 0 ? new Set() : shared.length > 0 ? new Set(shared) : named;
    const left = wordsOf(
      [...stops.matchAll(/--(?:no|skip|without)-([\w-]+)/g)].map(([, name]) => name).join(" "),
    );
    const forbidden = without(wordsOf(`${this.#flags.join(" ")} ${text}`), left);
    this.#obstacles = new Set([
      ...without(wordsOf(`${rule} ${stops}`), programs, SMALL, forbidden, this.#telling),
      ...left,
    ]);
    this.#all = wordsOf(`${rule} ${stops} ${text}`);
    this.#programs = new Set(plain.toLowerCase().split(/\s+/));
    this.#file = isFile ? (text.split(/[/\\]/).at(-1) ?? "") : undefined;
  }

  /** What is stopped is named: by its flags where those tell it, else by a word, and a file by what is done with it. */
  isForbidden(text: string): boolean {
    if (this.#flags.length > 0) return this.#flags.some((flag) => flagIn(text, flag));
    const isNamed =
      [...wordsOf(text)].some((word) => this.#telling.has(word)) ||
      (this.#file !== undefined && this.#file !== "" && text.includes(this.#file));
    return isNamed && (this.#file === undefined || EDITS.test(text));
  }

  isObstacle(text: string): boolean {
    const others = this.#flags.reduce((rest, flag) => rest.replaceAll(flag, " "), text);
    return [...wordsOf(others)].some((word) => this.#obstacles.has(word));
  }

  /** It says nothing that is not about this. */
  isCovered(text: string): boolean {
    return restOf(text).every(
      (word) =>
        this.#all.has(word) || [...this.#programs].some((name) => name !== "" && word.startsWith(name)),
    );
  }

  /** It begins with the program, the flag, or with what is to be done with them; "use the force" is none. */
  isOrder(clause: string): boolean {
    const said = clause.toLowerCase().split(/\s+/);
    const isProgram = (word: string): boolean => this.#programs.has(word);
    const isFlag = (word: string): boolean => this.#flags.some((flag) => flagIn(word, flag));
    const [first = ""] = said;
    if (!this.#flags.some((flag) => flagIn(clause, flag))) return false;
    return (
      isProgram(first) ||
      isFlag(first) ||
      (ORDERS.test(clause) && said.some((word) => isProgram(word) || word.startsWith("-")))
    );
  }
}

/** The words of a text that go not with any permission. */
function restOf(text: string): string[] {
  // To search a text of small words alone is one of content words.
  const words = wordsOf(`rule ${withoutOnce(text).replace(PASSES_BY, " ").replace(PERMITS, " ")}`);
  return [...words].filter((word) => !SMALL.has(word));
}

/** A flag as such, or a long one's name as words: `--no-verify`, "no verify". */
function flagIn(text: string, flag: string): boolean {
  const name = /^--([\p{L}\p{N}-]+)/u.exec(flag)?.[1]?.split("-").join("[- ]");
  const said: readonly string[] = text.match(FLAG) ?? [];
  return (
    said.includes(flag) ||
    (name !== undefined && new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}]|-with)`, "iu").test(text))
  );
}

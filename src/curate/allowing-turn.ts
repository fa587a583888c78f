import { wordsOf } from "../recall/words-of.ts";
import { readReply } from "./agreement.ts";
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

/** Words of permission, at the beginning of a clause. */
const PERMITS =
  /^(?:(?:you|it|claude) (?:may|can|could|are allowed to|have my permission)|i (?:allow|permit|authori[sz]e|approve)|(?:it'?s|that'?s|it is|that is) (?:ok|okay|fine|all ?right|allowed)|feel free|go ahead|let (?:it|that|this)|du (?:darfst|kannst)|ich erlaube|(?:es|das) ist (?:ok|okay|in ordnung|erlaubt)|tu (?:peux|as le droit)|vous pouvez|je (?:permets|t'autorise)|puedes|te permito|está bien)(?!\p{L})/iu;
/** That something is all right, said of it. */
const IS_FINE =
  /\b(?:is|are|ist|sind|est|sont|es|son) (?:ok|okay|fine|all ?right|allowed|permitted|erlaubt|in ordnung|permise?s?|permitid[oa]s?|autorisée?s?)(?!\p{L})/iu;
/** That it is an exception. */
const ONCE =
  /\b(?:(?:just|only|for|but)? ?this (?:once|one time|time only|one)|just (?:once|this time)|only (?:once|this time)|(?:for|just|only) (?:this|the) session|in this session|one[- ]time|(?:an|as an|make an) exception|(?:nur |bloß )?dieses (?:eine )?mal|nur (?:dies|ein)mal|diesmal|ausnahmsweise|(?:eine|als) ausnahme|(?:juste |seulement )?cette fois(?:-ci)?|une exception|exceptionnellement|(?:sólo |solo )?(?:por )?esta vez|una excepción|excepcionalmente)(?!\p{L})/iu;
/** Passing by an obstacle: the words behind name it. */
const PASSES_BY =
  /^(?:skip|bypass|ignore|override|disregard|disable|(?:(?:commit|push|do it|go on|run it) )?without|überspring(?:e|en)?|umgeh(?:e|en)?|ignorier(?:e|en)?|ohne|(?:saute|contourne|ignore|passe outre)[sz]?|sans|sáltate|salta|saltarse|ignora|sin)(?!\p{L}) ?(.*)$/iu;
/** Words that open a clause and say nothing of it. */
const OPENING =
  /^(?:(?:yes|yeah|yep|ok|okay|sure|fine|right|well|so|then|now|and|also|please|just|for once|this once|this time|i said|ja|gut|bitte|dann|also|oui|bon|alors|sí|si|vale|bueno|por favor|you (?:may|can)|du (?:darfst|kannst)|tu peux|puedes|go ahead and|feel free to|let'?s|to|zu|de)(?!\p{L})[\s,]*)+/iu;
const DENIES =
  /(?<![\p{L}-])(?:no|not|never|nope|don['’]?t|do not|won['’]?t|can['’]?t|cannot|mustn['’]?t|must not|shouldn['’]?t|stop|refuse|forbid|nein|nicht|nie|niemals|kein\w*|non|ne|n['’]|pas|jamais|nunca|jamás)(?![\p{L}-])/iu;
/** It is allowed under a condition that heed cannot look at. */
const CONDITION =
  /(?<!\p{L})(?:if|unless|until|whenever|once (?:it|the|you|we|they|that)|as soon as|after|wenn|falls|sobald|nachdem|sofern|quand|lorsque|dès|si (?:le|la|les|ça|tu|el|los|las|no)|cuando)(?!\p{L})/iu;
const REASON = /(?<!\p{L})(?:because|since|as it|weil|denn|parce que|car|porque|ya que)(?!\p{L}).*$/iu;
/** A target behind one of these is meant: a permission for another one is none for this. */
const GENERIC: ReadonlySet<string> = wordsOf(
  "may might without use run make go ahead please allow allowed permit permission exception once time session today now rule guard heed check " +
    "ok okay fine sure right yes thing things work case one anyway still quickly really simply bypass skip ignore override " +
    "disable broken failing slow flaky stupid damn annoying whole current mine tell want need said know free feel let put " +
    "branch repo repository remote commit commits change changes code file files command flag option it",
);
/** Languages other than English have their own small words. */
const SMALL =
  /(?<!\p{L})(?:ja|bitte|du|darfst|kannst|der|die|das|den|dem|ein|eine|einen|mal|nur|mit|und|ist|es|zu|dieses|diesmal|ausnahmsweise|ausnahme|überspring\w*|umgeh\w*|ignorier\w*|ohne|auf|in|für|hier|jetzt|oui|tu|peux|le|la|les|un|une|cette|fois|ci|avec|et|pour|de|du|saute\w*|contourne\w*|ignore\w*|sans|exceptionnellement|juste|seulement|sí|puedes|el|los|las|por|esta|vez|con|sólo|solo|sáltate|salta|saltarse|ignora|sin|usar|benutz\w*|verwend\w*|nimm|utilise\w*|machen|mach)(?!\p{L})/giu;
const SESSION =
  /\b(?:(?:for|in) (?:this|the|the rest of (?:this|the)) session|for the rest of (?:this|the) session|(?:für|in) (?:diese|dieser|die) (?:ganze )?sitzung|pour (?:cette|la) session|(?:para|en) esta sesión)(?!\p{L})/iu;
const QUOTED = /["“”„«»][^"“”„«»\n]*["“”«»]/g;
/** The question proposes something else in its place, or leaves open which. */
const OTHERWISE =
  /\b(?:or|instead|rather|without (?:bypassing|skipping|using)|avoid|not|oder|stattdessen|ou|plutôt|o|en lugar)\b|n['’]t\b/i;
const ASKS_TO_PASS =
  /\b(?:bypass\w*|skip\w*|overrid\w*|ignor\w*|exception|anyway|this once|allow\w*|permission|despite|go ahead|proceed|override|umgehen|überspringen|ausnahme|trotzdem|erlaub\w*|contourner|sauter|exception|permettre|saltar\w*|excepción|permitir)\b/i;

/**
 * The user's word that what a guard stopped may pass, among the turns of its session that heed recorded itself; the newest
 * turn that speaks of the matter counts. It is given
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
  for (const turn of turns.toReversed()) {
    const text = turn.text.replace(QUOTED, " ");
    const said = readTurn(text, matter);
    if (said === "forbids") return undefined;
    const isAnswer = askedAt.some((asked) => turns.find(({ time }) => time > asked)?.time === turn.time);
    if (said === "allows" || (isAnswer && isYes(text, matter)))
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
  return matter.isNamed(question) && (ASKS_TO_PASS.test(question) || matter.flagIn(question));
}

/** Whether something is said for this once, or this session, alone. */
export function isOnce(text: string): boolean {
  return ONCE.test(text);
}

/** Whether something is said under a condition. */
export function isOnCondition(text: string): boolean {
  return CONDITION.test(text);
}

const FLAG = /(?<![\p{L}\p{N}-])--?[\p{L}\p{N}][\p{L}\p{N}=-]*/gu;

function isYes(text: string, matter: Matter): boolean {
  const { isAssent, rest } = readReply(text, (clause) => matter.isCovered(clause));
  return isAssent && !DENIES.test(text) && rest.every((clause) => matter.isCovered(clause));
}

function readTurn(text: string, matter: Matter): "allows" | "forbids" | "silent" {
  let allows = false;
  for (const sentence of text.split(/(?<=[.!?;])\s+|\n+/)) {
    if (sentence.includes("?")) continue;
    const isExcepted = ONCE.test(sentence);
    const hasCondition = CONDITION.test(sentence);
    for (const clause of sentence
      .replace(REASON, "")
      .split(/[,:;–—]+\s|\s-\s|\b(?:but|and then|aber|mais|pero)\b/)) {
      const kind = readClause(clause.trim().replace(/[.!]+$/, ""), isExcepted, matter);
      if (kind === "forbids") return "forbids";
      allows ||= kind === "allows" && !hasCondition;
    }
  }
  return allows ? "allows" : "silent";
}

function readClause(clause: string, isExcepted: boolean, matter: Matter): "allows" | "forbids" | "silent" {
  const plain = clause.replace(FLAG, (flag) => ` ${flag.replace(/^-+(?:no-)?/, "")} `);
  if (DENIES.test(plain)) return matter.isNamed(clause) ? "forbids" : "silent";
  const opened = clause.replace(OPENING, "");
  const obstacle = PASSES_BY.exec(opened)?.[1];
  if (obstacle !== undefined) {
    const object =
      obstacle.split(/(?<!\p{L})(?:and|to|for|when|this|just|und|et|y|por|pour|für)(?!\p{L})/iu)[0] ?? "";
    // "skip the force-push" asks for it to be left out.
    if (matter.isForbidden(object)) return "forbids";
    return matter.isObstacle(object) && matter.isCovered(clause) ? "allows" : "silent";
  }
  if (!matter.isNamed(clause) || !matter.isCovered(clause)) return "silent";
  const isPermitted =
    PERMITS.test(clause.replace(/^(?:yes|ok|okay|sure|fine|ja|oui|sí)[\s,]+/iu, "")) || IS_FINE.test(clause);
  return isPermitted || isExcepted || (matter.flagIn(clause) && matter.isOrder(opened)) ? "allows" : "silent";
}

/** What was stopped, as sets of words. */
class Matter {
  /** Words that tell it from calls that nobody stops. */
  readonly #telling: ReadonlySet<string>;
  readonly #all: ReadonlySet<string>;
  /** What the guard stops, but for what its flags leave out (`--no-verify`: verify is the obstacle). */
  readonly #forbidden: ReadonlySet<string>;
  readonly #flags: readonly string[];
  readonly #programs: ReadonlySet<string>;

  constructor({ rule, guard, plain, text }: StoppedMatter) {
    const programs = wordsOf(plain);
    const left = wordsOf(
      [...`${guard} ${text}`.matchAll(/--(?:no|skip|without)-([\w-]+)/g)].map(([, name]) => name).join(" "),
    );
    this.#programs = new Set(plain.toLowerCase().split(/\s+/));
    this.#telling = new Set(
      [...wordsOf(`${rule} ${guard}`)].filter((word) => !programs.has(word) && !GENERIC.has(word)),
    );
    this.#forbidden = new Set([...wordsOf(text)].filter((word) => !programs.has(word) && !left.has(word)));
    this.#all = new Set([...wordsOf(`${rule} ${guard} ${text}`), ...this.#telling]);
    this.#flags = `${guard} ${text}`.match(FLAG) ?? [];
  }

  isNamed(text: string): boolean {
    return [...wordsOf(text)].some((word) => this.#telling.has(word)) || this.flagIn(text);
  }

  /** It says nothing that is not about this. */
  isCovered(text: string): boolean {
    const words = wordsOf(text.replace(ONCE, " ").replace(SMALL, " "));
    return [...words].every((word) => this.#all.has(word) || GENERIC.has(word));
  }

  isForbidden(object: string): boolean {
    const words = [...wordsOf(object)].filter((word) => !GENERIC.has(word) && !this.#programs.has(word));
    return words.length > 0 && words.every((word) => this.#forbidden.has(word));
  }

  /** The last word of it is what the rule holds up. */
  isObstacle(object: string): boolean {
    const words = [...wordsOf(object.replace(SMALL, " "))].filter((word) => !GENERIC.has(word));
    const last = words.at(-1);
    return last !== undefined && this.#telling.has(last) && !this.#forbidden.has(last);
  }

  flagIn(text: string): boolean {
    const said: readonly string[] = text.match(FLAG) ?? [];
    return this.#flags.some((flag) => said.includes(flag));
  }

  isOrder(clause: string): boolean {
    const [first = ""] = clause.toLowerCase().split(/\s+/);
    return (
      this.#programs.has(first) ||
      /^(?:use|run|do|add|pass|with|execute|benutze|nimm|utilise|usa)$/.test(first)
    );
  }
}

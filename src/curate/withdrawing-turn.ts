import { readStatement } from "../recall/read-statement.ts";
import { wordsOf } from "../recall/words-of.ts";
import { speaksOfPlace } from "./elsewhere.ts";
import { clausesOf, turnsRound } from "./quoted-clause.ts";
import { isOnCondition, isOnce, leavesOpen } from "./reservations.ts";

/** A rule as a person can speak of it. */
export interface SpokenRule {
  name: string;
  description: string;
}

/** Taking something away: English, German, French, Spanish. */
const TAKES =
  "forget|unlearn|drop|scratch|rm|kill|(?:can|may|must|has to) go|take(?= .*\\bout\\b)|remove|delete|discard|revoke|cancel|retire|lift|ditch|undo|get rid of|do away with|" +
  "vergiss|vergesst|nimm(?=.* (?:he)?raus\\b)|streich\\p{L}*|lösch\\p{L}*|entfern\\p{L}*|verwirf|raus mit|weg (?:mit|damit)|kann (?:weg|raus)|" +
  "oublie[sz]?|supprim\\p{L}*|retire[sz]?|efface[sz]?|annule[sz]?|enlève[sz]?|abandonne[sz]?|" +
  "olvid(?:a|e|ad|emos)|olvídal[ao]|borr(?:a|e|ad)|bórral[ao]|quit(?:a|e|ad)|quítal[ao]|elimin(?:a|e|ad)|elimínal[ao]|anul(?:a|e|ad)|descart(?:a|e)";
/** Leaving it: the answer no to whether it is to go. */
const KEEPS =
  "keep|leave|stays?|still (?:holds?|applies|want|need)|behalt\\p{L}*|bleib\\p{L}*|gilt (?:noch|weiter\\p{L}*)|lass|" +
  "gard(?:e|ez|er|ons)|conserv\\p{L}*|laisse[sz]?|mant(?:én|enla|enlo|ener)|guarda|déjal[ao]";
const DENIAL = "(?:do not|don['’]?t|never|not|no need to|nicht|nie|niemals|ne|pas|jamais|no|nunca)";
/** That it is so no more. */
const NO_MORE =
  /(?<!\p{L})(?:no longer|any ?more|(?:does|do|is|are)(?: not|n['’]t) (?:hold|apply|count|true|valid|needed|wanted)|(?:is|are|was) (?:obsolete|outdated|void|gone|off|wrong|history)|nicht mehr|hinfällig|überholt|veraltet|n(?:e |['’])\p{L}+(?: \p{L}+)? plus|obsolètes?|périmée?s?|ya no|obsolet[ao]s?|caduc[ao]s?)(?!\p{L})/giu;
/** That it holds for a time or a place alone. */
const LIMITS =
  /(?<!\p{L})(?:until|till|only|just|except|unless|expires?|ends?|bis|nur|läuft|außer|jusqu['’]\p{L}+|seulement|sauf|hasta|solo|sólo|salvo|excepto|everywhere|anywhere|überall|partout|en todas partes)(?!\p{L})/giu;
/** What is taken back, called by its kind. */
const MEMORY =
  /(?<!\p{L})(?!^\W*note\b)(?:rules?|what i said|das mit|lo de|memor(?:y|ies)|notes?|instructions?|polic(?:y|ies)|conventions?|guidelines?|regeln?|notiz(?:en)?|vorgaben?|anweisung(?:en)?|règles?|consignes?|reglas?|notas?|normas?)(?!\p{L})/giu;
/** Words that point and say nothing of their own, and who asks politely. */
const SMALL =
  /(?<!\p{L})(?:please|yes|out|both|mind|things?|(?:he)?raus|use|using|do|doing|want|follow|nutzen|usamos|utilise|ok(?:ay)?|sure|no|nope|actually|really|now|again|hold|holds|apply|applies|need|matter|says?|called|named|true|valid|that['’]s|about|last|new|old|heed|bitte|diese[mnrs]?|ja|nein|gilt|gelten|über|wegen|dass|merci|oui|non|s['’]il|te|plaît|qui|dit|sur|tient|cette|vale|aplica|sobre|por favor|sí|esa|eso|esta|esto|ça|cela)(?!\p{L})/giu;
/** A practice is given up. */
const PRACTICE =
  /(?<!\p{L})(?:(?<=^\W*(?:\p{L}{1,6}\W+)?)no more(?= )|(?:is|are) no longer (?:needed|used|wanted|required)|stop(?: using| doing|(?= \p{L}+ing(?!\p{L})))|quit using|(?:brauch|nutz|benutz|verwend)\p{L}*(?= .*nicht mehr)|switch(?:ed|ing)?(?: \p{L}+)? (?:from|away from)|changed my mind|(?<=(?:we|you|i|wir|ihr|du|man|on|nous) .*)(?:no longer|any ?more|nicht mehr)|ya no(?= (?:us|quer|hac)\p{L}+mos))(?!\p{L})/iu;
/** What was to be left is taken up. */
const GOES_OVER =
  /(?<!\p{L})(?:(?:(?:go|going|switch(?:ed|ing)?|mov(?:e|ed|ing)|chang(?:e|ed|ing)|revert(?:ed)?)(?: over| back)*|back) (?:back )?to|zurück zu[mr]?|(?:wechsel\p{L}*|umsteigen) (?:zu|auf)|reven\p{L}+ à|pass\p{L}+ à|volv\p{L}+ a|pas\p{L}+ a)(?!\p{L})/iu;
const MAY_BE =
  /(?<!\p{L})(?:can|may|fine|ok(?:ay)?|again|from now on|allowed|kann|können|darf|dürfen|wieder|erlaubt|peut|pouvons|peux|permis|podemos|puedes|se puede)(?!\p{L})/iu;
/** What was done, or could not be. */
const TELLS = /(?<!\p{L})(?:did|has|have|had|was|were|could|can)(?: not|n['’]?t)(?!\p{L})/iu;
const FOR_NOW =
  /(?<!\p{L})(?:for (?:now|today|the moment)|today|right now|heute|vorerst|erstmal|aujourd['’]hui|pour (?:l['’]instant|le moment)|hoy|por ahora|de momento)(?!\p{L})/iu;
const ASKS_YOU =
  /^\W*(?:(?:please|ok(?:ay)?|and|also|bitte|y|et|und)\W+)*(?:(?:can|could|would|will) you|kannst du|könntest du|peux[- ]tu|tu peux|pourrais[- ]tu|puedes|podrías)(?!\p{L})/iu;

const words = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, "giu");
const TAKES_WORDS = words(TAKES);
const DENIED_TAKING = words(
  `(?:n['’]|${DENIAL}\\s+(?:\\p{L}+\\s+)?)(?:${TAKES})|(?:${TAKES})(?:\\s+\\S+){0,6}?\\s+nicht(?!\\s+mehr)`,
);
const DENIED_KEEPING = words(`${DENIAL}\\s+(?:\\p{L}+\\s+)?(?:${KEEPS})`);

/** What is to be taken away of a rule. */
export interface WhatIsTaken {
  /** Not all of it, but an end or a place is set: whether a sentence names the one that is meant. */
  limit?: (sentence: string) => boolean;
}

/** Of the words that say which rule is meant, so many are the rule's own. */
const NAMED_SHARE = 0.5;

/** How a turn takes something back: `names` says that a rule is named, `points` that it says no more than "forget that". */
type Withdrawal = { names: string[][]; isOfMemory: boolean; isPractice: boolean; isOver: boolean } | "points";

/**
 * How surely a turn says that a rule is to hold no longer: the number of its words by which the rule is named; 0: it does not
 * say so. It says so where it takes a rule away by name ("drop the rule on Fridays"), or says the contrary of it ("we can
 * push on Fridays again"); not where it asks, tells what others say, sets a condition, or means this once.
 */
export function withdraws(turn: string, rule: SpokenRule, options: WhatIsTaken = {}): number {
  const statement = `${rule.name.replaceAll("-", " ")}. ${rule.description}`;
  const own = new Set(formsIn(statement).flat());
  const ownSize = termsOf(statement).size;
  const common = (names: readonly string[][]): number =>
    names.filter((forms) => forms.some((form) => own.has(form))).length;
  const { limit } = options;
  if (limit !== undefined) {
    const limits = sentencesOf(turn, options).filter((said) => matches(LIMITS, said) && limit(said));
    const isMost = (words: number): boolean => words > NAMED_SHARE * termsOf(rule.description).size;
    return Math.max(
      0,
      ...limits.map((said) => {
        const words = common(formsIn(withRuleApart(said)));
        return matches(MEMORY, said) || isMost(words) ? words : 0;
      }),
    );
  }
  const head = headOf(rule.description);
  const isDenying = readStatement(head).isDenied;
  const isLeft = (forms: readonly string[]): boolean =>
    readStatement(rule.description).words.some(({ term, isDenied }) => isDenied && forms.includes(term));
  const shared = sentencesOf(turn, options).flatMap((sentence): number[] => {
    const isElsewhere = speaksOfPlace(sentence, statement);
    if (
      !isElsewhere &&
      givesUp(sentence, isDenying) &&
      (turnsRound(sentence, rule.description) || turnsRound(sentence, head))
    )
      return [ownSize];
    // "drop the rule, in the README"
    const clauses = clausesOf(sentence.replace(/,(?=\s(?:in|from|for|im|aus|dans|en)\s)/giu, ""));
    const isPointing = clauses.some((clause) => withdrawalIn(clause) === "points");
    return clauses.map((clause) => {
      const said = withdrawalIn(clause, isPointing);
      if (said === undefined || said === "points" || (isElsewhere && speaksOfPlace(clause, statement)))
        return 0;
      const words = common(said.names);
      if (said.isOver) return !isDenying && said.names.every(isLeft) ? words : 0;
      // "remove the Friday job" takes away a job, unless it says the rule itself.
      const isHandle = clause.toLowerCase().includes(rule.name) && /heed:|.-./u.test(rule.name);
      const isNamed =
        said.isOfMemory || isHandle || clause.includes(`heed:${rule.name}`)
          ? words >= NAMED_SHARE * said.names.length
          : said.isPractice && !isDenying && words > NAMED_SHARE * said.names.length;
      return isNamed ? words : 0;
    });
  });
  return Math.max(0, ...shared);
}

/** Whether a turn takes back what was spoken of last, and names nothing: "forget that", "that rule no longer holds". */
export function withdrawsLast(turn: string): boolean {
  return sentencesOf(turn).some((sentence) =>
    clausesOf(sentence).some((clause) => withdrawalIn(clause) === "points"),
  );
}

/** Whether a question asks the user about taking something away. */
export function asksToWithdraw(question: string): boolean {
  return matches(TAKES_WORDS, question) || matches(NO_MORE, question);
}

/** The reply to whether something is to go, as one to whether it is to be so: "drop it" is a yes, "keep it" a no. */
export function asReplyToRemoval(reply: string): string {
  return reply
    .replace(DENIED_KEEPING, " yes ")
    .replace(DENIED_TAKING, " no ")
    .replace(TAKES_WORDS, " yes ")
    .replace(words(KEEPS), " no ");
}

/** The name under which the wish to remove a memory waits. */
export function nameOfRemoval(name: string): string {
  return `forget-${name}`.slice(0, 80);
}

/** Sentences that say something: no question but a request, no word of others, no condition, no exception. */
function sentencesOf(turn: string, { limit }: WhatIsTaken = {}): string[] {
  return (turn.match(/(?:[^.!?;\n]|[.!?;](?=[^\s.!?;]))+[.!?;]*/g) ?? []).filter(
    (sentence) =>
      (!sentence.includes("?") || ASKS_YOU.test(sentence)) &&
      !leavesOpen(sentence) &&
      (limit !== undefined || !isOnCondition(sentence)) &&
      !isOnce(sentence) &&
      !FOR_NOW.test(sentence),
  );
}

/** What a clause takes back; one that names a rule does, where another clause says "drop it". */
function withdrawalIn(clause: string, isPointing = false): Withdrawal | undefined {
  if (matches(DENIED_TAKING, clause)) return undefined;
  const isPractice = PRACTICE.test(clause);
  const isOver = GOES_OVER.test(clause) && !readStatement(clause).isDenied;
  const isTaken = matches(TAKES_WORDS, clause) || isPractice || (isPointing && matches(MEMORY, clause));
  if (!isTaken && !isOver && !matches(NO_MORE, clause)) return undefined;
  const rest = [
    DENIED_KEEPING,
    PRACTICE,
    ...(isTaken ? [] : [GOES_OVER]),
    TAKES_WORDS,
    NO_MORE,
    MEMORY,
    SMALL,
  ].reduce((text, pattern) => text.replace(pattern, " "), withRuleApart(clause.replace(ASKS_YOU, " ")));
  const names = formsIn(rest);
  const isOfMemory =
    matches(MEMORY, clause) ||
    /(?:regel|^\W*(?:forget|unlearn|scratch|vergiss|oublie|olvida))/iu.test(clause) ||
    /changed my mind/iu.test(clause);
  if (names.length === 0) return isOver && !isTaken ? undefined : "points";
  return { names, isOfMemory, isPractice, isOver: isOver && !isTaken && !isOfMemory };
}

/** "Freitagsregel", "friday-rule": the words apart. */
function withRuleApart(text: string): string {
  return text.replace(/(?<=\p{L}{3})s?regel(?!\p{L})/giu, " regel").replace(/(?<=\p{L})-(?=\p{L})/gu, " ");
}

/** The words of a text, each in the forms in which another language's text may have it. */
function formsIn(text: string): string[][] {
  return readStatement(text).words.map(({ term, surface }) => [term, ...wordsOf(surface)]);
}

/** What a rule says to do, without what is not to be done in its place. */
function headOf(description: string): string {
  return (
    description.split(/,\s|\s(?:instead of|rather than|not|statt|nicht|au lieu de|en vez de)\s/iu)[0] ?? ""
  );
}

/** Whether a sentence says of what a rule forbids that it may be, or of what it asks that it need not: no tale of what was done. */
function givesUp(sentence: string, isDenying: boolean): boolean {
  return isDenying ? MAY_BE.test(sentence.replace(ASKS_YOU, " ")) : !TELLS.test(sentence);
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(readStatement(text).words.map(({ term }) => term));
}

function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

import { opensWithYes, readReply } from "./agreement.ts";
import { cutShown } from "../screening/cut-shown.ts";
import { doesNotSay } from "./quoted-clause.ts";
import { isSaidIn } from "./users-words.ts";
import type { SaidTurn } from "./said-turn.ts";
import { wordsOf } from "../recall/words-of.ts";
import { asReplyToRemoval, withdraws } from "./withdrawing-turn.ts";

/** What is to be confirmed. */
export interface Proposed {
  name: string;
  description: string;
  body: string;
  /** ISO time of the proposal. */
  at: string;
}

/** Whether a quote is the user's word on a proposal; if not, why, and what would be. */
export type QuoteAnswer = { isGiven: true } | { isGiven: false; reason: string; remedy: string };

const NO =
  /(?<!\p{L})(?:no|nope|nah|not|never|don['’]?t|do not|doesn['’]?t|isn['’]?t|ain['’]?t|wrong|incorrect|false|reject(?:ed)?|cancel|forget|drop it|discard|delete|remove|disagree|stop|wait|nein|non|нет)(?!\p{L})|👎|❌/iu;
const KEEP_NOT =
  /\b(?:don['’]?t|do not|never|no need to|not|rather not|please not)\s+(?:\w+\s+){0,2}?(?:save|saved|store|keep|remember|record|note|confirm|write)\b/iu;
/** "No" that is none. */
const HARMLESS_NO =
  /\b(?:no (?:problem|worries|objections?|doubt|need to ask)|why not|not (?:bad|a problem)|can['’]?t (?:complain|agree more)|couldn['’]?t agree more|do not forget|don['’]?t forget|never mind the \w+)\b/giu;

/** How a model's quote is looked at. */
export interface QuoteRules {
  /** ISO times at which the user was asked about it in this session; a bare yes is the answer to the turn after. */
  askedAt: readonly string[];
  /** The turns may be of other sessions, where a bare yes was the answer to something else. */
  mustNameIt?: boolean;
  /** The question is whether it is to go. */
  isRemoval?: boolean;
}

/**
 * Whether a model may take a quote for the user's word: the user typed it, verbatim, in a turn after the proposal, which
 * does not say no; and the turn either says the same as the proposal, or assents and speaks of it, or is a bare yes and
 * the first one after the question. "yes, rename the variable" is the answer to something else. The turns are those that
 * heed recorded itself, so that a model cannot make one up.
 */
export function weighQuote(
  quote: string | undefined,
  turns: readonly SaidTurn[],
  proposed: Proposed,
  { askedAt, mustNameIt = false, isRemoval = false }: QuoteRules,
): QuoteAnswer {
  const terminal = `or confirm it in a terminal: heed confirm ${proposed.name}`;
  const refuse = (reason: string, remedy: string): QuoteAnswer => ({ isGiven: false, reason, remedy });
  const wanted = quote ?? "";
  if (!/\p{L}|👍|✅/u.test(wanted))
    return refuse("no word of the user is quoted", `quote what the user said to the proposal, ${terminal}`);
  const after = turns.filter((turn) => turn.time > proposed.at && isUserTurn(turn.text));
  if (after.length === 0)
    return refuse(
      "nothing is recorded that the user said after the proposal",
      `ask the user and quote the answer, ${terminal}`,
    );
  // The last word counts: a yes may have been taken back.
  const quoted = after.filter(({ text }) => isSaidIn(text, wanted)).at(-1);
  if (quoted === undefined)
    return refuse(
      "the user did not say that after the proposal",
      `quote the user's answer word for word, ${terminal}`,
    );
  const { text: said } = quoted;
  if (isRemoval && withdraws(said, proposed) > 0) return { isGiven: true };
  const text = isRemoval ? asReplyToRemoval(said) : said;
  const speaks = (clause: string): boolean => speaksOf(clause, proposed);
  if (saysNo(text, speaks) || (isRemoval ? statesIt(said, proposed) : saysOtherwise(text, proposed)))
    return refuse(`the user's turn says no: "${cutShown(said, 80)}"`, `ask again if in doubt, ${terminal}`);
  const reply = readReply(text, speaks);
  const isAbout = reply.rest.some(speaks);
  if (mustNameIt && !isAbout)
    return refuse(
      `it is not known in which session the user said that, and it does not say what it agrees to: "${cutShown(text, 80)}"`,
      `ask the user to say what they agree to and quote that, ${terminal}`,
    );
  if ((reply.isAssent && isAbout) || (!isRemoval && statesIt(text, proposed))) return { isGiven: true };
  if (!reply.isAssent)
    return refuse(
      `the user's turn neither agrees nor speaks of it: "${cutShown(text, 80)}"`,
      `ask the user and quote the answer, ${terminal}`,
    );
  if (reply.rest.length > 0 && !reply.saysKeep)
    return refuse(
      `the user's turn speaks of something else: "${cutShown(text, 80)}"`,
      `ask about this memory alone and quote the answer, ${terminal}`,
    );
  // A bare yes is the answer to what was asked last.
  const isAnswer = askedAt.some((asked) => turns.find(({ time }) => time > asked)?.time === quoted.time);
  if (!isAnswer)
    return refuse(
      `a bare "${cutShown(text, 40)}" counts in the first turn after the question about it alone`,
      `ask the user about this memory and quote the answer, ${terminal}`,
    );
  return { isGiven: true };
}

/** What a client puts into the prompt by itself is not what the user said. */
function isUserTurn(text: string): boolean {
  return !/^\s*(?:\/\S|<(?:task-notification|command-|local-command|system|bash-|hook)|\[Request interrupted|Caveat:)/i.test(
    text,
  );
}

/** A turn that opens with a yes may deny in what it confirms ("yes, I never use it"), but not the keeping itself. */
function saysNo(text: string, speaks: (clause: string) => boolean): boolean {
  const whole = text.replace(HARMLESS_NO, " ");
  // "never push on fridays" says no to nothing when that is what was asked about.
  const elsewhere = clausesIn(whole)
    .filter((clause) => !speaks(clause))
    .join(". ");
  if (KEEP_NOT.test(elsewhere)) return true;
  if (opensWithYes(whole) && !NO.test(firstWords(elsewhere)))
    return /\b(?:but|actually|although|except)\b/i.test(whole) && NO.test(whole);
  return NO.test(elsewhere);
}

function clausesIn(text: string): string[] {
  return text.split(/[.,;!\n]+/);
}

/** What they say of the matter is something else; of two sides of a comparison one is denied, which says nothing. */
function saysOtherwise(text: string, { description }: Proposed): boolean {
  return !COMPARES.test(description) && doesNotSay(text.replace(HARMLESS_NO, " "), description);
}

function firstWords(text: string): string {
  return text
    .trim()
    .split(/[\s,.!;:–-]+/)
    .slice(0, 2)
    .join(" ");
}

/** Words behind which the sides of a comparison stand: said the other way round it is another statement. */
const COMPARES = /\b(?:over|than|instead of|rather than|before|after|from)\b/i;

/** Whether the user says themselves what the proposal says; a question about it says nothing. */
function statesIt(text: string, proposed: Proposed): boolean {
  const statements = text.replace(/[^.!?\n]*\?/g, " ");
  if (!speaksOf(statements, proposed)) return false;
  if (!COMPARES.test(proposed.description)) return true;
  const order = [...wordsOf(proposed.description)];
  const places = [...wordsOf(statements)].map((word) => order.indexOf(word)).filter((place) => place >= 0);
  return places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0));
}

function speaksOf(text: string, proposed: Proposed): boolean {
  const words = wordsOf(`${proposed.name.replaceAll("-", " ")} ${proposed.description} ${proposed.body}`);
  words.delete("user");
  const said = [...wordsOf(text)].filter((word) => word.length > 2);
  return said.filter((word) => words.has(word)).length >= Math.min(2, said.length) && said.length > 0;
}

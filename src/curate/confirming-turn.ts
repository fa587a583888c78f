import { isOnCondition } from "./reservations.ts";
import { opensWithYes, readReply } from "./agreement.ts";
import { cutShown } from "../screening/cut-shown.ts";
import { saysOtherwise } from "./quoted-clause.ts";
import { inOwnFrame } from "./own-frame.ts";
import { asks, namesMemory, repeats, restates } from "./restates.ts";
import { asksAbout } from "./asks-about.ts";
import { isSaidIn } from "./users-words.ts";
import type { SaidTurn } from "./said-turn.ts";
import { wordsOf } from "../recall/words-of.ts";
import { asReplyToRemoval, withdraws, withdrawsLast } from "./withdrawing-turn.ts";

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
const REASON = /\b(?:because|since|as it|weil|denn|parce que|car|porque|ya que)\b[^.!?\n]*/giu;
const KEEP_NOT =
  /\b(?:don['’]?t|do not|never|no need to|not|rather not|please not)\s+(?:\w+\s+){0,2}?(?:save|saved|store|keep|remember|record|note|confirm|write)\b/iu;
/** "No" that is none. */
const HARMLESS_NO =
  /\b(?:no (?:problem|worries|objections?|doubt|need to ask)|why not|not (?:bad|a problem)|can['’]?t (?:complain|agree more)|couldn['’]?t agree more|do not forget|don['’]?t forget|never mind the \w+)\b/giu;

/** How a model's quote is looked at. */
export interface QuoteRules {
  /** ISO times at which the user was asked about it in this session; a bare yes is the answer to the turn after. */
  askedAt: readonly string[];
  /** The agent's closing messages, where its client tells them: a bare yes is the answer to the one before it. */
  closings?: readonly SaidTurn[];
  /** The turns may be of other sessions, where a bare yes was the answer to something else. */
  mustNameIt?: boolean;
  /** The question is whether it is to go. */
  isRemoval?: boolean;
}

/**
 * Whether a model may take a quote for the user's word: the user typed it, verbatim, in a turn after the proposal, which
 * does not say no; and the turn either says again what the proposal says, or assents and calls it by name, or is a bare yes
 * and the first one after the question. "yes, rename the variable" is the answer to something else. The turns and closing
 * messages are those that heed recorded itself, so that a model cannot make one up.
 */
export function weighQuote(
  quote: string | undefined,
  turns: readonly SaidTurn[],
  proposed: Proposed,
  { askedAt, closings = [], mustNameIt = false, isRemoval = false }: QuoteRules,
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
  const later = after.slice(after.indexOf(quoted) + 1);
  const unsaid = later.find(
    ({ text }, i) =>
      withdraws(text, proposed) > 0 || (i === 0 && (withdrawsLast(text) || NO.test(firstWords(text)))),
  );
  if (unsaid && !isRemoval)
    return refuse(
      `the user took that back: "${cutShown(unsaid.text, 80)}"`,
      `ask again if in doubt, ${terminal}`,
    );
  if (isRemoval && withdraws(said, proposed) > 0) return { isGiven: true };
  const text = isRemoval ? asReplyToRemoval(said) : said;
  const speaks = (clause: string): boolean => speaksOf(clause, proposed);
  if (saysNo(text, speaks) || (isRemoval ? statesIt(said, proposed) : isContrary(text, proposed)))
    return refuse(`the user's turn says no: "${cutShown(said, 80)}"`, `ask again if in doubt, ${terminal}`);
  const reply = readReply(text, speaks);
  const isAbout =
    statesIt(reply.rest.join("\n"), proposed) ||
    reply.rest.some((clause) => namesMemory(clause, `${proposed.name} ${proposed.description}`)) ||
    // "that is right: ten years of Go"
    (SAYS_TRUE.test(text) && reply.rest.every((clause) => repeats(clause, proposed.description)));
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
  if ((reply.rest.length > 0 && !reply.saysKeep) || asks(text))
    return refuse(
      `the user's turn speaks of something else: "${cutShown(text, 80)}"`,
      `ask about this memory alone and quote the answer, ${terminal}`,
    );
  // A bare yes is the answer to what was asked last.
  const before = turns.filter(({ time }) => time < quoted.time).at(-1)?.time ?? "";
  const closing = closings.filter(({ time }) => time >= before && time <= quoted.time).at(-1);
  if (closing && !asksAbout(closing.text, proposed))
    return refuse(
      `what the user answered did not ask about it: "${cutShown(closing.text, 80)}"`,
      `ask about this memory alone, with its statement, and quote the answer, ${terminal}`,
    );
  const isAnswer = askedAt.some((asked) => turns.find(({ time }) => time > asked)?.time === quoted.time);
  if (!isAnswer)
    return refuse(
      `a bare "${cutShown(text, 40)}" counts in the first turn after the question about it alone`,
      `ask the user about this memory and quote the answer, ${terminal}`,
    );
  return { isGiven: true };
}

/** Says of what was put to the user that it is so. */
const SAYS_TRUE =
  /(?<!\p{L})(?:(?:that|it|this)(?:['’]?s| is) (?:all )?(?:right|true|correct)|das (?:stimmt|ist richtig)|c['’]est (?:juste|vrai|exact)|es (?:cierto|verdad|correcto))(?!\p{L})/iu;

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

function firstWords(text: string): string {
  return text
    .trim()
    .split(/[\s,.!;:–-]+/)
    .slice(0, 2)
    .join(" ");
}

/** Words behind which the sides of a comparison stand: said the other way round it is another statement. */
const COMPARES = /\b(?:over|than|instead of|rather than|before|after|from)\b/i;

/** What they say of the matter is its contrary, or said on a condition that is not its own. */
function isContrary(text: string, { description }: Proposed): boolean {
  if (isOnCondition(text) && !isOnCondition(description)) return true;
  // Of two sides of a comparison one is denied, which says nothing.
  return !COMPARES.test(description) && saysOtherwise(text.replace(HARMLESS_NO, " "), description);
}

/** Whether the user says themselves what the proposal says; a question about it says nothing. */
function statesIt(text: string, { description }: Proposed): boolean {
  const statements = inOwnFrame(text, description).replace(/[^.!?\n]*\?/g, " ");
  return (
    clausesIn(statements.replace(REASON, " ")).some((clause) => restates(clause, description)) &&
    isInOrder(statements, description)
  );
}

/** Two sides of a comparison are named the way round in which it names them. */
function isInOrder(text: string, description: string): boolean {
  if (!COMPARES.test(description)) return true;
  const order = [...wordsOf(description)];
  const places = [...wordsOf(text)].map((word) => order.indexOf(word)).filter((place) => place >= 0);
  return places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0));
}

function speaksOf(text: string, { name, description, body }: Proposed): boolean {
  const words = wordsOf(`${name.replaceAll("-", " ")} ${description} ${body}`);
  words.delete("user");
  const said = [...wordsOf(text)].filter((word) => word.length > 2);
  return said.filter((word) => words.has(word)).length >= Math.min(2, said.length) && said.length > 0;
}

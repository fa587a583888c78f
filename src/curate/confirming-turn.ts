import { agrees, opensWithYes } from "./agreement.ts";
import { wordsOf } from "../recall/words-of.ts";

/** What the user said, and when. */
export interface SaidTurn {
  text: string;
  /** ISO time. */
  time: string;
}

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

/**
 * Whether a model may take a quote for the user's word: the user said it, verbatim, in a turn after the proposal; the
 * sentences around it do not say no; and it agrees, or says the same as the proposal. The turns are those that heed recorded
 * itself, so that a model cannot make one up.
 *
 * `mustNameIt`: the turns may be of other sessions, where a bare yes was the answer to something else.
 */
export function weighQuote(
  quote: string | undefined,
  turns: readonly SaidTurn[],
  proposed: Proposed,
  { mustNameIt = false }: { mustNameIt?: boolean } = {},
): QuoteAnswer {
  const terminal = `or confirm it in a terminal: heed confirm ${proposed.name}`;
  const refuse = (reason: string, remedy: string): QuoteAnswer => ({ isGiven: false, reason, remedy });
  const wanted = normalise(quote ?? "");
  if (!/\p{L}|👍|✅/u.test(wanted))
    return refuse("no word of the user is quoted", `quote what the user said to the proposal, ${terminal}`);
  const after = turns.filter(
    (turn) => Date.parse(turn.time) > Date.parse(proposed.at) && isUserTurn(turn.text),
  );
  if (after.length === 0)
    return refuse(
      "nothing is recorded that the user said after the proposal",
      `ask the user and quote the answer, ${terminal}`,
    );
  const quoting = after.filter(({ text }) => containsWords(normalise(text), wanted));
  if (quoting.length === 0)
    return refuse(
      "the user did not say that after the proposal",
      `quote the user's answer word for word, ${terminal}`,
    );
  // The last word counts: a yes may have been taken back.
  const text = quoting.at(-1)?.text ?? "";
  if (saysNo(text))
    return refuse(`the user's turn says no: "${text.slice(0, 80)}"`, `ask again if in doubt, ${terminal}`);
  if (mustNameIt && !speaksOf(text, proposed))
    return refuse(
      `it is not known in which session the user said that, and it does not say what it agrees to: "${text.slice(0, 80)}"`,
      `ask the user to say what they agree to and quote that, ${terminal}`,
    );
  if (!agrees(text, (clause) => speaksOf(clause, proposed)) && !statesIt(text, proposed))
    return refuse(
      `the user's turn neither agrees nor speaks of it: "${text.slice(0, 80)}"`,
      `ask the user and quote the answer, ${terminal}`,
    );
  return { isGiven: true };
}

/** What a client puts into the prompt by itself is not what the user said. */
function isUserTurn(text: string): boolean {
  return !/^\s*(?:\/\S|<(?:task-notification|command-|local-command|system|bash-|hook)|\[Request interrupted|Caveat:)/i.test(
    text,
  );
}

function normalise(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/["“”`*_]/g, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.,;:!?…-]+|[\s.,;:!?…-]+$/g, "");
}

/** Whether a text holds a quote as whole words: "ok" is not said by "token". */
function containsWords(text: string, quote: string): boolean {
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? " ", text[at + quote.length] ?? " "];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** A turn that opens with a yes may deny in what it confirms ("yes, I never use it"), but not the keeping itself. */
function saysNo(text: string): boolean {
  if (KEEP_NOT.test(text)) return true;
  const rest = text.replace(HARMLESS_NO, " ");
  if (opensWithYes(rest) && !NO.test(firstWords(rest)))
    return /\b(?:but|actually|although|except)\b/i.test(rest) && NO.test(rest);
  return NO.test(rest);
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

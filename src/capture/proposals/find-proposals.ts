import { LIMITS } from "../../memory/limits.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { hasPointer } from "../../memory/codec/type-needs.ts";
import { oneLine } from "../text/one-line.ts";
import type { UserTurn } from "../digest/session-digest.ts";
import { sentencesOf } from "../text/sentences.ts";
import type { ProposalClass } from "./cue.ts";
import type { ScoredSentence } from "./score-sentence.ts";
import { scoreSentences } from "./score-sentence.ts";
import { inContext } from "./in-context.ts";
import { reasonFor } from "./reason-for.ts";
import { explicitWish, statementOf } from "./statement-of.ts";

/**
 * From these log odds on a sentence is proposed: of labelled turns that are clear 9 of 10 are right there, also
 * when the repository at hand was left out of the fit (`npm run bench -- capture`).
 */
export const MIN_LOG_ODDS: number = 1;
/** A turn that gives more rules than this is a specification. */
const MAX_PER_TURN = 2;

/** Something that the user said and that may be worth keeping. */
export interface Found {
  kind: "remember";
  class: ProposalClass;
  draft: MemoryDraft;
  /** The sentence as it was said. */
  quote: string;
  turn: UserTurn;
  logOdds: number;
  /** The user asked in so many words to keep it. */
  isAsked: boolean;
  /** The user said why. */
  hasReason: boolean;
}

/** The user asked to forget something. */
export interface ForgetWish {
  kind: "forget";
  /** What is to be forgotten, in the user's words. */
  about: string;
  quote: string;
  turn: UserTurn;
}

/** What one turn of the user holds that may be worth keeping or dropping; mostly nothing. */
export function findProposals(turn: UserTurn, minLogOdds: number = MIN_LOG_ODDS): (Found | ForgetWish)[] {
  const scored = scoreSentences(turn.prose);
  let isWish = false;
  const wishes = scored.flatMap((one): (Found | ForgetWish)[] => {
    const wish = explicitWish(one.sentence);
    isWish ||= wish !== undefined;
    if (wish?.kind === "forget") return [{ kind: "forget", about: wish.text, quote: one.sentence, turn }];
    if (wish === undefined) return [];
    return foundOf({ ...one, sentence: wish.text, class: classOfWish(wish.text, one.class) }, turn, true);
  });
  if (isWish) return wishes.slice(0, MAX_PER_TURN);
  const found = scored
    .filter(({ logOdds }) => logOdds >= minLogOdds)
    .sort((a, b) => b.logOdds - a.logOdds)
    .slice(0, MAX_PER_TURN)
    .flatMap((one) => foundOf(one, turn, false));
  const [first] = found;
  // What only points at the first is told with it.
  return found.filter((one) => one === first || !one.draft.description.includes(first?.quote ?? ""));
}

/** What kind of memory is meant by "remember that …": told by the text itself. */
function classOfWish(text: string, scored: ProposalClass | undefined): ProposalClass {
  const own = scoreSentences(text)[0]?.class;
  if (
    /\b(?:i['’]?m|i am|i (?:prefer|like|use|work|live|hate)|my (?:name|job|role|team|machine|editor|timezone))\b/i.test(
      text,
    )
  )
    return "user-fact";
  if (own !== undefined) return own;
  if (/https?:\/\//.test(text)) return "reference";
  if (
    /^(?:to|not to|always|never|don['’]?t|do not|use|run|avoid|prefer|keep|make|ask|check|write)\b/i.test(
      text,
    )
  )
    return "feedback-correction";
  return scored === undefined || scored === "feedback-correction" ? "project-fact" : scored;
}

function foundOf(one: ScoredSentence, turn: UserTurn, isAsked: boolean): Found[] {
  const kind = one.class ?? "feedback-correction";
  const said = statementOf(one.sentence);
  const statement =
    kind === "feedback-confirmation"
      ? confirmedPractice(one.sentence, turn)
      : said === undefined || isAsked
        ? said
        : inContext(said, one.sentence, turn);
  if (statement === undefined || wordCount(statement) < 2) return [];
  const draft = draftOf(kind, statement, one, turn);
  const hasReason = reasonFor(one.sentence, turn.prose) !== undefined;
  const { sentence: quote, logOdds } = one;
  return [{ kind: "remember", class: kind, draft, quote, turn, logOdds, isAsked, hasReason }];
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’./_-]*/gu)?.length ?? 0;
}

/** "Keep doing that" says nothing by itself: what was done is in the agent's words before it. */
function confirmedPractice(sentence: string, turn: UserTurn): string | undefined {
  const rest = sentence.replace(/^.{0,40}?\bkeep (?:doing|using) (?:that|this|it)\b[:,]?\s*/i, "");
  if (wordCount(rest) >= 5 && !/\b(?:that|this|it)\s*[.!]*$/i.test(rest)) return statementOf(rest);
  const did = sentencesOf(turn.before.replace(/```[\s\S]*?(?:```|$)/g, "")).find(
    (one) => wordCount(one) >= 4,
  );
  return did === undefined
    ? undefined
    : `keep doing it this way: ${oneLine(did.replace(/\*\*|`/g, ""), 150)}`;
}

const TYPES: Readonly<Record<ProposalClass, string>> = {
  "feedback-correction": "feedback",
  "feedback-confirmation": "feedback",
  "user-fact": "user",
  "project-fact": "project",
  reference: "reference",
};

function draftOf(kind: ProposalClass, statement: string, one: ScoredSentence, turn: UserTurn): MemoryDraft {
  const wanted = TYPES[kind];
  const type = wanted === "reference" && !hasPointer(statement) ? "project" : wanted;
  const description = oneLine(statement, LIMITS.descriptionChars);
  const day = turn.time.slice(0, 10);
  const quote = `> "${oneLine(one.sentence, 400)}" (the user${day === "" ? "" : `, ${day}`})`;
  const why = reasonFor(one.sentence, turn.prose);
  const lines = [`${capital(statement)}${/[.!?…]$/.test(statement) ? "" : "."}`, "", quote];
  if (type === "feedback") {
    const about = contextOf(turn);
    lines.push(
      "",
      `**Why:** ${why ?? "the user said so; no reason was given."}`,
      `**How to apply:** ${about === undefined ? "whenever work of this kind comes up." : `whenever work of this kind comes up. It was said about: ${about}`}`,
    );
  } else if (why !== undefined) lines.push("", `**Why:** ${why}`);
  return {
    type,
    description,
    body: lines.join("\n"),
    ...(type === "user" && { source: "instructed" as const }),
    ...(type === "feedback" && { source: "instructed" as const }),
  };
}

/** What the agent was at when the user spoke, in one line. */
function contextOf(turn: UserTurn): string | undefined {
  const last = sentencesOf(turn.before.replace(/```[\s\S]*?(?:```|$)/g, "")).at(-1);
  return last === undefined ? undefined : oneLine(last.replace(/\*\*|^#+\s*/g, ""), 200);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { oneLine } from "../text/one-line.ts";
import type { UserTurn } from "../digest/session-digest.ts";
import { sentencesOf } from "../text/sentences.ts";

/** Words that point at something and words that say nothing by themselves. */
const EMPTY = new Set(
  "the a an and or but if then so to of in on at by for with from as is are was were be been being it its this that these those i you he she we they me my your our their him her them not no yes do does did doing done have has had can could will would should may might must need needs want wants like likes love hate there here what which who how when where why all any some more most very just now also again always never ever ok okay please don won isn doesn didn aren wasn dont let lets get got make makes made thing things stuff way supposed about anymore actually really exactly only still even too same one point back keep going right wrong good bad great such than mistake mistakes repeat repeats repeating repeated stop wait".split(
    " ",
  ),
);
const POINTS = /\b(?:this|that|these|those|it|there|here|them|so)\b/i;
/** So many words of content make a statement that points at something understandable without what it points at. */
const ENOUGH_WORDS = 3;
const MAX_ASIDE_CHARS = 110;

/**
 * A statement that can be read in a year: one that only points ("you're supposed to be following that") gets what it
 * points at beside it, from the sentence before or after it or from the agent's last words. Undefined when nothing
 * tells what is meant.
 */
export function inContext(statement: string, sentence: string, turn: UserTurn): string | undefined {
  if (standsAlone(statement)) return statement;
  const sentences = sentencesOf(turn.prose);
  const at = sentences.indexOf(sentence);
  const around = at < 0 ? [] : [sentences[at - 1], sentences[at + 1]];
  const agent = sentencesOf(turn.before.replace(/```[\s\S]*?(?:```|$)/g, "")).at(-1);
  const told = around.find((one) => one !== undefined && (contentWords(one) >= 2 || /[@/]\w/.test(one)));
  if (told !== undefined) return `${statement} (with: "${oneLine(told, MAX_ASIDE_CHARS)}")`;
  if (agent === undefined || contentWords(agent) < 2) return undefined;
  return `${statement} (to the agent's "${oneLine(agent.replace(/\*\*|`|^#+\s*/g, ""), MAX_ASIDE_CHARS)}")`;
}

function standsAlone(statement: string): boolean {
  const words = contentWords(statement);
  return words >= ENOUGH_WORDS || (words > 0 && !POINTS.test(statement));
}

/** Words, paths and addresses that mean something by themselves. */
function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}@~./_-]{2,}/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word.replace(/^[./_-]+|[./_-]+$/g, "").replace(/['’].*$/, "")))
    .length;
}

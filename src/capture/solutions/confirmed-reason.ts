import { oneLine } from "../text/one-line.ts";
import { sentencesOf } from "../text/sentences.ts";
import type { Struggle } from "./struggle.ts";

/** So many sentences of a message after the win are looked at. */
const MAX_SENTENCES = 12;
const MAX_REASON_CHARS = 300;

/** That a sentence says why. */
const SAYS_WHY =
  /\b(?:because|since (?:the|it|there|this|our|my)|as (?:the|it) \w+|due to|caused by|comes? from|turn(?:s|ed) out|the (?:real |actual )?(?:reason|cause|problem|issue|culprit) (?:was|is)|only works? (?:with|when|if)|\w+ (?:needs|needed|requires|required|expects|expected|insists on) )|(?<!\p{L})(?:weil|denn|braucht|verlangt|parce qu|nécessite|porque|necesita)/iu;
/** That a sentence tells how things are, and not what was done. */
const TELLS_OF_THINGS =
  /\b(?:is|are|was|were|has|have|maps?|mapped|uses?|listens?|lives?|runs? (?:on|as|under|behind)|sets?|defaults?|points?|blocks?|rejects?|accepts?|supports?|reads?|ignores?|must|only)\b/i;
const TELLS_A_DEED =
  /^(?:now |so |ok(?:ay)?[,.]? |great[,.!]? |and )?(?:need|next|the user\b|i(?:['’](?:ll|ve|m))?|let me|let['’]s|running|trying|retrying|using|tried|the (?:command|migration|build|test|call)s? (?:ran|worked|passed|succeeded))\b/i;
/** What fails now is another matter. */
const FAILS_NOW = /\b(?:fails?|failing|still)\b/i;
/** A word that names one thing: with a digit, a sign or several parts. */
const IS_NAME = /\d|[_.-]/;
/** A guess is no reason, nor is a question. */
const GUESSES =
  /\b(?:may|might|perhaps|maybe|probably|likely|presumably|apparently|seems?|suspect|guess|could be|should|i think|i assume)\b|\?\s*$|(?<!\p{L})(?:vielleicht|wohl|vermutlich|peut-être|quizás)(?!\p{L})/iu;

/**
 * Why something worked, as the agent says it once it has seen it work: a sentence that gives a cause and is about this
 * struggle, or one that tells how a thing is by which the way that worked differs from those that failed. Undefined where
 * it says none: what it guessed before that is no reason.
 */
export function confirmedReason({ failed, solution }: Struggle, message: string): string | undefined {
  const prose = message.replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/\*\*|^#+\s*/gm, "");
  const tried = failed.map(({ what, error }) => `${what} ${error}`).join(" ");
  const own = tokensOf(solution.what).filter(
    (token) => IS_NAME.test(token) && !tokensOf(tried).includes(token),
  );
  const all = [...tokensOf(tried), ...tokensOf(solution.what)].filter((token) => token.length > 3);
  const found = sentencesOf(prose)
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => !GUESSES.test(sentence) && !sentence.includes(solution.what))
    .find((sentence) => {
      const said = tokensOf(sentence);
      const holds = (tokens: readonly string[]): boolean => tokens.some((token) => said.includes(token));
      if (TELLS_A_DEED.test(sentence) || FAILS_NOW.test(sentence)) return false;
      return SAYS_WHY.test(sentence) ? holds(all) : holds(own) && TELLS_OF_THINGS.test(sentence);
    });
  return found === undefined ? undefined : oneLine(found, MAX_REASON_CHARS);
}

/** What a text names, in lower case: words, numbers, flags, the parts of assignments. */
function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? [];
}

import { matterAskedAbout } from "./asks-about-past.ts";
import type { Passage } from "./passage.ts";

/** "use half-even, ok?" tells, though it asks whether that suits. */
const ASKS =
  /(?<!,\s{0,3}(?:ok|okay|right|yes|no|agreed|oder|ja|ne|nicht wahr|d['’]accord|vale|no))\s{0,3}\?["')\]]{0,3}$/iu;

/** Whether a passage asks and answers nothing: the user's question, or what they were told of the past again. */
function asks({ kind, text }: Passage): boolean {
  return kind === "said" && (ASKS.test(text.trimEnd()) || matterAskedAbout(text) !== undefined);
}

/** The passages that tell something, rather than asking or repeating what was told before, in their order. */
export function tellingPassages(passages: readonly Passage[]): Passage[] {
  let isRepeating = false;
  return passages.filter((passage) => {
    if (passage.kind === "said") isRepeating = matterAskedAbout(passage.text) !== undefined;
    return !asks(passage) && !(isRepeating && passage.kind === "answer");
  });
}

import type { Passage } from "../../capture/passages/passage.ts";
import { isQuestion, passagesOf } from "../../capture/passages/passage.ts";
import { wordsOf } from "../../recall/words-of.ts";
import type { PastConversation } from "../records/past-conversations.ts";

/** So many passages of a conversation that was found are shown. */
const SHOWN_PASSAGES = 3;

/** The passages that hold the most words of a text, the best first; questions last, an answer with the words of its question. */
export function bestPassagesOf(past: PastConversation, text: string): Passage[] {
  const wanted = wordsOf(text);
  const passages = passagesOf(past.conversation);
  return passages
    .map((passage, i) => {
      const before = passages[i - 1];
      const asked = before && passage.kind === "answer" && isQuestion(before) ? before.text : "";
      const held = countHeld(wanted, wordsOf(`${asked}\n${passage.text}`));
      return { passage, tells: Number(!isQuestion(passage)), held };
    })
    .filter(({ held }) => held > 0)
    .toSorted((a, b) => b.tells - a.tells || b.held - a.held)
    .slice(0, SHOWN_PASSAGES)
    .map(({ passage }) => passage);
}

function countHeld(wanted: ReadonlySet<string>, words: ReadonlySet<string>): number {
  let count = 0;
  for (const word of wanted) if (words.has(word)) count += 1;
  return count;
}

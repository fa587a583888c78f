import { sentencesOf } from "../text/sentences.ts";

/** What an agent says of its own last step. */
export interface AgentRemark {
  says: "failed" | "worked";
  /** Its sentence. */
  sentence: string;
}

const FAILED =
  /\b(?:that|this|it|which) (?:did|does|has|had)(?: not|n['’]t) (?:seem to )?(?:work|help|fix|take effect|apply|change anything|match|stick)|\bstill (?:failing|fails|broken|not working|not right|does(?: not|n['’]t) work)\b|\b(?:still )?the same (?:error|problem|result) (?:as before|again)\b|\bmy mistake\b|\bi was wrong\b|\bthat was (?:wrong|incorrect|the wrong)\b|\bi (?:mis(?:read|understood|took)|used the wrong|got (?:it|that) wrong)\b|\b(?:wrong|not the right) (?:approach|flag|option|command|way)\b/i;
const WORKED =
  /\b(?:that|this|it|which) (?:finally |now |actually )?(?:worked|works(?! (?:by|like|as|with|for|on|in|well when))|did it|did the trick|fixed it|solved it)\b|\bworks now\b|\b(?:now|finally) (?:it )?works\b|\bis working now\b|\bthat was it\b/i;
/** A guess or a wish is no remark on it. */
const OPEN =
  /\b(?:if|whether|should|might|may|would|could|let me (?:see|check) (?:if|whether)|hope)\b|\?\s*$/i;
/** A remark stands at the beginning of what an agent says after a step; further down it tells of other things. */
const MAX_SENTENCES = 3;

/** What an agent's message says of the step before it; undefined when it says nothing of it. */
export function agentRemark(text: string): AgentRemark | undefined {
  for (const sentence of sentencesOf(text.slice(0, 1000)).slice(0, MAX_SENTENCES)) {
    if (FAILED.test(sentence)) return { says: "failed", sentence };
    if (WORKED.test(sentence) && !OPEN.test(sentence)) return { says: "worked", sentence };
  }
  return undefined;
}

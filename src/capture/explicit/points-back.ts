/** "Make this a rule", "save that to memory", "remember this": what is meant stands before it. */
const POINTS_BACK: readonly RegExp[] = [
  /^(?:please |and |so |ok(?:ay)?,? |also )*make (?:this|that|it|these)(?: into| as)? (?:a |an |the )?(?:\w+ )?rules?\b/i,
  /^(?:please |and |so |also )*(?:this|that)(?:['’]?s| is) (?:a|the) (?:standing |general |hard |permanent )?rule\b/i,
  /^(?:please |and |so |ok(?:ay)?,? |also |can you |could you )*(?:save|store|add|put|write|commit|keep|note) (?:this|that|it|these)(?: down)? (?:(?:to|in|into) (?:your |the |my |long[- ]term )?(?:memory|memories)|for (?:later|next time|(?:all )?future sessions))\b/i,
  /^(?:please |and |so |ok(?:ay)?,? |also )*(?:remember|memori[sz]e) (?:this|that|it|these)(?: please| for (?:later|next time|the future|all|future sessions))*\s*[.!]*$/i,
];

/** "I'm colour blind, remember that": what stands before it in the sentence. */
export function saidBeforeIn(sentence: string): string | undefined {
  return /^(?!if\b|when\b)(.{6,}?)(?:,|\s[-–—])\s*(?:please |pls |so |and )*(?:remember|memori[sz]e|keep) (?:this|that|it)(?: in (?:mind|memory))?\s*[.!]*$/i.exec(
    sentence,
  )?.[1];
}

/** Whether a sentence asks to keep what was said right before it. */
export function pointsBack(sentence: string): boolean {
  return (
    !/\?\s*$/.test(sentence.replace(/^(?:can|could) you\b.*$/i, "")) &&
    POINTS_BACK.some((pattern) => pattern.test(sentence))
  );
}

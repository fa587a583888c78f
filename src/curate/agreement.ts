/** Words that open a turn with a yes, whatever follows them. */
const YES =
  /^\s*["“'(]?(?:(?:yes|yeah|yea|yep|yup|aye|agreed|of course|ja|oui|sí|да|hai)(?!\p{L})|👍|✅|是|はい|好)/iu;

/** Words that agree to something said before, in a clause that says nothing else. */
const CLEAR: ReadonlySet<string> = wordSet(
  "yes yeah yea yep yup ya aye agree agreed correct exactly indeed absolutely definitely certainly true confirm confirmed",
  "accept accepted approve approved lgtm course save saved keep kept store stored remember record recorded note noted",
  "ja oui si sí да hai 👍 ✅ 是 はい 好",
);
/** Words that agree only where the whole turn says nothing else: they open talk of any kind. */
const WEAK: ReadonlySet<string> = wordSet(
  "ok okay k sure right fine good great perfect nice cool please go ahead do does am works thats me problem worries",
  "objection objections doubt not",
);
/** Words that go with agreement and say nothing of their own. */
const FILLER: ReadonlySet<string> = wordSet(
  "a about again all also and as be for forget from i in is it its just like looks memory memories mind mine my no now of",
  "on one really seems so sounds thank thanks that the them then think this to too very was well why with you your",
);

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/** Whether a turn opens with a word or a clause of agreement. */
export function opensWithYes(turn: string): boolean {
  const [first = []] = clausesOf(turn);
  return YES.test(turn) || agreementOf(first) !== undefined;
}

/**
 * Whether a turn agrees to what was asked before it: it opens with a yes; or a clause that says nothing but that the
 * matter is right or is to be kept comes before anything else is spoken of; or the whole turn is no more than assent.
 * "please run the tests", "great, now the next one" and "keep the old name" agree to nothing.
 *
 * @param speaksOf whether a clause is about the matter itself.
 */
export function agrees(turn: string, speaksOf: (clause: string) => boolean): boolean {
  if (YES.test(turn)) return true;
  // A question asks for more before there is a yes.
  if (turn.includes("?")) return false;
  let isAssent = false;
  for (const words of clausesOf(turn)) {
    const agreement = agreementOf(words);
    if (agreement === "clear") return true;
    if (agreement === undefined && !words.every((word) => FILLER.has(word)) && !speaksOf(words.join(" ")))
      return false;
    isAssent ||= agreement === "weak";
  }
  return isAssent;
}

/** How a clause agrees; undefined when it says something else. */
function agreementOf(words: readonly string[]): "clear" | "weak" | undefined {
  if (!words.every((word) => CLEAR.has(word) || WEAK.has(word) || FILLER.has(word))) return undefined;
  if (words.some((word) => CLEAR.has(word))) return "clear";
  return words.some((word) => WEAK.has(word)) ? "weak" : undefined;
}

/** The clauses of a text as words in lower case, without apostrophes. */
function clausesOf(text: string): string[][] {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[.,;:!?…\n–—]+|\s-+\s/)
    .map((clause) => clause.match(/[\p{L}\p{N}]+|👍|✅/gu) ?? [])
    .filter((words) => words.length > 0);
}

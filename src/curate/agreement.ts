/** Words that open a turn with a yes, whatever follows them. */
const YES =
  /^\s*["“'(]?(?:(?:yes|y(?=[.!\s]*$)|yeah|yea|yep|yup|aye|agreed|of course(?! not)|ja|oui|sí|да|hai)(?!\p{L})|👍|✅|是|はい|好)/iu;

/** Words that agree to something said before, in a clause that says nothing else. */
const CLEAR: ReadonlySet<string> = wordSet(
  "yes y yeah yea yep yup ya aye agree agreed correct exactly indeed absolutely definitely certainly true confirm confirmed",
  "accept accepted approve approved lgtm course save saved keep kept store stored remember record recorded note noted",
  "ja oui si sí да hai сохрани 👍 ✅ 是 はい 好",
  "genau stimmt richtig jawohl exact exactement exacto correcto speichern speicher merken merk retiens garde garder guarda guárdalo",
);
/** Of these the words that are about keeping a memory. */
const KEEPING: ReadonlySet<string> = wordSet(
  "save saved keep kept store stored remember record recorded note noted confirm confirmed сохрани",
  "speichern speicher merken merk retiens garde garder guarda guárdalo",
);
/** Words that agree only where the whole turn says nothing else: they open talk of any kind. */
const WEAK: ReadonlySet<string> = wordSet(
  "ok okay k sure right fine good great perfect nice cool please go ahead do does am works thats me problem worries",
  "objection objections doubt not passt klar gern gerne gut daccord parfait vale claro perfecto bien",
);
/** Words that go with agreement and say nothing of their own. */
const FILLER: ReadonlySet<string> = wordSet(
  "a about again all also and as be both by continue for forget from i in is it its just like looks memory memories mind mine",
  "my no now of on one proceed really seems so sounds thank thanks that the them then think this to too very was well what why meant",
  "always going forward future rule note regel toujours siempre immer règle regla",
  "thing bitte danke dir merci cest gracias por favor eh well with you your das den die eso esto es ihn la las le les lo los sie ça",
);

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/** What a turn says of something that was asked, and what else it says. */
export interface Reply {
  /** It opens with a yes, or says that the matter is right or is to be kept. */
  isAssent: boolean;
  /** It says that the matter is to be kept. */
  saysKeep: boolean;
  /** The clauses that say something of their own. */
  rest: string[];
}

/** Whether a turn opens with a word or a clause of agreement. */
export function opensWithYes(turn: string): boolean {
  const [first = []] = clausesOf(turn).map(wordsIn);
  return YES.test(turn) || agreementOf(first) !== undefined;
}

/**
 * Reads a turn as the reply to a question. It assents where it opens with a yes; or where a clause that says nothing but
 * that the matter is right or is to be kept comes before anything else is spoken of; or where the whole turn is no more
 * than assent. "please run the tests", "great, now the next one" and "keep the old name" assent to nothing.
 *
 * @param speaksOf whether a clause is about the matter itself.
 */
export function readReply(turn: string, speaksOf: (clause: string) => boolean): Reply {
  const clauses = clausesOf(turn.replace(YES, " "));
  // "yes?" asks what was meant.
  const reply: Reply = {
    isAssent: YES.test(turn) && !/^\P{L}*\p{L}+\s*\?/u.test(turn),
    saysKeep: false,
    rest: [],
  };
  // A question asks for more before there is a yes.
  const isOpen = !turn.includes("?");
  let isWeak = false;
  for (const clause of clauses) {
    const words = wordsIn(clause);
    const agreement = agreementOf(words);
    const isElsewhere = reply.rest.some((one) => !speaksOf(one));
    if (agreement === "clear" && !isElsewhere && isOpen) {
      reply.isAssent = true;
      reply.saysKeep ||= words.some((word) => KEEPING.has(word));
    }
    isWeak ||= agreement === "weak";
    if (agreement === undefined && !words.every((word) => FILLER.has(word))) reply.rest.push(clause);
  }
  reply.isAssent ||= isOpen && isWeak && reply.rest.every(speaksOf);
  return reply;
}

/** How a clause agrees; undefined when it says something else. */
function agreementOf(words: readonly string[]): "clear" | "weak" | undefined {
  if (!words.every(isEmptyWord)) return undefined;
  // "of course not", "absolutely not"
  if (words.some((word) => CLEAR.has(word))) return words.at(-1) === "not" ? undefined : "clear";
  return words.some((word) => WEAK.has(word)) ? "weak" : undefined;
}

/** The clauses of a text that hold a word. */
function clausesOf(text: string): string[] {
  return text
    .normalize("NFKC")
    .split(/[.,;:!?…\n–—]+(?=\s|$)|\s-+\s/)
    .map((clause) => clause.trim())
    .filter((clause) => wordsIn(clause).length > 0);
}

/** Whether a word agrees, or goes with agreement, and says nothing of its own. */
export function isEmptyWord(word: string): boolean {
  return CLEAR.has(word) || WEAK.has(word) || FILLER.has(word);
}

/** Words in lower case, without apostrophes. */
export function wordsIn(clause: string): string[] {
  return (
    clause
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{N}]+|👍|✅/gu) ?? []
  );
}

/**
 * English function words without apostrophes. `if` and `for` too: memories are prose, and a keyword inside an
 * identifier is found by the whole identifier.
 */
const WORDS =
  "a about above after again against all also am an and any are arent as at be because been before being below between " +
  "both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during each either else few for from " +
  "further get gets got had hadnt has hasnt have havent having he her here hers herself him himself his how however i id ie " +
  "if ill im in into is isnt it its itself ive just let lets like me more most much my myself no nor not now of off on " +
  "once only or other ought our ours ourselves out over own please same shall she should shouldnt so some such than that " +
  "thats the their theirs them themselves then there theres these they theyre this those through to too under until up " +
  "us very was wasnt we well were werent what when where which while who whom why will with wont would wouldnt yes you " +
  "youre your yours yourself yourselves";

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(" "));

/** Whether a folded, lower-case word carries no meaning for search. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

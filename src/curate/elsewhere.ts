import { readStatement } from "../recall/read-statement.ts";

const AT =
  /(?<![\p{L}'’-])(?:in|into|inside|within|from|for(?= (?:the|this|that|these|those|our|my) )|im|aus|dans|en|desde)\s+(?:(?:the|this|that|these|those|an?|our|my|your|its|all|every|each|any|de[rmn]|die|das|eine[rmn]?|diese[mnrs]?|unsere[mnrs]?|l[ae]s?|une?|nos|notre|ce|cette|el|los|una|est[ea]|es[ea]|nuestr[oa]s?)\s+)*/giu;
const HERE =
  /(?<![\p{L}-])(?:here|there|hier|dort|ici|là|aquí|ahí|allí)(?![\p{L}'’]| (?:is|are|was|were) )/iu;
/** Where heed keeps it, or how: no place of the work. */
const NOWHERE =
  /^(?:memor\p{L}*|heed|store|rules|futur\p{L}*|general|principle|favou?r|force|effect|fact|question|place|gedächtnis|zukunft|mémoire|avenir|memoria|adelante)$/iu;

/**
 * Whether words say where something is to hold, in words that a statement does not have: "in the README", "from the
 * Makefile", "for the example", "here". What is said of a place is not said of the rule.
 */
export function speaksOfPlace(text: string, statement: string): boolean {
  if (HERE.test(text) && !HERE.test(statement)) return true;
  const own = new Set(readStatement(statement).words.map(({ term }) => term));
  return [...text.matchAll(AT)].some((match) => {
    for (const word of text.slice(match.index + match[0].length).split(/\s+/)) {
      const [said] = readStatement(word).words;
      if (said === undefined || NOWHERE.test(said.surface)) return false;
      if (!own.has(said.term)) return true;
    }
    return false;
  });
}

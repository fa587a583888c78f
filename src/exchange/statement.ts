import { LIMITS } from "../memory/limits.ts";

/** One line that says what a text says: its first sentence, cut at a word where it is too long. The text itself stays. */
export function descriptionOf(text: string): string {
  const plain = text
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "")
    .replace(/^#{1,6}\s+/, "")
    .replace(/\*\*([^*\n]{1,200})\*\*/g, "$1")
    .split(/\n\s*\n|\n[ \t]*(?:`{3}|~{3})/, 1)[0]!
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LIMITS.descriptionChars) return plain;
  const sentence = /^(.{20,}?[.!?])(?=\s)/.exec(plain.slice(0, LIMITS.descriptionChars + 1))?.[1];
  if (sentence !== undefined) return sentence;
  const cut = plain.slice(0, LIMITS.descriptionChars - 2);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 100))} …`;
}

/** The beginning of a text, for a report. */
export function beginningOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

const POINTER = /\bhttps?:\/\/\S+/i;
const ABOUT_PERSON =
  /^(?:the )?user(?:'s)?\b|^(?:i am|i'm|i prefer|i like|my (?:name|role|job|editor|timezone))\b/i;
const ORDER =
  /\b(?:never|always|must(?: not)?|should(?: not|n't)?|do not|don't|avoid|prefer|required?|forbidden|ensure|make sure|only use|be sure|instead of)\b/i;
/** Verbs that open a sentence of instruction far more often than anything else. */
const IMPERATIVE =
  /^(?:use|run|write|keep|make|add|follow|put|check|test|name|import|handle|return|commit|create|update|read|ask|say|explain|document|format|lint|build|start|stop|remove|delete|include|exclude|wrap|validate|verify|respect|leave|place|set|store|mock|log|throw|catch|declare|define|limit|refer|treat|work|think|plan|answer|respond|reply|be|consider|minimi[sz]e|maximi[sz]e|separate|split|group|sort|order|favou?r)\b/i;

/**
 * The type that holds a statement of which nobody said the type: a pointer, something about the user, an instruction, or
 * a fact of the work. By form alone; the dry run shows it before anything is written.
 */
export function typeOfStatement(text: string): string {
  const line = descriptionOf(text);
  if (ABOUT_PERSON.test(line)) return "user";
  const isOrder = ORDER.test(line) || IMPERATIVE.test(line);
  if (isOrder) return "feedback";
  return POINTER.test(line) && line.length <= LIMITS.descriptionChars ? "reference" : "project";
}

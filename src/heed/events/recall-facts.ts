import type { Candidate } from "../../inject/select-facts.ts";
import { plainWords } from "../../inject/same-text.ts";
import type { Situation } from "./situation.ts";

/** What facts are looked for. */
export interface FactQuestion {
  /** The prompt, or the error of a tool. */
  text: string;
  /** Only memories of these types are told; undefined for all types whose policy allows it. */
  types?: readonly string[];
  /** Set inside a subagent. */
  agent?: string;
}

/** What recall found for a prompt, best first, and how to cut a long memory to what bears on it. */
export interface RecalledFacts {
  candidates: Candidate[];
  passagesOf(body: string, maxChars: number): readonly string[];
  isCut: boolean;
}

/** Scan: overlap of words. */
export async function recallFacts(
  situation: Situation,
  question: FactQuestion,
  _deadlineAtMs: number,
): Promise<RecalledFacts> {
  const words = new Set(
    plainWords(question.text.slice(0, 4000))
      .split(" ")
      .filter((word) => word.length > 3),
  );
  const candidates: Candidate[] = [];
  for (const card of situation.collection.cards(question.types)) {
    const injection = situation.collection.types.get(card.type)?.injection;
    if (injection === "always" || injection === "resume") continue;
    const own = new Set(
      plainWords([card.description, ...card.tags, ...card.trigger, card.name].join(" ")).split(" "),
    );
    const shared = [...words].filter((word) => own.has(word)).length;
    if (shared === 0) continue;
    const coverage = shared / Math.max(1, words.size);
    candidates.push({
      card,
      score: shared,
      probability: coverage,
      form: coverage >= 0.5 && shared >= 2 ? "body" : shared >= 2 ? "pointer" : "none",
      reason: `${shared} of ${words.size} words of the prompt`,
      terms: { coverage },
    });
  }
  candidates.sort((a, b) => b.score - a.score || (a.card.name < b.card.name ? -1 : 1));
  return {
    candidates: candidates.slice(0, 50),
    passagesOf: (body, maxChars) => [body.slice(0, maxChars)],
    isCut: situation.collection.isCut,
  };
}

import type { PersonalCue } from "../../inject/personal-cue.ts";
import { personalCuesIn, speaksTo } from "../../inject/personal-cue.ts";
import type { Candidate } from "../../inject/select-facts.ts";
import { SALIENCES } from "../../memory/memory.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { FactSituation } from "./situation.ts";
import { whyNotHere } from "./situation.ts";

/** Of what is known about the person so many memories are pointed at when a prompt asks for depth, framing or taste. */
const MAX_PERSONAL = 2;

/**
 * Adds pointers at memories about the person when the prompt's kind, rather than its words, asks for them: those that
 * answer this kind, first the ones that share words as well, then by salience and age.
 */
export function withPersonal(
  candidates: readonly Candidate[],
  text: string,
  situation: FactSituation,
  types: readonly string[],
): Candidate[] {
  const { collection } = situation;
  const personal = types.filter((type) => collection.types.get(type)?.injection === "personal");
  const cues = personal.length === 0 ? [] : personalCuesIn(text);
  if (cues.length === 0) return [...candidates];
  const answers = (card: MemoryCard): boolean =>
    personal.includes(card.type) &&
    card.status === "confirmed" &&
    speaksTo([card.name, card.description, ...card.tags].join("\n"), cues);
  const reason = `the prompt asks for ${cues.map((cue) => IN_WORDS[cue]).join(" and ")}`;
  const isTold = ({ card, form }: Candidate): boolean => personal.includes(card.type) && form !== "none";
  let left = MAX_PERSONAL - candidates.filter(isTold).length;
  const raised = candidates.map((candidate): Candidate => {
    if (candidate.form !== "none" || left <= 0 || !answers(candidate.card)) return candidate;
    left -= 1;
    return { ...candidate, form: "pointer", reason };
  });
  if (left <= 0) return raised;
  const found = new Set(candidates.map(({ card }) => memoryKey(card)));
  const others = collection
    .cards(personal)
    .filter((card) => answers(card) && !found.has(memoryKey(card)) && !whyNotHere(card, situation))
    .sort((a, b) => SALIENCES.indexOf(b.salience) - SALIENCES.indexOf(a.salience) || compareAge(b, a))
    .slice(0, left);
  return [
    ...raised,
    ...others.map((card): Candidate => ({
      card,
      score: 0,
      probability: 0,
      form: "pointer",
      reason,
      terms: {},
    })),
  ];
}

const IN_WORDS: Readonly<Record<PersonalCue, string>> = {
  depth: "depth: what the user knows decides it",
  framing: "framing: how the user writes decides it",
  taste: "taste: what the user likes decides it",
};

function compareAge(a: MemoryCard, b: MemoryCard): number {
  const [first, second] = [a, b].map((card) => card.updated ?? card.created ?? "");
  return (first ?? "") < (second ?? "") ? -1 : first === second ? 0 : 1;
}

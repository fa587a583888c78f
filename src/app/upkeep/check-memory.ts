import { LIMITS } from "../../memory/limits.ts";
import { relativeWordsIn } from "../../curate/relative-dates-gate.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { splitFrontMatter, toLf } from "../../memory/codec/front-matter.ts";
import { lineOfKey } from "../../memory/codec/read-front-matter.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { Problem } from "../../errors/problem.ts";
import { reportTo } from "../../errors/problem.ts";
import { missingNeeds } from "../../memory/codec/type-needs.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { endedOn } from "../../inject/whether-admitted.ts";

/** Reports at most this many relative dates per memory. */
const MAX_DATES = 5;

/** What a memory is checked against. */
export interface MemoryCheck {
  policy: TypePolicy | undefined;
  /** Another tool writes these files by its own rules: what heed's types ask for is a warning there. */
  isForeign: boolean;
  now: Date;
  /** The text of the memory's file, to tell lines. */
  text: string;
}

/** What is wrong with one memory beyond how its file is written. */
export function checkMemory({ card, body }: StoredMemory, check: MemoryCheck): Problem[] {
  const { policy, isForeign, now, text } = check;
  const split = splitFrontMatter(text);
  // A section of a file has no front matter of its own: its problems are told at the line of its first words.
  const bodyLine = lineOfBody(text, body, split.bodyLine);
  const lineOf = (key: string): number => (card.section === undefined ? lineOfKey(split, key) : bodyLine);
  const problems: Problem[] = [];
  const report = reportTo(problems, card.file);
  const strict = isForeign ? "warning" : "error";
  if (card.description.length > LIMITS.descriptionChars) {
    const message = `the description has ${card.description.length} characters, ${LIMITS.descriptionChars} at most fit on one line of context`;
    report(
      "warning",
      "long-description",
      lineOf("description"),
      message,
      "say it shorter; the rest belongs in the text",
    );
  }
  const ended = card.status === "superseded" ? undefined : endedOn(card, now);
  if (ended !== undefined) {
    const message = `it expired on ${ended}, and is told only to who asks about it`;
    report(
      "warning",
      "expired",
      lineOf("expires"),
      message,
      "remove the memory, or give it a later `expires`",
    );
  }
  for (const { code, message, remedy } of parseGuards(card.guard).problems)
    report("error", code, lineOf("guard"), message, remedy);
  if (policy && policy.injection !== "always" && card.guard !== undefined) {
    const message = `a memory of type ${policy.name} has a guard, and only rules stop anything`;
    report(
      "warning",
      "guard-on-no-rule",
      lineOf("guard"),
      message,
      "write the rule as feedback, or remove the guard",
    );
  }
  if (!policy || card.status === "superseded") return problems;
  for (const { need, remedy } of missingNeeds({ ...card, body }, policy)) {
    const message = `a memory of type ${policy.name} needs ${NEED_WORDS[need] ?? need}, and there is none`;
    report(strict, `missing-${need}`, need === "trigger" ? lineOf("type") : bodyLine, message, remedy);
  }
  if (policy.needs.includes("absolute-dates")) {
    const day = (card.updated ?? card.created ?? now.toISOString()).slice(0, 10);
    for (const words of relativeWordsIn({ ...card, body }).slice(0, MAX_DATES)) {
      const at = body.indexOf(words);
      const line = at < 0 ? lineOf("description") : bodyLine + body.slice(0, at).split("\n").length - 1;
      const message = `"${words}" does not mean the same later`;
      report("warning", "relative-date", line, message, `write the day as a date (written on ${day})`);
    }
  }
  return problems;
}

const NEED_WORDS: Readonly<Record<string, string>> = {
  grounds: "the user's words or a Why",
  why: "a Why",
  "how-to-apply": "a How to apply",
  symptom: "a Symptom",
  failed: "what Failed",
  solution: "a Solution",
  trigger: "a trigger",
};

function lineOfBody(text: string, body: string, fallback: number): number {
  const lf = toLf(text);
  const at = body === "" ? -1 : lf.lastIndexOf(body);
  return at < 0 ? fallback : lf.slice(0, at).split("\n").length;
}

import type { GateRefusal } from "../memory/gate-refusal.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Day } from "../memory/calendar-day.ts";
import { readSections } from "../memory/codec/sections.ts";
import type { Gate, GateAnswer, GateContext } from "./gate.ts";

const SPAN = "week|weekend|month|quarter|year|sprint|(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const SPANNE = "woche|monat|quartal|jahr|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch";

/** Words whose day depends on the day of writing. A few per language: the writer is a model, which knows better ones. */
const RELATIVE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_/.-])(?:` +
    [
      "today(?!['’]s)|tonight|tomorrow|yesterday",
      `(?:next|last|this|coming) (?:${SPAN})(?! of)`,
      String.raw`in (?:a|one|two|three|\d{1,2}) (?:days?|weeks?|months?)`,
      String.raw`(?:a|one|two|three|\d{1,2}) (?:days?|weeks?|months?) ago`,
      `heute|übermorgen|vorgestern|gestern|(?:nächste|kommende|letzte|diese)[nrms]? (?:${SPANNE})`,
      "aujourd['’]hui|demain|hier|(?:la semaine|le mois|l['’]année) (?:prochaine?|derni[eè]re?)",
      "hoy|ayer|pasado mañana|(?:la|el) (?:próxim[oa]|semana que viene|mes que viene)",
    ].join("|") +
    // With the date beside them they are plain.
    String.raw`)(?![\p{L}\p{N}_-]|[\s,]{0,2}\(?\d{4}-\d\d)`,
  "giu",
);

/** What is no statement of the writer's: code, addresses, and whatever stands in quotation marks or below `>`. */
const NOT_SAID =
  /^(`{3}|~{3})[\s\S]*?^\1|`[^`\n]{1,400}`|\bhttps?:\/\/\S+|^ {0,3}>.*$|"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“\n]{1,400}“|«[^»\n]{1,400}»/gmu;

/** The relative words in what a memory states, each once, as they are written. Labelled parts and quotations are not read. */
export function relativeWordsIn({ description, body }: { description: string; body: string }): string[] {
  const said = `${description}\n${readSections(body).statement}`.slice(0, 20_000).replace(NOT_SAID, " ");
  return [...new Map([...said.matchAll(RELATIVE)].map(([word]) => [word.toLowerCase(), word])).values()];
}

/**
 * Refuses a day that only today explains: the writer knows which day is meant. A person may keep the words
 * (`keepsRelativeDates`); hooks and imports are warned.
 */
export const relativeDatesGate: Gate = {
  name: "relative-dates",
  check(draft: MemoryDraft, { policy, today, current, actor, isConfirmed }: GateContext): GateAnswer {
    const isOver = draft.expires !== undefined && draft.expires.slice(0, 10) < today;
    const isNew = draft.expires !== current?.expires || draft.description !== current?.description;
    const warnings =
      isOver && isNew ? [`${draft.expires} is over: this is only shown as expired, on request`] : [];
    if (policy?.needs.includes("absolute-dates") === false || isConfirmed) return { warnings };
    const before = new Set(current && relativeWordsIn(current));
    const words = relativeWordsIn(draft).filter((word) => !before.has(word));
    if (words.length === 0 || (actor.kind === "person" && draft.keepsRelativeDates)) return { warnings };
    const refusal = refuse(words, today);
    return actor.kind === "model" || actor.kind === "person"
      ? { warnings, refusals: [refusal] }
      : { warnings: [...warnings, `${refusal.reason}: ${refusal.remedy}`] };
  },
};

function refuse(words: readonly string[], today: Day): GateRefusal {
  return {
    gate: "relative-dates",
    reason: `it says ${words.map((word) => `"${word}"`).join(", ")}, and nobody will know later which day that was`,
    remedy: `write the day as a date (${dayInWords(today)}); a name or somebody's own words go in quotation marks`,
  };
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** "today is 2026-11-23, a Monday": what a writer needs to write a date. */
export function dayInWords(today: Day): string {
  return `today is ${today}, a ${WEEKDAYS[new Date(today).getUTCDay()]}`;
}

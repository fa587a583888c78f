import type { GateRefusal } from "../memory/gate-refusal.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import { findEndDate } from "./end-date.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import type { RelativeDate } from "./relative-date.ts";
import { resolveRelativeDates } from "./relative-dates.ts";

const FIELDS = ["description", "body"] as const;

/**
 * Makes relative dates absolute against the day of writing. What cannot be told is refused for facts, with the
 * likeliest reading as a proposal, and questioned for rules, where "Friday" and "today" are often meant in general.
 * A project memory whose text names the day on which it ends expires after that day.
 */
export const relativeDatesGate: Gate = {
  name: "relative-dates",
  async check(draft: MemoryDraft, context: GateContext): Promise<GateAnswer> {
    const isRule = context.policy?.layer === "procedural";
    const resolved: MemoryDraft = { ...draft };
    const proposal: Partial<MemoryDraft> = {};
    // What the memory said before today was not meant against today.
    const before = context.current ? `${context.current.description}\n${context.current.body}` : "";
    const oldLines = new Set(before.split("\n").map((line) => line.trim()));
    const replaced: { from: string; to: string }[] = [];
    const open: RelativeDate[] = [];
    for (const field of FIELDS) {
      const weights = isRule ? (["firm"] as const) : (["firm", "loose"] as const);
      const answer = await resolveRelativeDates(draft[field], context.today, weights, oldLines);
      resolved[field] = answer.text;
      replaced.push(...answer.replaced);
      open.push(...answer.open);
      proposal[field] = putLikeliest(draft[field], answer.open, answer.text);
    }
    if (!draft.expires && context.policy?.needs.includes("absolute-dates")) {
      const end = findEndDate(`${resolved.description}\n${resolved.body}`);
      if (end !== undefined && end >= context.today) resolved.expires = end;
    }
    const refused = isRule ? [] : open.filter((found) => found.weight !== "vague");
    const questioned = open.filter((found) => !refused.includes(found));
    return {
      draft: resolved,
      warnings: [
        ...replaced.map(({ from, to }) => `"${from}" is written as "${to}" (today is ${context.today})`),
        ...[...new Set(questioned.map(({ text }) => text))].map(
          (text) => `"${text}" will not mean the same in a month: give the date if one is meant`,
        ),
      ],
      ...(refused.length > 0 && { refusals: [refuse(refused, proposal, context.today)] }),
    };
  },
};

function refuse(open: readonly RelativeDate[], proposal: Partial<MemoryDraft>, today: string): GateRefusal {
  const words = [...new Map(open.map((found) => [found.text, found])).values()];
  const canPropose = words.every(({ candidates }) => candidates.length > 0);
  return {
    gate: "relative-dates",
    reason: `${words.map(({ text }) => `"${text}"`).join(", ")} cannot be told from today (${today}) alone`,
    remedy: words
      .map(({ text, candidates }) =>
        candidates.length > 0
          ? `write ${candidates.map((one) => `"${one}"`).join(" or ")} for "${text}"`
          : `give the date for "${text}" as YYYY-MM-DD`,
      )
      .join("; "),
    ...(canPropose && { proposal }),
  };
}

/** The text with every open date replaced by its likeliest reading; falls back to the resolved text. */
function putLikeliest(original: string, open: readonly RelativeDate[], resolved: string): string {
  if (open.every(({ candidates }) => candidates.length === 0)) return resolved;
  return open.reduce(
    (text, { text: words, candidates }) => {
      const at = text.indexOf(words);
      return at < 0 || candidates[0] === undefined
        ? text
        : text.slice(0, at) + candidates[0] + text.slice(at + words.length);
    },
    resolved === original ? original : resolved,
  );
}

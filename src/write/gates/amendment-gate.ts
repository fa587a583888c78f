import { handleOf } from "../../memory/handle.ts";
import type { MemoryDraft } from "../../memory/memory.ts";
import { withoutQuotations, readSections, sectionLabel } from "../../memory/codec/sections.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";
import { wordsOf } from "../../search/parse-query.ts";

/** What stands for text that the writer left out. */
const PLACEHOLDER =
  /(?:\[|\(|<!--|\.\.\.|…)\s*(?:the )?(?:rest|remainder|remaining|other|existing|previous|earlier|above)\b[^\n]{0,60}(?:unchanged|same|as before|here|content|text|sections?|omitted)|\[(?:truncated|omitted|unchanged|snip)\]|(?:\.\.\.|…)\s*$/i;

/** A new text below this share of the old one's length may have lost something. */
const SHORTENED = 0.6;
/** The share of the old words that must be left for a shortened text to count as reworded. */
const KEPT_WORDS = 0.5;

/** Refuses an amendment that loses text, unless it says `replaces`; a person, who sees the diff, is warned. */
export const amendmentGate: Gate = {
  name: "amendment",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const { current } = context;
    const isMeant = draft.relation?.kind === "replaces" || context.isConfirmed;
    if (!current || isMeant || draft.body.trim() === current.body.trim()) return {};
    const loss = findLoss(withoutQuotations(draft.body), withoutQuotations(current.body));
    if (!loss) return {};
    if (context.actor.kind === "person") return { warnings: [loss.reason] };
    return {
      refusals: [
        {
          gate: "amendment",
          reason: `${handleOf(current)} exists, and ${loss.reason}`,
          remedy:
            "give the whole new text, or with `sections` only the parts that change (null takes one away)",
          ...(loss.body !== undefined && { proposal: { body: loss.body } }),
        },
      ],
    };
  },
};

function findLoss(body: string, before: string): { reason: string; body?: string } | undefined {
  const placeholder = PLACEHOLDER.exec(body)?.[0].trim();
  if (placeholder !== undefined && !before.includes(placeholder))
    return { reason: `"${placeholder.slice(0, 60)}" replaces text that would be lost` };
  const labels = new Set(labelledParts(body).map(({ label }) => keyOf(label)));
  for (const label of Object.keys(readSections(body).sections)) labels.add(label);
  const lost = labelledParts(before).filter(({ label }) => !labels.has(keyOf(label)));
  if (lost.length > 0)
    return {
      reason: `the new text lacks ${lost.map(({ label }) => `"${label}"`).join(", ")}`,
      body: `${body.trimEnd()}\n${lost.map(({ text }) => text.trimEnd()).join("\n")}`,
    };
  if (body.length >= before.length * SHORTENED) return undefined;
  const words = wordsOf(body);
  const old = [...wordsOf(before)];
  const kept = old.filter((word) => words.has(word)).length / Math.max(1, old.length);
  if (kept >= KEPT_WORDS) return undefined;
  return {
    reason: `the new text has ${body.length} characters for ${before.length} and drops most of what it said`,
  };
}

/** The wordings of one label count as the same section. */
function keyOf(label: string): string {
  return sectionLabel(label) ?? label.toLowerCase();
}

/** One labelled part of a memory's text: what stands below a heading, or behind a bold label at the start of a line. */
interface LabelledPart {
  /** As written, without marks and colon: `Why`, `How to apply`. */
  label: string;
  /** The whole text of the part, its label line included. */
  text: string;
}

const LABEL =
  /^(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*\n]{1,60}?):?\*\*:?(?:\s.*)?|\*\*([^*\n]{1,60}?)\*\*:.*)$/;

function labelledParts(body: string): LabelledPart[] {
  const parts: LabelledPart[] = [];
  let isFenced = false;
  for (const line of body.split("\n")) {
    const match = isFenced ? null : LABEL.exec(line.trimEnd());
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const label = match?.[1] ?? match?.[2] ?? match?.[3];
    const last = parts.at(-1);
    if (label !== undefined) parts.push({ label: label.replace(/:$/, ""), text: line });
    else if (last) last.text += `\n${line}`;
  }
  return parts;
}

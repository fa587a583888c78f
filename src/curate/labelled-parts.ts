/** One labelled part of a memory's text: what stands below a heading, or behind a bold label at the start of a line. */
export interface LabelledPart {
  /** As written, without marks and colon: `Why`, `How to apply`. */
  label: string;
  /** The whole text of the part, its label line included. */
  text: string;
}

const LABEL =
  /^(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*\n]{1,60}?):?\*\*:?(?:\s.*)?|\*\*([^*\n]{1,60}?)\*\*:.*)$/;

/**
 * The labelled parts of a text, whatever they are labelled with, in order and as they are written: what an amendment
 * carries on. What a rule or a solution is made of, under the wordings that people use, is `memory/sections.ts`.
 */
export function labelledParts(body: string): LabelledPart[] {
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

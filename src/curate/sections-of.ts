/** One labelled part of a memory's text: what stands below a heading, or behind a bold label at the start of a line. */
export interface TextSection {
  /** As written, without marks and colon: `Why`, `How to apply`. */
  label: string;
  /** The whole text of the section, its label line included. */
  text: string;
}

const LABEL =
  /^(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*\n]{1,60}?):?\*\*:?(?:\s.*)?|\*\*([^*\n]{1,60}?)\*\*:.*)$/;

/** The labelled sections of a text, in order; what stands before the first label belongs to none. */
export function sectionsOf(body: string): TextSection[] {
  const sections: TextSection[] = [];
  let isFenced = false;
  for (const line of body.split("\n")) {
    const match = isFenced ? null : LABEL.exec(line.trimEnd());
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const label = match?.[1] ?? match?.[2] ?? match?.[3];
    const last = sections.at(-1);
    if (label !== undefined) sections.push({ label: label.replace(/:$/, ""), text: line });
    else if (last) last.text += `\n${line}`;
  }
  return sections;
}

/** Where a memory is linked from the overview of another tool. */
export interface OverviewEntry {
  name: string;
  description: string;
  /** Path relative to the overview. */
  file: string;
}

/**
 * Keeps the one line of a memory in a MEMORY.md that belongs to another tool (`- [name](file) — description`); every
 * other line stays as it is. A memory without a line gets one when it is new; whoever removed it meant it.
 *
 * @param oldFile the file under which it was linked so far; undefined for a memory that was not there.
 * @param entry what the line says from now on; undefined when the memory is gone.
 */
export function editOverviewLine(
  text: string,
  oldFile: string | undefined,
  entry: OverviewEntry | undefined,
): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const position = oldFile === undefined ? -1 : lines.findIndex((line) => line.includes(`](${oldFile})`));
  if (position >= 0) {
    if (entry) lines[position] = renderLine(entry, /^\s*[-*+]\s+/.exec(lines[position] ?? "")?.[0]);
    else lines.splice(position, 1);
    return lines.join(eol);
  }
  if (!entry || oldFile !== undefined) return text;
  const lead = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  return `${lead}${renderLine(entry)}${eol}`;
}

function renderLine({ name, file, description }: OverviewEntry, bullet = "- "): string {
  return `${bullet}[${name}](${file}) — ${description.replace(/\s+/g, " ")}`;
}

import type { MarkdownItem } from "../markdown-items.ts";

/** A field of an entry: `- **rationale**: row locks`; several may stand in one line, between bars. */
const FIELD = /\*\*([a-z_ ]{2,30})\*\*:[ \t]*([^|\n]*)/gi;
/** What says how sure the tool is, and since when: not what it knows. */
const KEPT_BESIDE = new Set(["confidence", "last_verified", "last_interaction", "evidence", "status"]);
const ENDED = /\b(?:superseded|cancelled)\b/i;

/** An entry on its way: its lines below one heading. */
interface Entry {
  heading: string;
  line: number;
  text: string;
}

/**
 * The entries of a register of total-recall: a heading with fields below it, a claim with the fields that follow it, or a
 * plain line of a list. Quotations and placeholders are the template's; what is superseded is left to `refuse`.
 */
export function registerItems(markdown: string): MarkdownItem[] {
  const entries: Entry[] = [];
  let heading = "";
  let open: Entry | undefined;
  const lines = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]{0,20000}?-->/g, (comment) => comment.replace(/[^\n]/g, ""))
    .split("\n");
  for (const [i, raw] of lines.entries()) {
    // The ids that stand in its lines are not part of what they say.
    const line = raw.replace(/[ \t]*\^tr[0-9a-f]{10}\b/g, "").trimEnd();
    const title = /^#{2,6}\s+(.+)$/.exec(line)?.[1];
    if (title !== undefined) {
      heading = title.trim();
      open = undefined;
      continue;
    }
    if (line.trim() === "" || /^\s*>|^#\s|^\s*-\s+\[[^\]]*(?:yet|none)[^\]]*\]$/i.test(line)) continue;
    const isField = /^\s*(?:-\s+)?\*\*[a-z_ ]{2,30}\*\*:/i.test(line);
    const isNext = /^-\s/.test(line) && (!isField || /^-\s+\*\*claim\*\*:/i.test(line) || !open);
    if (isNext || !open) entries.push((open = { heading, line: i + 1, text: line.trim() }));
    else open.text += `\n${line.trim()}`;
  }
  return entries.map(({ heading: above, line, text }) => ({
    headings: ["", above],
    line,
    text: statementOf(text),
    kind: "item",
  }));
}

/** The first field says it; the others stand below it by their names. */
function statementOf(text: string): string {
  const fields = [...text.matchAll(FIELD)].map(([, key = "", value = ""]) => ({
    key: key.trim().toLowerCase(),
    value: value.trim(),
  }));
  if (fields.length === 0) return text.replace(/^-\s+/, "");
  const ended = fields.find(({ key, value }) => key === "status" && ENDED.test(value));
  const [first, ...more] = fields.filter(({ key, value }) => value !== "" && !KEPT_BESIDE.has(key));
  const said = [
    first?.value ?? "",
    ...more.map(({ key, value }) => `- ${key.replaceAll("_", " ")}: ${value}`),
  ];
  return `${ended ? "[superseded] " : ""}${said.join("\n")}`;
}

/** Why an entry is not taken: another has taken its place. */
export function isSuperseded({ text }: MarkdownItem): string | undefined {
  return /\[superseded\b/i.test(text) ? "it is marked as superseded there" : undefined;
}

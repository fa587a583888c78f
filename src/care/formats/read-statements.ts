import type { MemoryDraft } from "../../memory/memory.ts";
import { LIMITS } from "../../memory/limits.ts";
import { type Fields, splitFile, timeOf } from "./foreign-fields.ts";
import { type ForeignReading, type ForeignSource, leaveOut } from "./import-format.ts";
import { type MarkdownItem, markdownItems } from "./markdown-items.ts";

/** What holds for all statements of a file. */
interface StatementKind {
  /** Default: `ASSUMED`. */
  type?: string;
  fields: Partial<MemoryDraft>;
  /** Fields that the front matter gives. */
  fieldsFrom?: (frontMatter: Fields) => Partial<MemoryDraft>;
  /** Only what stands below a heading like this. */
  below?: RegExp | undefined;
}

/**
 * Adds the statements of a markdown file, each with the author's own words. The heading above goes before it, unless that
 * is the file's title: "use tabs" below "Makefiles" says something else alone. Code and tables are left out and named.
 */
export function readStatements(
  reading: ForeignReading,
  source: ForeignSource,
  file: string,
  { type, fields, fieldsFrom, below }: StatementKind,
): void {
  const text = source.read(file);
  if (text === undefined) return leaveOut(reading, file, file, "it is not text, or too large");
  const { fields: frontMatter, body, line } = splitFile(text);
  const created = timeOf(frontMatter["created"], frontMatter["created_at"]);
  // Hermes parts its entries by section signs.
  const markdown = "\n".repeat(line) + withoutMarkedBlocks(body).replace(/^§$/gm, "");
  for (const item of markdownItems(markdown)) {
    if (below && !item.headings.some((title) => below.test(title))) continue;
    const place = `${file}:${item.line}`;
    const reason = reasonAgainst(item);
    if (reason !== undefined) {
      leaveOut(reading, place, item.text, reason);
      continue;
    }
    const heading = item.headings.slice(1).findLast((title) => title !== "" && !below?.test(title));
    const said =
      heading === undefined || item.text.startsWith(heading) ? item.text : `${heading}: ${item.text}`;
    reading.memories.push({
      key: `${file}\n${said}`,
      place,
      draft: {
        ...(type === undefined ? ASSUMED : { type }),
        description: descriptionOf(said),
        body: said,
        ...fields,
        ...fieldsFrom?.(frontMatter),
      },
      ...(created !== undefined && { created }),
    });
  }
}

/** What heed or another program keeps between marks is not the author's; line numbers stay. */
function withoutMarkedBlocks(text: string): string {
  return text.replace(
    /<!--\s*([\w:-]{3,40})[ :-](?:start|begin)\s*-->[\s\S]{0,50000}?<!--\s*\1[ :-]end\s*-->/gi,
    (block) => block.replace(/[^\n]/g, ""),
  );
}

function reasonAgainst({ kind, text }: MarkdownItem): string | undefined {
  if (kind === "code") return "code without a sentence: say what it is for, and import it again";
  if (kind === "table")
    return "a table: its rows say nothing without their head; write those that matter as sentences";
  if (/^@[\w~./-]+$/.test(text)) return "it includes another file: import that file";
  if (/^!?\[[^\]]*\]\([^)]*\)$/.test(text)) return "a link alone";
  if (text.replace(/[^\p{L}\p{N}]/gu, "").length < 8) return "too short to say something alone";
  if (/:[*_]{0,3}$/.test(text)) return "it introduces something, and says nothing alone";
  return undefined;
}

/** One line that says what a text says: its first sentence, cut at a word where it is too long. The text itself stays. */
export function descriptionOf(text: string): string {
  const plain = text
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "")
    .replace(/^#{1,6}\s+/, "")
    .replace(/\*\*([^*\n]{1,200})\*\*/g, "$1")
    .split(/\n\s*\n|\n[ \t]*(?:`{3}|~{3})/, 1)[0]!
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LIMITS.descriptionChars) return plain;
  const sentence = /^(.{20,}?[.!?])(?=\s)/.exec(plain.slice(0, LIMITS.descriptionChars + 1))?.[1];
  if (sentence !== undefined) return sentence;
  const cut = plain.slice(0, LIMITS.descriptionChars - 2);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 100))} …`;
}

/** What a format that knows no types holds: facts of the work, to be checked by whoever imports them (`--type` says other). */
export const ASSUMED = { type: "project", status: "provisional" } as const;

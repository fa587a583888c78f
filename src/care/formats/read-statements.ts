import type { MemoryDraft } from "../../memory/memory.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { Fields } from "./foreign-fields.ts";
import { splitFile, timeOf } from "./foreign-fields.ts";
import type { ForeignReading, ForeignSource } from "./import-format.ts";
import { leaveOut } from "./import-format.ts";
import type { MarkdownItem } from "./markdown-items.ts";
import { markdownItems } from "./markdown-items.ts";

/** What holds for all statements of a file. */
export interface StatementKind {
  /** The type of them all; default: assumed, see `ASSUMED`. */
  type?: string;
  /** When all of it was written, ISO; default: as the front matter says. */
  created?: string | undefined;
  /** Fields of each draft. */
  fields?: Partial<MemoryDraft>;
  /** Fields of each draft that the file's front matter gives. */
  fieldsFrom?: (frontMatter: Fields) => Partial<MemoryDraft>;
  /** Takes a text apart where it is not plain markdown; line numbers stay. */
  prepare?: (text: string) => string;
  /** How the text is taken apart; default: as markdown. */
  items?: (markdown: string) => MarkdownItem[];
  /** Why a statement is left out; undefined: it is not. */
  refuse?: (item: MarkdownItem) => string | undefined;
}

/**
 * The statements of markdown files, each as a draft with the author's own words. The heading above it goes before it,
 * unless that is the file's title: "use tabs" below "Makefiles" says something else alone. Code and tables without a
 * sentence are left out and named. `kindOf` says what a file holds; a text: it is left out, with this as reason;
 * undefined: it is not looked at.
 */
export function readStatements(
  source: ForeignSource,
  files: readonly string[],
  kindOf: (file: string) => StatementKind | string | undefined,
): ForeignReading {
  const reading: ForeignReading = { memories: [], leftOut: [] };
  for (const file of files) {
    const kind = kindOf(file);
    if (kind === undefined) continue;
    const text = source.read(file);
    if (typeof kind === "string" || text === undefined)
      leaveOut(reading, file, file, typeof kind === "string" ? kind : "it is not text, or too large");
    else readFile(reading, file, text, kind);
  }
  return reading;
}

function readFile(reading: ForeignReading, file: string, text: string, kind: StatementKind): void {
  const { fields, body, line } = splitFile(text);
  const created = timeOf(kind.created, fields["created"], fields["created_at"]);
  const markdown = `${"\n".repeat(line)}${kind.prepare?.(body) ?? body}`;
  for (const item of (kind.items ?? markdownItems)(markdown)) {
    const place = `${file}:${item.line}`;
    const reason = reasonAgainst(item) ?? kind.refuse?.(item);
    if (reason !== undefined) {
      leaveOut(reading, place, item.text, reason);
      continue;
    }
    const heading = item.headings.slice(1).findLast((title) => title !== "");
    const said =
      heading === undefined || item.text.startsWith(heading) ? item.text : `${heading}: ${item.text}`;
    reading.memories.push({
      key: `${file}\n${said}`,
      place,
      draft: {
        ...(kind.type === undefined ? ASSUMED : { type: kind.type }),
        description: descriptionOf(said),
        body: said,
        ...kind.fields,
        ...kind.fieldsFrom?.(fields),
      },
      ...(created !== undefined && { created }),
    });
  }
}

function reasonAgainst({ kind, text }: MarkdownItem): string | undefined {
  if (kind === "code") return "code without a sentence: say what it is for, and import it again";
  if (kind === "table")
    return "a table: its rows say nothing without their head; write those that matter as sentences";
  if (/^@[\w~./-]+$/.test(text)) return "it includes another file: import that file";
  if (/^!?\[[^\]]*\]\([^)]*\)$/.test(text)) return "a link alone";
  if (text.replace(/[^\p{L}\p{N}]/gu, "").length < 8) return "too short to say something alone";
  if (text.endsWith(":")) return "it introduces something, and says nothing alone";
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

import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { ForeignMemory, LeftOut } from "./foreign-memory.ts";
import type { MarkdownItem } from "./markdown-items.ts";
import { markdownItems } from "./markdown-items.ts";
import { ASSUMED, beginningOf, descriptionOf } from "./statement.ts";

/** What holds for all statements of a file. */
export interface StatementKind {
  /** The type of them all; default: assumed, see `ASSUMED`. */
  type?: string;
  /** Fields of each draft. */
  fields?: Partial<MemoryDraft>;
  created?: string;
  project?: string;
  /** How the file is taken apart; default: as markdown. */
  items?: (markdown: string) => MarkdownItem[];
  /** A statement is kept only when this says nothing against it. */
  refuse?: (item: MarkdownItem) => string | undefined;
}

/**
 * The statements of a markdown file, each as a draft with the author's own words: the heading above it, unless that is
 * the file's title, goes before it, since
 * "use tabs" below "Makefiles" says something else alone. Code and tables without a sentence are left out and named.
 */
export function readStatements(
  file: string,
  markdown: string,
  kind: StatementKind = {},
): { memories: ForeignMemory[]; leftOut: LeftOut[] } {
  const memories: ForeignMemory[] = [];
  const leftOut: LeftOut[] = [];
  for (const item of (kind.items ?? markdownItems)(markdown)) {
    const place = `${file}:${item.line}`;
    const reason = reasonAgainst(item) ?? kind.refuse?.(item);
    if (reason !== undefined) {
      leftOut.push({ place, what: beginningOf(item.text), reason });
      continue;
    }
    const heading = item.headings.slice(1).findLast((title) => title !== "");
    const said =
      heading === undefined || item.text.startsWith(heading) ? item.text : `${heading}: ${item.text}`;
    memories.push({
      key: `${file}\n${said}`,
      place,
      draft: {
        ...(kind.type === undefined ? ASSUMED : { type: kind.type }),
        description: descriptionOf(said),
        body: said,
        ...kind.fields,
      },
      ...(kind.created !== undefined && { created: kind.created }),
      ...(kind.project !== undefined && { project: kind.project }),
    });
  }
  return { memories, leftOut };
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

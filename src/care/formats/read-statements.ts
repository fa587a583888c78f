import type { MemoryDraft } from "../../memory/memory.ts";
import { LIMITS } from "../../memory/limits.ts";
import { type Fields, type ForeignReading, listOf, splitFile, textOf, timeOf } from "./import-format.ts";

/** One statement of a markdown file: an item of a list with what is nested below it, a paragraph, or a row of a table. */
export interface MarkdownItem {
  /** The headings above it by level, the file's title first; empty for a level that has none. */
  headings: string[];
  /** As it stands there, without the mark of the list. */
  text: string;
  /** 1-based line. */
  line: number;
  kind: "item" | "paragraph" | "code";
}

/** A statement that goes on; `isList`: it opened a list, and holds its items. */
interface OpenItem extends Omit<MarkdownItem, "kind"> {
  kind: MarkdownItem["kind"] | "table";
  isList: boolean;
}

const MAX_LINES = 20_000;

/** Takes a markdown text apart into statements, each with what is nested in it, its code block, or the list that it introduces; `rest`: the line from which on it is not read. */
function markdownItems(markdown: string): { items: MarkdownItem[]; rest?: number } {
  const items: MarkdownItem[] = [];
  const headings: string[] = [];
  let open: OpenItem | undefined;
  let fence = "";
  let isAfterBlank = true;
  const close = (): void => {
    if (open?.kind === "table") items.push(...rowsOf(open));
    else if (open && open.text.trim() !== "") {
      const { headings: above, text, line, kind } = open;
      items.push({ headings: above, text: dedent(text), line, kind });
    }
    open = undefined;
  };
  const begin = (kind: OpenItem["kind"], text: string, line: number): void => {
    close();
    open = { headings: [...headings], text, line, kind, isList: false };
  };
  const joint = (): string => (isAfterBlank ? "\n\n" : "\n");
  const enter = (level: number, title: string): void => {
    headings.length = Math.min(headings.length, level - 1);
    while (headings.length < level - 1) headings.push("");
    headings.push(title.trim());
    isAfterBlank = true;
  };
  const lines = withoutComments(markdown).split("\n");
  for (const [i, raw] of lines.slice(0, MAX_LINES).entries()) {
    // A quotation says what it says; its marks and those of an alert are dress.
    const line = fence === "" ? raw.replace(/^(?: ?> ?)+(?:\[![A-Z]+\][ \t]*$)?/, "") : raw;
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "" || mark !== "") {
      if (fence === "") {
        if (open === undefined) begin("code", line, i + 1);
        else open.text += joint() + line;
        fence = mark;
      } else {
        if (open) open.text += `\n${line}`;
        if (mark.startsWith(fence) && line.trim() === mark) fence = "";
      }
      isAfterBlank = false;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})[ \t]+(\S[^\n]{0,300})$/.exec(line);
    if (heading) {
      close();
      enter(heading[1]!.length, heading[2]!.replace(/[ \t]+#+[ \t]*$/, ""));
      continue;
    }
    const underline =
      isAfterBlank || open?.kind !== "paragraph" ? "" : (/^(?:=+|-{2,})\s*$/.exec(line)?.[0] ?? "");
    if (open && underline !== "" && !open.text.includes("\n")) {
      enter(underline.startsWith("=") ? 1 : 2, open.text);
      open = undefined;
      continue;
    }
    if (/^\s*(?:(?:[-*_]\s*){3,}|<\/?[a-z][\w:-]*(?:\s[^<>]*)?>\s*)$/i.test(line)) {
      close();
      isAfterBlank = true;
      continue;
    }
    if (line.trim() === "") {
      isAfterBlank = true;
      // A blank line ends a paragraph; an item may go on below it, when that is indented.
      if (open && open.kind !== "item" && !open.text.trimEnd().endsWith(":")) close();
      continue;
    }
    const item = /^( {0,3})(?:[-*+]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(line);
    if (item) {
      // A list below "do this:" is one statement with it.
      if (open && open.kind === "paragraph" && open.text.trimEnd().endsWith(":")) {
        open.text += `\n${line}`;
        open.kind = "item";
        open.isList = true;
      } else if (open?.isList === true) open.text += `\n${line}`;
      else begin("item", item[2]!.replace(/^\[ \][ \t]+/, ""), i + 1);
    } else if (open && /^(?: {2,}|\t)/.test(line) && open.kind === "item") open.text += joint() + line;
    else if (/^\s*\|/.test(line)) {
      if (open?.kind === "table") open.text += `\n${line}`;
      else begin("table", line, i + 1);
    } else if (open && !isAfterBlank && !/^\s*@\S+\s*$/.test(line)) open.text += `\n${line}`;
    else begin("paragraph", line, i + 1);
    isAfterBlank = false;
  }
  close();
  return { items, ...(lines.length > MAX_LINES && { rest: MAX_LINES + 1 }) };
}

/** Each row of a table by its first cell, with the heads of the others where there are several. */
function rowsOf({ headings, text, line }: OpenItem): MarkdownItem[] {
  const rows = text.split("\n").map((row) => {
    const cells =
      row
        .trim()
        .replace(/^\|/, "")
        .match(/(?:\\.|`[^`]*`|[^|])*(?:\||$)/g) ?? [];
    return cells.slice(0, -1).map((cell) => cell.replace(/\|$/, "").trim().replaceAll("\\|", "|"));
  });
  const isRule = (row: readonly string[] | undefined): boolean =>
    row?.every((cell) => /^:?-+:?$/.test(cell)) === true;
  const [head = [], second, ...body] = rows;
  const cells = isRule(second) ? body : rows;
  return cells.flatMap(([first = "", ...rest], i): MarkdownItem[] => {
    const named = rest.flatMap((cell, at) => {
      const name = isRule(second) && rest.length > 1 ? head[at + 1] : undefined;
      return cell === "" ? [] : [name ? `${name}: ${cell}` : cell];
    });
    const said = [first, named.join("; ")].filter((part) => part !== "").join(": ");
    const at = line + i + (isRule(second) ? 2 : 0);
    return said === "" ? [] : [{ headings, text: said, line: at, kind: "item" }];
  });
}

/** Comments are for those who edit the file; line numbers stay. */
function withoutComments(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]{0,20000}?-->/g, (comment) => comment.replace(/[^\n]/g, ""));
}

function dedent(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const indents = rest.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)![0].length);
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return [first.trim(), ...rest.map((line) => line.slice(indent))].join("\n").trim();
}

/** What a front matter says of all statements below it; `when`: its agent has to ask for them, and for what; `isRule`: they always hold, or on paths. */
export interface SaidOfAll {
  draft?: Partial<MemoryDraft>;
  when?: string;
  isRule?: boolean;
}

interface StatementKind {
  /** Default: `ASSUMED`. */
  type?: string;
  fields: Partial<MemoryDraft>;
  said?: (frontMatter: Fields) => SaidOfAll;
  /** Only what is no line of an index of other files. */
  isIndex?: boolean;
  /** `@imports` are read, each file once. */
  including?: { files: Set<string>; depth: number };
}

/** As deep as Claude Code follows `@imports`. */
const MAX_INCLUDED_DEPTH = 5;
const INCLUDE = /(?<![\w@`])@((?:~\/|\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*)/g;

/** Adds the statements of a markdown file in their author's words, each after the heading above it; code alone is left out and named. */
export function readStatements(reading: ForeignReading, file: string, kind: StatementKind): void {
  const { type, fields, said: saidIn, including } = kind;
  const text = reading.text(file);
  if (text === undefined) return;
  const { fields: frontMatter, body, line } = splitFile(text);
  const created = timeOf(frontMatter["created"], frontMatter["created_at"]);
  const { draft, when, isRule } = saidIn?.(frontMatter) ?? {};
  // Hermes parts its entries by section signs.
  const markdown = "\n".repeat(line) + withoutMarkedBlocks(body).replace(/^§$/gm, "");
  const { items, rest } = markdownItems(markdown);
  if (rest !== undefined)
    reading.leave(`${file}:${rest}`, file, `it goes on after ${rest - 1} lines: split it`);
  for (const item of items) {
    const place = `${file}:${item.line}`;
    if (kind.isIndex === true && INDEX_LINE.test(item.text)) {
      const target = /\]\(([^()#\s]+\.md)/.exec(item.text)?.[1];
      const found = target === undefined ? undefined : reading.source.include(file, target);
      if (found && "reason" in found) reading.leave(place, item.text, found.reason);
      continue;
    }
    if (including && item.kind !== "code" && readIncluded(reading, file, item, { ...kind, including }))
      continue;
    const reason = reasonAgainst(item);
    if (reason !== undefined) {
      reading.leave(place, item.text, reason);
      continue;
    }
    const heading = item.headings.slice(1).findLast((title) => title !== "");
    const said =
      heading === undefined || item.text.startsWith(heading) ? item.text : `${heading}: ${item.text}`;
    reading.memories.push({
      key: `${file}\n${said}`,
      place,
      from: `${reading.source.placeOf(file)}:${item.line}`,
      section: item.headings.findLast((title) => title !== "") ?? "",
      draft: {
        ...(type === undefined ? ASSUMED : { type }),
        statement: statementOf(said),
        body: when ? `${said}\n\n**How to apply:** ${when}` : said,
        ...fields,
        ...draft,
      },
      ...(when !== undefined && { isOnRequest: true }),
      ...(isRule === true && { isRule }),
      ...(created !== undefined && { created }),
    });
  }
}

/** Adds a file as one note, under its title; a log of a day is an episode of that day. */
export function readNote(reading: ForeignReading, file: string): void {
  const text = reading.text(file);
  if (text === undefined) return;
  const name = file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
  const { fields, body } = splitFile(text);
  if (/session|checkpoint/i.test(textOf(fields, "type")))
    return reading.leave(file, file, "the record of one session: sessions are searched where they are kept");
  const title =
    textOf(fields, "title") || /^#[ \t]+(.+)$/m.exec(body)?.[1]?.trim() || name.replace(/[-_]+/g, " ");
  // An observation of basic-memory begins with its category.
  const first = body
    .replace(/^#{1,6}[ \t].*$/gm, "")
    .trim()
    .replace(/^[-*] (?:\[[\w -]+\] )?(.*)[^]*$/, "$1");
  if (first === "") return reading.leave(file, file, "it has no text");
  const day = timeOf(/\d{4}-\d\d-\d\d/.exec(name)?.[0]);
  const created = day ?? timeOf(fields["created"], fields["filed"], fields["updated"]);
  reading.memories.push({
    key: file,
    place: file,
    from: reading.source.placeOf(file),
    draft: {
      ...(day === undefined ? ASSUMED : { type: "episode" }),
      name: day === undefined ? title : name,
      statement: statementOf(`${title}: ${statementOf(first)}`),
      body: body.trim(),
      tags: listOf(fields["tags"]).slice(0, 12),
      aliases: listOf(fields["aliases"]).slice(0, 12),
      links: linksIn(body),
      source: "observed",
    },
    ...(created !== undefined && { created }),
  });
}

/** `[[wikilinks]]` to other notes; a log of one day is where something comes from. */
function linksIn(text: string): { rel: "related"; to: string }[] {
  const names = [...text.matchAll(/\[\[([^\][|#\n]{1,80})/g)].map(([, name = ""]) => name.trim());
  const others = names.filter((name) => !name.startsWith("daily/")).map((name) => name.split("/").at(-1)!);
  return [...new Set(others)].slice(0, 12).map((to) => ({ rel: "related", to }));
}

/** A line that says what another file holds: `- [board](board.md) — where it is`, `Board: [[board]]`, `board.md: where it is`. */
const LINK = String.raw`\S{0,3}(?:\[\[[^\]\n]+\]\]|\[[^\]\n]*\]\([^)\n]+\.md(?:#[^)\n]*)?\))`;
const LABEL = String.raw`(?:[^\s[]+[ \t]+|(?:[^\s[]+[ \t]+){0,4}[^\s[]*[:–—-][ \t]+)?`;
const INDEX_LINE = new RegExp(String.raw`^(?:${LABEL}${LINK}|\S{0,3}[\w./-]+\.md\S{0,3}\s*(?:[:–—(-]|$))`);

/** What stands in a `MEMORY.md` besides the index of the files beside it. */
export function notesInIndex(text: string): MarkdownItem[] {
  return markdownItems(withoutMarkedBlocks(splitFile(text).body)).items.filter(
    (item) => !INDEX_LINE.test(item.text) && reasonAgainst(item) === undefined,
  );
}

function readIncluded(
  reading: ForeignReading,
  file: string,
  { text, line }: MarkdownItem,
  { including, ...kind }: StatementKind & Required<Pick<StatementKind, "including">>,
): boolean {
  const prose = text.replace(/(`{3,}|~{3,})[\s\S]*?\1|`[^`\n]*`/g, "");
  const isAlone = prose.trim() !== "" && prose.replace(INCLUDE, "").trim() === "";
  const { files, depth } = including;
  for (const [mention, path = ""] of prose.matchAll(INCLUDE)) {
    const found = reading.source.include(file, path.replace(/\.$/, ""));
    // A package, a person or a decorator is written the same way.
    const isMeant = isAlone || /\.mdc?$/i.test(path) || /^[~.]*\//.test(path);
    const leave = (reason: string): void => reading.leave(`${file}:${line}`, mention, reason);
    if ("reason" in found && isMeant) leave(found.reason);
    if ("reason" in found || files.has(found.file)) continue;
    files.add(found.file);
    if (depth < MAX_INCLUDED_DEPTH)
      readStatements(reading, found.file, { ...kind, including: { files, depth: depth + 1 } });
    else leave(`it is included ${depth + 1} files deep, ${MAX_INCLUDED_DEPTH} at most`);
  }
  return isAlone;
}

/** What heed or another program keeps between marks is not the author's; line numbers stay. */
function withoutMarkedBlocks(text: string): string {
  return text.replace(
    /<!--\s*([\w:-]{3,40})[ :-](?:start|begin)\s*-->[\s\S]{0,50000}?<!--\s*\1[ :-]end\s*-->/gi,
    (block) => block.replace(/[^\n]/g, ""),
  );
}

function reasonAgainst({ kind, text }: MarkdownItem): string | undefined {
  if (isDone(text)) return "a task that is done";
  if (kind === "code") return "code without a sentence: say what it is for, and import it again";
  if (/^!?\[[^\]]*\]\([^)]*\)$/.test(text)) return "a link alone";
  const [first = "", ...more] = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (first.length < 8 && more.length === 0) return "too short to say anything by itself";
  if (/:[*_]{0,3}$/.test(text)) return "it introduces what follows, and says nothing by itself";
  return undefined;
}

/** A ticked item of a check list, or nothing but such below its introduction. */
function isDone(text: string): boolean {
  const [first = "", ...rest] = text.split("\n").filter((line) => line.trim() !== "");
  const items = first.endsWith(":") && rest.length > 0 ? rest : [first];
  return items.every((line) => /^\s*(?:[-*+] )?\[[xX]\] /.test(line));
}

/** One line that says what a text says: its first sentence, cut at a word where it is too long. The text itself stays. */
export function statementOf(text: string): string {
  const plain = text
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "")
    .replace(/^#{1,6}\s+/, "")
    .replace(/\*\*([^*\n]{1,200})\*\*/g, "$1")
    .split(/\n\s*\n|\n[ \t]*(?:`{3}|~{3})/, 1)[0]!
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LIMITS.statementChars) return plain;
  const sentence = /^(.{20,}?[.!?])(?=\s)/.exec(plain.slice(0, LIMITS.statementChars + 1))?.[1];
  if (sentence !== undefined) return sentence;
  const cut = plain.slice(0, LIMITS.statementChars - 2);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 100))} …`;
}

/** What a format that knows no types holds: facts of the work, to be checked by whoever imports them (`--type` says other). */
export const ASSUMED = { type: "project", status: "provisional" } as const;

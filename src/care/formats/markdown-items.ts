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
export function markdownItems(markdown: string): { items: MarkdownItem[]; rest?: number } {
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

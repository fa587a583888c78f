/** What a text names that may be a claim. */
export interface NamedThings {
  /** Code spans, in the order of the text, with the paragraph that they stand in and the words around them. */
  spans: CodeSpan[];
  /** Targets of links and what looks like a path outside of code. */
  paths: { text: string; paragraph: number }[];
  /** Lines of fenced code. */
  codeLines: { text: string; paragraph: number }[];
}

export interface CodeSpan {
  text: string;
  paragraph: number;
  /** The word before and after it, lower case. */
  before: string;
  after: string;
}

/** Texts are read to this length, and so many things of a kind are taken. */
const MAX_CHARS = 50_000;
const MAX_THINGS = 200;
const MAX_SPAN_CHARS = 200;

/** Reads what a markdown text names in code spans, links, fenced code and bare paths. */
export function namedThings(markdown: string): NamedThings {
  const things: NamedThings = { spans: [], paths: [], codeLines: [] };
  const text = markdown.slice(0, MAX_CHARS).replace(/\r\n?/g, "\n");
  let paragraph = 0;
  let fence: string | undefined;
  let prose: string[] = [];
  const flush = (): void => {
    if (prose.length > 0) readProse(prose.join("\n"), paragraph, things);
    prose = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\s{0,12}(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      else if (line.trim() !== "" && things.codeLines.length < MAX_THINGS)
        things.codeLines.push({ text: line.trim().slice(0, 400), paragraph });
    } else if (mark !== undefined) {
      flush();
      fence = mark;
    } else if (line.trim() === "") {
      flush();
      paragraph += 1;
    } else prose.push(line);
  }
  flush();
  return things;
}

function readProse(text: string, paragraph: number, things: NamedThings): void {
  let bare = text;
  for (const match of text.matchAll(/(`+)([^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g)) {
    const span = (match[2] ?? "").trim();
    bare = bare.replace(match[0], " ".repeat(match[0].length));
    if (span === "" || span.length > MAX_SPAN_CHARS || things.spans.length >= MAX_THINGS) continue;
    const before =
      /([\w-]+)[\s*_("']*$/.exec(text.slice(Math.max(0, match.index - 60), match.index))?.[1] ?? "";
    const end = match.index + match[0].length;
    const after = /^[\s*_)"']*([\w-]+)/.exec(text.slice(end, end + 60))?.[1] ?? "";
    things.spans.push({ text: span, paragraph, before: before.toLowerCase(), after: after.toLowerCase() });
  }
  for (const match of bare.matchAll(/\]\(\s*<?([^)\s>]{1,300})/g))
    pushPath(match[1] ?? "", paragraph, things);
  // Bare words count only with a folder and a file ending: "and/or" and "client/server" are no paths.
  for (const match of bare.matchAll(
    /(?<![\w/.@:-])((?:[\w@.()[\]-]+\/)+[\w@.()[\]-]*\w\.[A-Za-z][\w]{0,9})(?![\w/])/g,
  ))
    pushPath(match[1] ?? "", paragraph, things);
}

function pushPath(text: string, paragraph: number, things: NamedThings): void {
  if (things.paths.length < MAX_THINGS && !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(text))
    things.paths.push({ text, paragraph });
}

import { canonicalBody } from "./front-matter.ts";

/** The text of a memory with another body; blank lines around it and line ends stay as they were. */
export function amendBody(source: string, body: string | null | undefined): string {
  if (body === undefined) return source;
  const current = canonicalBody(source);
  const wanted = canonicalBody(body ?? "");
  if (wanted === current) return source;
  const lead = /^(?:[ \t]*(?:\r\n?|\n))*/.exec(source)?.[0] ?? "";
  const trail = current === "" ? "" : source.slice(source.trimEnd().length);
  const hasEnd = current === "" || /[\r\n]/.test(trail);
  const eol = lineEndOf(source);
  return wanted === "" ? lead : lead + fromLf(wanted, eol) + (hasEnd ? trail || eol : "");
}

/** The line end that most lines of a text have. */
export function lineEndOf(text: string): string {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  const cr = text.split("\r").length - 1 - crlf;
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

/** A text of line feeds with another line end. */
export function fromLf(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll("\n", eol);
}

import { isSecretValue, isWordWithNumber } from "./secret-value.ts";

const HEADING =
  /(?<=[|,;\t\n]|^)[ "'`*]{0,4}(?:\w{1,20}[ _-])?(?:pass(?:word|wd|wort|phrase|code)?s?|pwd?|kennwort|contraseña|senha|wachtwoord|secret|token|(?:api|access|private)[ _-]?key)[ "'`*]{0,4}(?=[|,;\t\r]|$)/gim;
const MAX_LINE_CHARS = 1_000;

/** The values below a heading that names a password or a key: in a table, or in lines divided by commas, tabs or semicolons. */
export function findColumns(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  if (!text.includes("\n")) return found;
  let at = 0;
  for (const { index, 0: heading } of text.matchAll(HEADING)) {
    // What stands in or below a heading that was looked at belongs to it.
    if (index < at) continue;
    const start = text.lastIndexOf("\n", index - 1) + 1;
    const head = lineAt(text, start);
    at = start + head.length + 1;
    const divider = text.charAt(index - 1).replace("\n", "") || text.charAt(index + heading.length);
    if (head.length > MAX_LINE_CHARS || !/[|,;\t]/.test(divider)) continue;
    const cells = head.split(divider);
    // A row further down that says "Secret" heads nothing.
    const above = lineAt(text, text.lastIndexOf("\n", start - 2) + 1);
    if (start > 0 && above.split(divider).length === cells.length) continue;
    // A sentence or a call has commas too, and more than words between them.
    if (divider === "," && !cells.every((cell) => /^["'\w -]{1,40}\r?$/.test(cell))) continue;
    const columns = cells.flatMap((cell, i) => (cell.search(HEADING) === 0 ? i : []));
    for (let fields; at < text.length; at += fields.join(divider).length + 1) {
      fields = lineAt(text, at).split(divider);
      // A heading may have words before it: "for the deploy, name,user,password".
      const before = cells.length - fields.length;
      if (before < 0 || fields.length < 2) break;
      for (const heading of columns) {
        const column = heading - before;
        const value = (fields[column] ?? "").trim().replace(/^["'`*]+|["'`*]+$/g, "");
        if (!isSecretValue(value, "named") && !isWordWithNumber(value)) continue;
        const from = text.indexOf(value, at + fields.slice(0, column).join(divider).length);
        found.push({ start: from, end: from + value.length });
      }
    }
  }
  return found;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, end < 0 ? undefined : end);
}

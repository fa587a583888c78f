import { entropyOf, isSecretValue, isWordWithNumber, runsOf } from "./secret-value.ts";

interface KeyLines {
  start: number;
  end: number;
}

interface Line extends KeyLines {
  text: string;
  body: string | undefined;
}

/** How private keys begin in base64 (RSA, PKCS 8, EC, Ed25519, OpenSSH); certificates and public keys differ. */
export const KEY_HEAD: string =
  "(?:MII[\\w+/]{2}[AQgw]IBA|MI[GH][\\w+/]AgE[AB]|M[A-H][AEIMQUYcgkosw048]CAQ[AE]|" +
  "MI[IGH][\\w+/]{2,8}(?:BgkqhkiG9w0BBQ|GCSqGSIb3DQEF|YJKoZIhvcNAQU)|b3BlbnNzaC1rZXktdjE)";

/** Keys are broken after 64, 70 or 76 characters; other programs keep within these. */
const FULL_CHARS = { least: 60, most: 80 };
/** Two lines of random base64 may be two hashes; three are a key. */
const MIN_DRAWN_LINES = 3;
/** Base64 of drawn bytes carries more than 5 bits a character at this length; names that are put together below 4.3. */
const MIN_BITS = 4.6;
const MAX_LINE_CHARS = 200;

/** Quoted, listed, indented, numbered or commented; the `+` of a diff is base64 too. */
const BODY =
  /^(?:[\s|>#*"',:`-]|\d{1,5}[\t→:|.)]){0,40}?([A-Za-z0-9+/]{1,80}={0,2})(?:\\[nr]|[\s"',;`+\\]){0,12}$/;
/** A key may begin behind words in their line. */
const BEHIND_TEXT = new RegExp(`(?<![A-Za-z0-9+/])(${KEY_HEAD}[A-Za-z0-9+/]{16,70}={0,2})$`);
const IS_HEAD = new RegExp(`^\\+?${KEY_HEAD}`);
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** The first mark, also where a broken line takes its end away. */
const OPENS =
  /-----BEGIN (?!(?:[A-Z0-9]{1,20} ){0,3}(?:CERT|PUBL|MESS|SIGN|X509|PKCS7|NEW|PARAM|DH |ENCRYPTED MESS))/;
const CLOSES = /-----END /;
const MAX_KEY_LINES = 600;
const MIN_KEY_CHARS = 40;
const HEADER = /^[\s|>#*-]{0,20}(?:Proc-Type|DEK-Info|Comment|Version): /;
/** The marks of what is no private key: certificates, public keys, signatures, messages. */
const OTHER_MARK = /-----(?:BEGIN|END) (?!(?:[A-Z0-9]{1,20} ){0,3}PRIVATE)|base64|content-transfer|data:/i;
/** How certificates, public keys and files that people embed begin in base64. */
const OTHER_HEAD =
  /^\+?(?:MII[\w+/]{2}(?:[DTjz]CC|[DTjz]AN|[AQgw]KC)|MI[GH][\w+/]M[ABD]|MFkw|MHYw|MCow|MEMw|iVBORw|\/9j\/|R0lGOD|JVBERi|UEsDB|H4sI|PD94|PHN2Z|PCFE|UklGR|d09G|AAAAB3Nza|AAEAAA)/;

/** Lines of private keys: marked, or random lines of one width that belong to no other kind of block. */
export function findKeyLines(text: string): KeyLines[] {
  const [run] = runsOf(text, FULL_CHARS.least);
  if (!run && !/-----(?:BEGIN|END) /.test(text)) return [];
  const lines = linesOf(text);
  const found: KeyLines[] = [];
  for (let at = 0; at < lines.length;) {
    const last = OPENS.test(lines[at]?.text ?? "") ? endOfMarked(lines, at) : undefined;
    if (last !== undefined) {
      found.push({ start: lines[at]?.start ?? 0, end: lines[last]?.end ?? 0 });
      at = last + 1;
      continue;
    }
    const past = endOfBlock(lines, at);
    if (past === at) {
      at += 1;
      continue;
    }
    if (isKey(lines, at, past)) found.push(rangeOf(lines, at, past));
    at = past;
  }
  return found;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const line = end - start > MAX_LINE_CHARS ? "" : text.slice(start, end);
    lines.push({ start, end, text: line, body: (BODY.exec(line) ?? BEHIND_TEXT.exec(line))?.[1] });
    start = end + 1;
  }
  return lines;
}

/** The line with the last mark of a key, whatever is between and around its lines; undefined if there is no key. */
function endOfMarked(lines: readonly Line[], first: number): number | undefined {
  for (let at = first + 1; at < Math.min(lines.length, first + MAX_KEY_LINES); at++) {
    const text = lines[at]?.text ?? "";
    if (text.includes("-----BEGIN ")) return undefined;
    if (!CLOSES.test(text)) continue;
    const drawn = lines.slice(first + 1, at).flatMap((line) => line.text.match(/[A-Za-z0-9+/=]{12,}/g) ?? []);
    const all = drawn.join("");
    return all.length >= MIN_KEY_CHARS && isDrawnLine(all) ? at : undefined;
  }
  return undefined;
}

/** The line behind a block: base64 of one width, and a last line that is shorter. */
function endOfBlock(lines: readonly Line[], first: number): number {
  const width = lines[first]?.body?.length ?? 0;
  let past = first;
  while (width >= FULL_CHARS.least && lines[past]?.body?.length === width) past += 1;
  const isEnded = END.test(lines[past + 1]?.text ?? "");
  const rest = lines[past]?.body;
  // A short word below may be text; the rest of a key mostly shows that it is one, or was cut with the text.
  const isShown = past > first && (past === lines.length - 1 || isRest(rest ?? ""));
  if (rest !== undefined && rest.length < 80 && (isEnded || isShown)) past += 1;
  return past;
}

function isRest(body: string): boolean {
  const isMixed = /[a-z]\d*[A-Z]|[A-Z]{2}\d*[a-z]/.test(body) && (/\d/.test(body) || body.length >= 24);
  return body.endsWith("=") || (body.length >= 8 && isMixed);
}

function isKey(lines: readonly Line[], first: number, past: number): boolean {
  const head = lines[first]?.body ?? "";
  if (IS_HEAD.test(head) || marked(lines, past, 1, END) || marked(lines, first - 1, -1, BEGIN)) return true;
  const around = [...lines.slice(Math.max(0, first - 3), first), ...lines.slice(past, past + 3)];
  if (OTHER_HEAD.test(head) || around.some(({ text }) => OTHER_MARK.test(text))) return false;
  const drawn = lines.slice(first, past).filter(({ body = "" }) => isDrawnLine(body)).length;
  return drawn >= MIN_DRAWN_LINES && drawn * 2 > past - first;
}

function marked(lines: readonly Line[], from: number, step: 1 | -1, mark: RegExp): boolean {
  for (let at = from; Math.abs(at - from) < 8; at += step) {
    const text = lines[at]?.text;
    if (text === undefined) return false;
    if (mark.test(text)) return true;
    if (text.trim() !== "" && !HEADER.test(text)) return false;
  }
  return false;
}

function rangeOf(lines: readonly Line[], first: number, past: number): KeyLines {
  // A text that was cut begins within a line.
  const isCut = isRest(lines[first - 1]?.body ?? "") && !IS_HEAD.test(lines[first]?.body ?? "");
  const [from, to] = [lines[isCut ? first - 1 : first], lines[past - 1]];
  const lead = from?.text.indexOf(from.body ?? "") ?? 0;
  return { start: (from?.start ?? 0) + lead, end: to?.end ?? 0 };
}

function isDrawnLine(body: string): boolean {
  return /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body) && entropyOf(body) >= MIN_BITS;
}

const HEADING =
  /(?<=[|,;\t\n]|^)[ "'`*]{0,4}(?:\w{1,20}[ _-])?(?:pass(?:word|wd|wort|phrase|code)?s?|pwd?|kennwort|contraseña|senha|wachtwoord|secret|token|(?:api|access|private)[ _-]?key)[ "'`*]{0,4}(?=[|,;\t\r]|$)/gim;
const MAX_HEADING_CHARS = 1_000;

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
    if (head.length > MAX_HEADING_CHARS || !/[|,;\t]/.test(divider)) continue;
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

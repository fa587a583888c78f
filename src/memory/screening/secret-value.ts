import { isAscii } from "./hostile-text.ts";

/** How surely the text around a value says that it is a secret. */
export type Certainty =
  /** Its own name says so, in a place where only a value can be: `DB_PASSWORD=…`, `"password": "…"`, `--password …`. */
  | "named"
  /** A name that may also be of something else: a token, a key. Only what looks drawn by lot is one. */
  | "possible"
  /** Words beside it say so: "the password is …", "log in as admin / …". */
  | "stated";

const PLACEHOLDER =
  /^[$<{[(]|^#\{|^#[0-9a-f]{3,8}$|^[%*_.#&@]+[a-z_. %@-]*$|^(?:process|os|env|import|config|secrets?|vault|ssm|op|arn|https?|file|path|self|this|settings|args|options|getenv)\b[.:/([]|^\/[\^(\\]|\$\{|\{\{|\/\*|\.\.\.|…|\(\)|(?:example|change[_-]?me|placeholder|redacted|dummy|sample|your[_-]|[_-]your|my[_-](?:secret|token|key|pass|api)|insert[_-]|replace[_-]|goes[_-]here|[_-]here$|not[_-]?real|(?<![a-z\d])x{4,5}(?![a-z\d])|x{6}|\*{3})|^(?:true|false|null|none|nil|undefined|string|number|boolean|required|optional|todo|tbd|fixme|n\/a)\b/i;
const HASH =
  /^(?:\$(?:2[abxy]|argon2\w*|pbkdf2\S*|scrypt|[156y])\$|\{?(?:sha|ssha|md5|bcrypt|sha256|sha384|sha512|blake3)[-:}])/i;
const PATH = /^(?:~|\.{1,2}|\/|[A-Za-z]:\\|\\\\)[\w.@~-]*[\\/]|^\/[\w.-]+$|^[\w.@-]+(?:[\\/][\w.@-]+)+\/?$/;
/** How a path begins that no key in base64 begins like. */
const PLACE =
  /^(?:(?:~|\.{1,2})[\\/]|[A-Za-z]:\\|\/(?:home|Users|etc|var|usr|opt|tmp|mnt|srv|root|run|app|data|dev|proc|private|Library|Volumes|workspaces?)\/)/;
/** `web/sign-up-form.tsx:64`, `a.ts:64:7`, `a.md#L12-L20`, `a.cs(64,3)`. */
const LINE_OF_FILE =
  /^(?:[\w@+%~.-]+[\\/])*[\w@+%.-]+\.[a-z]\w{0,9}(?::\d{1,6}(?::\w{0,6})*|#L\d[\dL-]*|\(\d[\d,]*)$/i;
/** `user-api-v2:8080` */
const PORT_OF_HOST = /^(?:[\w.-]+\/)*[a-z\d]+(?:[.-]+[a-z\d]+)+:\d{2,5}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Names of kinds and ways of encoding: words with a number in them. */
const TERM =
  /^(?:u?int|float|utf|sha|md|base|aes|rsa|ed|x|es|hs|rs|ps|bcrypt|argon|oauth|http|tls|ssl|v|p)-?_?\d+(?:[_-]?(?:[a-z]{1,6}\d{0,2}|\d+))?$/i;

export function isNumberedPlace(value: string): boolean {
  return LINE_OF_FILE.test(value) || PORT_OF_HOST.test(value);
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Whether a value is a placeholder: `<password>`, `${TOKEN}`, `xxxxxxxx`, `your-token-here`, `1234567890`. */
export function isPlaceholder(value: string): boolean {
  if (PLACEHOLDER.test(value)) return true;
  // The form of a vendor keeps its beginning where the rest is filled up: what counts is what is left.
  const rest = value.replace(/^[A-Za-z]{1,8}[_-]/, "") || value;
  const distinct = new Set(rest.toLowerCase()).size;
  if (distinct <= Math.max(2, rest.length / 16)) return true;
  let steps = 0;
  for (let i = 1; i < rest.length; i++) {
    const step = rest.charCodeAt(i) - rest.charCodeAt(i - 1);
    if (step === 1 || step === 0 || (rest[i - 1] === "9" && rest[i] === "0")) steps += 1;
  }
  return rest.length >= 8 && steps >= (rest.length - 1) * 0.6;
}

/** Whether a value is a secret, by what it looks like and by how surely it is named. */
export function isSecretValue(raw: string, certainty: Certainty): boolean {
  if (isPlaceholder(raw)) return false;
  const value = raw.replace(/^[*`~]+|[*`~).\]},;:]+$/g, "");
  if (value.length < 6 || isPlaceholder(value) || HASH.test(value) || isPath(value)) return false;
  if (/\s/.test(value)) return value.split(/\s+/).some((part) => isSecretValue(part, certainty));
  if (isCode(value, certainty)) return false;
  if (isNumberedPlace(value) && (certainty !== "named" || /[\\/(.#]/.test(value))) return false;
  if (certainty === "stated" && (UUID.test(value) || /\.[a-z]{2,5}$/.test(value))) return false;
  if (isDrawn(value)) return true;
  if (TERM.test(value) || isWords(value)) return false;
  const classes = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d\s./:_-]/u].map((one) => one.test(value));
  const [lower = false, upper = false, digit = false, symbol = false] = classes;
  const kinds = classes.filter(Boolean).length;
  const hasBoth = digit && (lower || upper);
  if (certainty === "named") return hasBoth || value.length >= 8;
  const isStrange =
    kinds >= 2 &&
    (strangePairs(value) >= 2 || (value.length >= 10 && caseChanges(value) * 4 >= value.length)) &&
    !/^[a-f0-9]+$/i.test(value);
  if (value.length >= 8 && (isStrange || (certainty === "possible" && symbol && lower && upper))) return true;
  return value.length >= (certainty === "stated" ? 7 : 8) && hasBoth && kinds >= 3;
}

/** Whether a value is code that yields one: `user.password`, `body?.token`, `Key::generate(…)`, `!isOpen`, a call, an index, a choice. */
function isCode(value: string, certainty: Certainty): boolean {
  if (/^(?:&?[\w$]+(?:(?:[?!]?\.|::|->)[\w$]+)+\(?|!{1,2}[\w$.]+$)/.test(value)) return !isDrawn(value);
  return (certainty === "named" ? /^[\w$.]+[([{]/ : /^[\w$.:&+!?-]*[()[\]{}|]/).test(value);
}

/** How people make a password from a word (`summer2024`), and words that only name one or fill in for one in a test. */
const WORD_WITH_NUMBER =
  /^(?=.{8,40}$)(?=(?:.*\d){2})[a-z]{3,}(?:[-_.][a-z]{2,}){0,4}[-_.]?\d+[a-z\d]*[!?.#*+$%&=-]?$/i;
const OF_TESTS =
  /pass|secret|token|test|example|demo|dummy|foo|user|sample|string|staging|prod|build|release|version/i;

/** Whether a value is a word with a number in or behind it, as a password may be, and as names of many things are. */
export function isWordWithNumber(value: string): boolean {
  return (
    WORD_WITH_NUMBER.test(value) &&
    !OF_TESTS.test(value) &&
    !TERM.test(value) &&
    !/^[A-Z][a-z]+[A-Z].*\D\d?$/.test(value)
  );
}

/** Whether a value looks drawn by lot: sixteen characters or more without words, hexadecimal of that length, an UUID. */
export function isDrawn(value: string): boolean {
  if (UUID.test(value)) return true;
  if (value.length < 16 || !/^[\w+/=.~!@#$%^&*:?-]+$/.test(value) || isPath(value)) return false;
  if (/^[0-9]+$/.test(value) || isWords(value)) return false;
  if (isNumberedPlace(value)) return false;
  const isHex = /^[a-f0-9]+$/i.test(value);
  // A hexadecimal digit carries 4 bits; words in snake case stay below 3.5 and have few digits.
  if (entropyOf(value) < (isHex ? 2.8 : 3.2)) return false;
  // Letters alone: of both cases, and changing between them as no word does.
  if (!(/\d/.test(value) && /[a-z]/i.test(value)) && caseChanges(value) < value.length / 6) return false;
  // Last, as its pattern is long, and compiled by a process that asks.
  return !isPlaceholder(value);
}

function caseChanges(value: string): number {
  return value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
}

/** What follows the beginning of a known form: anything but a placeholder and words with dashes between them. */
export function isMixed(value: string): boolean {
  return !isPlaceholder(value) && entropyOf(value) >= 2.8 && !/^[a-z]+(?:[-_.][a-z]+)*$/.test(value);
}

function isPath(value: string): boolean {
  if (!PATH.test(value)) return false;
  if (PLACE.test(value)) return true;
  const parts = value.split(/[\\/]/).filter((part) => part !== "");
  // Base64 has slashes too: its parts are no words, and long.
  const words = parts.filter((part) => isWords(part)).length;
  if (/^(?:~|\.|\/|[A-Za-z]:)/.test(value) && words >= 2 && words * 2 >= parts.length) return true;
  return parts.every(
    (part) => part.length <= 3 || isWords(part) || /^[a-z]+\d{0,4}(?:\.\w{1,5})?$/i.test(part),
  );
}

/** Words that somebody wrote, with digits for a number of a thing: `my-db-2`, `getTokenFromEnv`, `auth.service.v2`. */
export function isWords(said: string): boolean {
  const value = isAscii(said) ? said : said.normalize("NFD").replace(/\p{M}/gu, "");
  const parts = value.split(
    /[-_.:/\s]+|(?<=[A-Za-z])=+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/,
  );
  const words = parts.filter((part) => part !== "");
  if (words.length === 0) return true;
  // A name has a number or two, with letters behind them once (`k8s`, `e2e`).
  if ((value.match(/(?<=[a-z])\d{1,3}(?=[a-z])/gi)?.length ?? 0) >= 2) return false;
  if (words.some((part) => !/^(?:[A-Za-z]+|\d{1,4})$/.test(part))) return false;
  const letters = words.filter((part) => /^[A-Za-z]/.test(part));
  // A word can be spoken; what is drawn falls into short pieces.
  const spoken = letters.filter((part) => part.length >= 3 && isSpoken(part)).join("").length;
  return spoken >= value.replace(/[^A-Za-z0-9]/g, "").length * 0.6;
}

/** Whether a piece can be spoken: at most one pair of letters in seven is a strange one. */
function isSpoken(word: string): boolean {
  if (!/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(word) || !/[aeiouyäöü]/i.test(word)) return false;
  return strangePairs(word) * 7 <= word.length;
}

/** Pairs of letters rarer than 3 in 10,000 in four languages and code: first letter, then followers. In 0.6 % of words, 80 % of random ones. */
const STRANGE_PAIRS: readonly string[] = (
  "ao bdfhjkmnpqvwx cbfgjmnqvwxz dbchjkmnqtwxz e fbcdhjkmnpqvwxz gbcdfjkmpqvwxz hcdfjpqvxz ihiwy " +
  "jbcdfghjklmnpqrtvwxyz kbcdfghjkmpqvwxz lhjqrwx mcdfghjknqrvwxyz nx o pbcdgjkmnqvwxyz " +
  "qabcdefghijklmnopqrstvwxyz rjx sj tjkqvx uquwy vbcdfghjklmnpqstuvwxyz wbcdfgjklmpqtvwxyz " +
  "xabdfghjklmnoqrsuvwxyz ybdfghjkqrtvwxyz zbcdfghjklmnpqrsvxy"
).split(" ");

const A = "a".charCodeAt(0);

function strangePairs(word: string): number {
  const letters = word.toLowerCase();
  let strange = 0;
  for (let at = 1; at < letters.length; at++)
    if ((STRANGE_PAIRS[letters.charCodeAt(at - 1) - A]?.indexOf(letters.charAt(at), 1) ?? 0) > 0)
      strange += 1;
  return strange;
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Runs of base64 of `least` characters or more. Looks at every `least`th place, so most of a text is passed over. */
export function* runsOf(text: string, least: number): Generator<{ start: number; end: number }> {
  for (let at = least - 1; at < text.length;) {
    let start = at;
    while (start > at - least && IN_RUN[text.charCodeAt(start)] === 1) start--;
    if (start > at - least) {
      at = start + least;
      continue;
    }
    let end = at + 1;
    while (IN_RUN[text.charCodeAt(end)] === 1) end++;
    yield { start: start + 1, end };
    at = end + least;
  }
}

const IN_RUN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

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

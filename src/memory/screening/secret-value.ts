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

export function entropyOf(text: string): number {
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

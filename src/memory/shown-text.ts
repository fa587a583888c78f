import {
  isAscii,
  LOOK_ALIKES,
  OPENING_ANGLE,
  withoutEntities,
  markHidden,
} from "./screening/hostile-text.ts";
import { redactSecrets } from "./screening/find-secrets.ts";

/** Tags that stored text must not open or close, compared by letters whatever blanks, case or look-alikes. */
const RESERVED_TAGS = (
  "heed system assistant human instruction antml function invoke toolresult tooluse " +
  "persistedoutput tasknotification localcommand command cdata"
).split(" ");

/** `<User>` is common in code: only the very word is taken for a turn's tag. */
const RESERVED_WORDS = ["user", "users", "usermessage", "userprompt", "userpromptsubmithook"];

const HARMLESS_ANGLE = "‹";

/** Characters that hide text. Joiners and Arabic or Syriac number marks stay: scripts and emoji need them. */
const hidden = (): RegExp =>
  /(?![\t\n]|\u200C|\u200D|[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2])[\p{Cc}\p{Cf}]|[\u{E0000}-\u{E0FFF}]/gu;

/** How far behind a bracket the name of a tag is looked for, in characters. */
const TAG_WINDOW = 120;

/** Makes stored text harmless to heed's fences and clients' tags: angle brackets, hidden characters, line ends. Idempotent. */
export function defuse(text: string): string {
  const lines = plainBreaks(text);
  // oxlint-disable-next-line no-control-regex -- control characters are what hides text
  if (isAscii(lines) && !/[<&%\\\0-\x08\x0b-\x1f\x7f]/.test(lines)) return lines;
  return withHarmlessAngles(lines.replace(hidden(), ""));
}

const plainBreaks = (text: string): string => text.replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n");

/** From the end, so that each bracket is read by what follows it in the result: `<&lt;/heed` has two of them. */
function withHarmlessAngles(text: string): string {
  const parts: string[] = [];
  let following = "";
  let end = text.length;
  for (const match of [...text.matchAll(OPENING_ANGLE)].toReversed()) {
    const [bracket] = match;
    const between = text.slice(match.index + bracket.length, end);
    // However many blanks or joiners there are: they hide a name from this window, not from a reader.
    const near = between.replace(/[\s\u200C\u200D]+/g, " ").slice(0, TAG_WINDOW);
    following = (near + following).slice(0, TAG_WINDOW);
    const angle = isReserved(withoutEntities(following)) ? HARMLESS_ANGLE : bracket;
    parts.push(between, angle);
    following = angle + following;
    end = match.index;
  }
  return text.slice(0, end) + parts.toReversed().join("");
}

/** Defused text on one line: line breaks and runs of blanks become one blank, code fences become quotes. */
export function defuseLine(text: string): string {
  return defuse(text)
    .replace(/`{3,}|~{3,}/g, "`")
    .replace(/\s+/g, " ")
    .trim();
}

/** Defused text, each line indented, since the first column is heed's own. Closes an open code block. */
export function defuseBlock(text: string, indent: string = "  "): string {
  const lines = defuse(text).trim().split("\n");
  let open = "";
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === "") open = mark;
    else if (mark.startsWith(open)) open = "";
  }
  if (open !== "") lines.push(open);
  return lines.map((line) => (line.trim() === "" ? "" : `${indent}${line.trimEnd()}`)).join("\n");
}

function isReserved(following: string): boolean {
  const letters = Array.from(following.normalize("NFKD").toLowerCase(), (char) => LOOK_ALIKES[char] ?? char);
  let name = "";
  let isEnded = false;
  for (const char of letters) {
    if (char >= "a" && char <= "z") {
      if (isEnded && RESERVED_WORDS.includes(name)) return true;
      name += char;
      isEnded = false;
    } else if (/[\p{L}\p{N}]/u.test(char)) {
      break;
    } else if (char === ">" || char === "＞") {
      break;
    } else {
      // Anything else between letters (dash, blank, joiner, accent, slash) may be there to hide the name.
      isEnded = name !== "";
    }
    if (RESERVED_TAGS.some((tag) => name.startsWith(tag))) return true;
    if (name.length > 24) return false;
  }
  return RESERVED_WORDS.includes(name);
}

/** Shortens text to `maxChars` UTF-16 units with an ellipsis: at a word's end if near, unless each counts; never in a surrogate pair. */
export function cutText(text: string, maxChars: number, isExact = false): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  let end = maxChars - 1;
  const blank = text.lastIndexOf(" ", end);
  // A cut at a blank is kinder to the reader, but must not cost more than an eighth of the room.
  if (!isExact && blank > end * 0.875) end = blank;
  if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Shortens text to `maxChars` around a part of it, which stays whole where it fits; to its beginning where it is not there. */
export function cutAround(text: string, part: string, maxChars: number): string {
  const at = Math.max(0, text.indexOf(part));
  const before = Math.floor(Math.max(0, maxChars - part.length) / 2);
  const from = Math.min(at - before, text.length - maxChars);
  if (from <= 0) return cutText(text, maxChars);
  const blank = text.indexOf(" ", from);
  const isNear = blank >= 0 && blank < Math.min(at, from + maxChars / 8);
  const start = isNear ? blank : isHighSurrogate(text.charCodeAt(from)) ? from + 2 : from + 1;
  return cutText(`…${text.slice(start).trimStart()}`, maxChars);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** What is approved in a line is shown whole, up to this length in characters; longer texts are looked at elsewhere. */
export const MAX_ASKED_CHARS = 1300;

/** A text as shown for approval: without secrets, hidden and look-alike characters marked. */
export function shownText(text: string): string {
  return markHidden(plainBreaks(redactSecrets(text)));
}

/** The same on one line that it cannot break out of, its line breaks marked. */
export function shownLine(text: string): string {
  return defuseLine(shownText(text.trim()).replace(/\s*\n\s*/g, " ⏎ "));
}

/** The same of a text of which nothing is left out; undefined for one that is too long, hides characters or holds a secret. */
export function shownWhole(text: string): string | undefined {
  const lines = plainBreaks(text);
  const shown = shownLine(text);
  const isWhole = defuse(lines).length === lines.length && redactSecrets(text) === text;
  return isWhole && shown.length <= MAX_ASKED_CHARS ? shown : undefined;
}

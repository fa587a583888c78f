import { hidesCharacters, tagBlockText, withoutInvisible, LOOK_ALIKES } from "./hidden-characters.ts";
import { HintTable } from "./hint-table.ts";
import type { HostileKind, HostilePattern } from "./order-patterns.ts";
import { ORDER_PATTERNS, EXFILTRATION_PATTERNS, spoofsRole } from "./order-patterns.ts";

interface HostileFinding {
  kind: HostileKind;
  /** The words that were found, at most 80 characters, visible ones only; empty where nothing can be shown. */
  words: string;
}

/** Texts are looked at to this length: what a store takes as one memory is shorter. */
const MAX_CHARS = 512 * 1024;
const MAX_WORDS_CHARS = 80;

const HOSTILE_PATTERNS = [...ORDER_PATTERNS, ...EXFILTRATION_PATTERNS];

let byHint: HintTable<HostilePattern> | undefined;

function hintTable(): HintTable<HostilePattern> {
  return (byHint ??= new HintTable(HOSTILE_PATTERNS));
}

const UNHINTED = HOSTILE_PATTERNS.filter(({ hints }) => hints === "");

/** Finds what an attack on a model needs, one finding a kind. A filter with gaps: what passes is still fenced data. */
export function findHostile(text: string): HostileFinding[] {
  const whole = text.slice(0, MAX_CHARS);
  const found = new Map<HostileKind, HostileFinding>();
  const add = (kind: HostileKind, words: string): void => {
    if (!found.has(kind))
      found.set(kind, { kind, words: words.replace(/\s+/g, " ").trim().slice(0, MAX_WORDS_CHARS) });
  };
  for (const variant of variantsOf(whole)) for (const { kind, words } of speaks(variant)) add(kind, words);
  if (hidesCharacters(whole)) add("hidden-characters", "");
  if (spoofsRole(whole)) add("role-tags", "");
  for (const plain of encodedIn(whole)) {
    const [finding] = [...variantsOf(plain)].flatMap((variant) => speaks(variant));
    if (finding) add("encoded", finding.words);
    else if (spoofsRole(plain)) add("encoded", "");
  }
  return [...found.values()];
}

/** Letters that look like Latin ones, digits apart: those are read as letters only where an attack's words result. */
const FOREIGN_LETTERS = new RegExp(`[${Object.keys(LOOK_ALIKES).join("").replace(/\d/g, "")}]`, "giu");
const LEET: Readonly<Record<string, string>> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t" };
const LEET_WORDS =
  /\b(?=[a-z|$@!]{0,9}[013457|$@!])(?:[i1!|]gn[o0]r[e3]|pr[e3]v[i1!|][o0]u[s5$]|[i1!|]n[s5$][t7]ruc[t7][i1!|][o0]n|d[i1!|][s5$]r[e3]g[a4@]rd)/i;

/** What a text says, in the ways in which it can be read: as it is, with look-alikes replaced, with gaps closed. */
function* variantsOf(text: string): Generator<string> {
  const plain = withoutInvisible(text)
    .normalize("NFKD")
    .replace(/[\u0300-\u036F*_~`"“”]/g, "")
    .replace(/[ \t\u00A0]{2,}|[\t\u00A0]/g, " ");
  yield plain;
  const latin = plain.replace(FOREIGN_LETTERS, (char) => LOOK_ALIKES[char.toLowerCase()] ?? char);
  if (latin !== plain) yield latin;
  if (LEET_WORDS.test(latin))
    yield latin.replace(/[013457@$!|](?=\w)|(?<=\w)[013457@$!|]/g, (char) =>
      char === "@" ? "a" : char === "$" ? "s" : (LEET[char] ?? "i"),
    );
  const spaced = /\b\w[ .\-_]{1,3}\w[ .\-_]{1,3}\w[ .\-_]{1,3}(?:\w[ .\-_]{1,3}){5,400}\w\b/g;
  for (const [letters] of text.matchAll(spaced))
    yield withBlanks(letters.replace(/[ .\-_]+/g, "").toLowerCase());
}

/** Letters that were written apart: blanks are put between the words that attacks are made of. */
function withBlanks(letters: string): string {
  return letters
    .replace(
      /(ignore|disregard|forget|override|bypass|all|any|the|your|of|previous|prior|above|earlier|system|instructions?|rules|prompts?|guidelines|you|are|now|must|reveal|print)/g,
      " $1 ",
    )
    .replace(/ +/g, " ")
    .trim();
}

function speaks(text: string): HostileFinding[] {
  const found: HostileFinding[] = [];
  const take = ({ kind, isSure }: HostilePattern, match: RegExpExecArray | null): void => {
    if (match && (!isSure || isSure(match[0]))) found.push({ kind, words: match[0] });
  };
  hintTable().scan(text, (at, hostile) => {
    hostile.pattern.lastIndex = at;
    take(hostile, hostile.pattern.exec(text));
  });
  if (/[\u0400-\u04FF\u0600-\u06FF\u1100-\u11FF\u3000-\u9FFF\uAC00-\uD7AF]/.test(text))
    for (const hostile of UNHINTED) take(hostile, hostile.pattern.exec(text));
  return found;
}

/** What a text says to whoever decodes it, one layer and the layer below. */
function encodedIn(text: string): string[] {
  const first = decodePayloads(text);
  const second = first.flatMap((plain) => decodePayloads(plain));
  const hidden = tagBlockText(text);
  const turned = /snoitcurtsni|stpmorp/i.test(text) ? [Array.from(text).reverse().join("")] : [];
  const rotated = /vafgehpgvba|vtaber|cerivbhf/i.test(text) ? [rot13(text)] : [];
  return [...first, ...second, ...(hidden === "" ? [] : [hidden]), ...turned, ...rotated];
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

const MAX_PAYLOADS = 40;
const MAX_PAYLOAD_CHARS = 8192;

interface Encoding {
  pattern: RegExp;
  decode: (payload: string) => string;
}

const ENCODINGS: readonly Encoding[] = [
  {
    pattern: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}={0,2}/g,
    decode: (payload) => Buffer.from(payload, "base64").toString("utf8"),
  },
  {
    pattern: /\b(?:[0-9a-f]{2}[ :,]?){16,2048}/gi,
    decode: (payload) => Buffer.from(payload.replace(/[^0-9a-f]/gi, ""), "hex").toString("utf8"),
  },
];

const MIN_ESCAPES = 3;
const ESCAPES: readonly RegExp[] = [
  /%([0-9a-f]{2})/gi,
  /\\(?:u\{?|x)([0-9a-f]{2,6})\}?/gi,
  /&#x([0-9a-f]{2,5});/gi,
  /&#(\d{2,6});/g,
];

function decodePayloads(text: string): string[] {
  const decoded: string[] = [];
  for (const { pattern, decode } of ENCODINGS) {
    for (const [payload] of text.matchAll(pattern)) {
      if (decoded.length >= MAX_PAYLOADS) break;
      const plain = decode(payload.slice(0, MAX_PAYLOAD_CHARS));
      if (isText(plain)) decoded.push(plain);
    }
  }
  for (const escape of ESCAPES) {
    if ((text.match(escape)?.length ?? 0) < MIN_ESCAPES) continue;
    const base = escape.source.startsWith("&#(") ? 10 : 16;
    decoded.push(text.replace(escape, (_, code: string) => characterOf(Number.parseInt(code, base))));
  }
  return decoded;
}

/** Mostly letters and blanks: names, hashes and pictures decode to anything but that. */
function isText(plain: string): boolean {
  if (plain.length < 10 || plain.includes("\uFFFD")) return false;
  const letters = plain.match(/[\p{L} ]/gu)?.length ?? 0;
  return letters >= plain.length * 0.6;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

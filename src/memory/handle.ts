import { randomBytes } from "node:crypto";
import { isAscii } from "./screening/hostile-text.ts";
import type { StoreRef } from "./memory.ts";

/** Not within a longer word, a path or a URL. Made when it is used: V8 reads what names all scripts slowly. */
const cited = (): RegExp =>
  /(?<![\p{L}\p{N}_/.:-])heed:([….]?[\p{L}\p{N}][\p{L}\p{N}-]{0,99}(?:…|\.[\da-z]{4})?)(?![\p{L}\p{N}_-])/giu;
const MAX_CITED = 50;

/** With `heed:` before it, twenty characters: a longer name says again what stands beside it. */
const MAX_SHOWN_CHARS = 15;

interface Named {
  name: string;
  statement?: string;
}

/** The citation handle that heed shows and asks the model to quote: `heed:prefers-vim`, `heed:never-edit.k7qm`. */
export function handleOf(memory: Named): string {
  return `heed:${shortNameOf(memory)}`;
}

/** A name to type; for a long one words of the statement and a mark of the name, which alone decides. */
export function shortNameOf({ name, statement = name }: Named): string {
  if (name.length <= MAX_SHOWN_CHARS) return name;
  const slug = slugOf(statement) || slugOf(name);
  const [words = ""] = /^(?:.{5,10}(?=-|$)|.{1,10})/u.exec(slug) ?? [];
  return `${words.replace(/-+$/, "")}.${markOf(name)}`;
}

/** The shortest handle, for lists that would not fit with others: the mark alone. */
export function shortestHandleOf({ name }: { name: string }): string {
  return name.length <= 6 ? name : `.${markOf(name)}`;
}

/** FNV-1a, folded to twenty bits: of 300 memories two have the same in one store of 23. */
function markOf(name: string): string {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash ^= hash >>> 20;
  return [0, 5, 10, 15]
    .map((bits) => ALPHABET[(hash >>> bits) & 31])
    .join("")
    .toLowerCase();
}

/** A handle that somebody gave, without the marks of a citation: the name (or id) alone. */
export function plainHandle(handle: string): string {
  return handle
    .trim()
    .replace(/^\[?heed:/i, "")
    .replace(/\]$/, "")
    .replace("...", "…")
    .trim();
}

/** Whether a handle is short for a name: by its mark, or cut at `…`. False for the name itself. */
export function isShortFor(cut: string, name: string): boolean {
  const mark = /\.([\da-z]{4})$/.exec(cut)?.[1];
  if (mark !== undefined) return mark === markOf(name);
  const [before = "", behind] = cut.split("…");
  return behind !== undefined && name.startsWith(before) && name.endsWith(behind);
}

/** The names that a text cites as `[heed:name]` or `heed:name`, each once, in their order, the first 50. */
export function handlesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, name = ""] of text.matchAll(cited())) {
    found.add(name.toLowerCase().replace(/-+$/, ""));
    if (found.size >= MAX_CITED) break;
  }
  return [...found];
}

/** A handle from free text: lower case, words joined by dashes, at most 80 characters. */
export function slugOf(text: string): string {
  return (
    text
      .slice(0, 500)
      .normalize("NFKC")
      .toLowerCase()
      // In lower case a dotted capital I has its dot beside it.
      .replace(/['’]|\u0307/g, "")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .slice(0, 80)
      .replace(/^-+|-+$/g, "")
  );
}

/** A name as it is, with a number where it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const made = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(made)) return made;
  }
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID (github.com/ulid/spec). Not monotonic within a millisecond. @param random ten bytes; default: the system's. */
export function newId(now: Date = new Date(), random: Uint8Array = randomBytes(10)): string {
  let bits = BigInt(Math.max(0, now.getTime()));
  for (const byte of random.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  let id = "";
  for (let i = 0; i < 26; i++) {
    id = (ALPHABET[Number(bits & 31n)] ?? "") + id;
    bits >>= 5n;
  }
  return id;
}

export function timeOfId(id: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return undefined;
  return Array.from(id.slice(0, 10)).reduce((ms, digit) => ms * 32 + ALPHABET.indexOf(digit), 0);
}

/** Letters and digits in lower case with single blanks: equal for texts that differ in punctuation, case or breaks. */
export function plainWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(isAscii(text) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export const STORE_WORDS = {
  user: "your own store",
  project: "the repository's store",
  team: "a shared store",
  attached: "an attached store",
} as const;

/** Why nothing is written to a store that is only read, and what to do instead. */
export function readOnlyWords({ kind, root, source, server }: Omit<StoreRef, "id">): string {
  if (server)
    return `you may read ${server.audience} on ${server.url} and not write it: ask whoever administers it`;
  const remedy = kind === "attached" ? "tool, or import it" : "repository";
  return `${source ?? root} is read-only here: change it in its own ${remedy}`;
}

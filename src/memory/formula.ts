import { sha256Hex } from "../machine/sha256.ts";

/** A line typed as a whole prompt that tells heed something; no model reads or can write it. */
export type Formula =
  | { do: "keep"; text: string; type?: string }
  | { do: "yes" | "no" | "allow"; code: string }
  | { do: "forget"; name: string }
  | { do: "undo"; name?: string };

/** How a formula begins once its blanks are gone, also within another: up to its text, or with the first letter of its code or name. */
export const FORMULA_BEGINS: RegExp =
  /(?=(heed(?:keep[a-z0-9_-]{0,40}?:|(?:yes|no|allow|forget)[\p{L}\p{N}…]|undo)))/gu;

const MAX_CHARS = 600;
const CODE_CHARS = 5;
const CODE = `([a-z0-9]{${CODE_CHARS}})`;
const GRAMMAR = {
  keep: /^heed[ \t]+keep(?:[ \t]+([a-z][a-z0-9_-]*))?[ \t]*:[ \t]*(\S.*)$/i,
  coded: new RegExp(String.raw`^heed[ \t]+(yes|no|allow)[ \t]+${CODE}$`, "i"),
  named: (): RegExp => /^heed[ \t]+(forget|undo)[ \t]+(?:heed:)?([\p{L}\p{N}…][\p{L}\p{N}._…-]*)$/iu,
  undo: /^heed[ \t]+undo$/i,
  any: /^heed[ \t]+(?:keep|yes|no|allow|forget|undo)(?![\p{L}\p{N}])/iu,
};

/** Reads a prompt that is a formula as a whole; in a paste or sentence it does nothing. */
export function readFormula(prompt: string): Formula | undefined {
  const line = prompt.trim();
  if (!/^heed[ \t]/i.test(line)) return undefined;
  if (line.length > MAX_CHARS || /[\p{Cc}\u2028\u2029]/u.test(line.replaceAll("\t", " "))) return undefined;
  const keep = GRAMMAR.keep.exec(line);
  if (keep?.[2] !== undefined)
    return { do: "keep", text: keep[2], ...(keep[1] !== undefined && { type: keep[1].toLowerCase() }) };
  const [, word = "", code = ""] = GRAMMAR.coded.exec(line) ?? [];
  if (code !== "") return { do: word.toLowerCase() as "yes" | "no" | "allow", code: code.toLowerCase() };
  const [, verb = "", name = ""] = GRAMMAR.named().exec(line) ?? [];
  if (name !== "") return { do: verb.toLowerCase() as "forget" | "undo", name };
  return GRAMMAR.undo.test(line) ? { do: "undo" } : undefined;
}

/** What to say of a prompt that begins as a formula and is none: it goes to the model as any other. */
export function whyNoFormula(prompt: string): string | undefined {
  const text = prompt.trim();
  if (/^heed[ \t]+list$/i.test(text))
    return "heed list runs in a terminal; the model, which reads this prompt, can list what is kept here too.";
  if (!GRAMMAR.any.test(text) || readFormula(prompt)) return undefined;
  const why = text.includes("\n")
    ? "it has more than one line, and each line is typed by itself"
    : text.length > MAX_CHARS
      ? `it has ${text.length} characters, ${MAX_CHARS} at most`
      : "its form is another";
  return `heed kept and changed nothing by this prompt, and the model reads it: ${why}. As the whole prompt: heed keep: TEXT, heed forget NAME, heed undo, heed yes CODE, heed no CODE, heed allow CODE.`;
}

/** Letters and digits that nobody takes for each other. */
const SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";

/** A short code for exactly what a person was shown; any other text has another code. Not a secret. */
export function codeOf(...shown: readonly string[]): string {
  const hash = sha256Hex(JSON.stringify(shown));
  return Array.from(
    { length: CODE_CHARS },
    (_, i) => SIGNS[parseInt(hash.slice(i * 2, i * 2 + 2), 16) % SIGNS.length],
  ).join("");
}

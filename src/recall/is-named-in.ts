import { handleOf } from "../memory/handle.ts";
import type { MemoryMetadata } from "../memory/memory-metadata.ts";

/** What opens a claim, and says its kind. */
const KIND = /^(?:must:|absent:)*[a-z]+:/;
/** A path, or a word that only code has: with an underscore, a dot or a capital inside. */
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$./-]{2,}/gu;
const IS_OF_CODE = /[_./]|\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}]{3,}$/u;

/** Whether a text names a memory: by its handle or name, or by a path or an identifier that its claims are about. */
export function isNamedIn(text: string, metadata: Pick<MemoryMetadata, "name" | "claims">): boolean {
  const names = [handleOf(metadata), ...(metadata.name.includes("-") ? [metadata.name] : [])];
  for (const claim of metadata.claims)
    for (const [word] of claim.replace(KIND, "").matchAll(IDENTIFIER))
      if (IS_OF_CODE.test(word)) names.push(word, ...(word.includes("/") ? [fileOf(word)] : []));
  return names.some((name) => name.length > 3 && holdsWord(text, name));
}

function fileOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return file.includes(".") ? file : "";
}

/** Whether a text holds a name as a whole word. */
function holdsWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? " ", text[at + name.length] ?? " "];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

/** Not within a longer word, a path or a URL. */
const CITED = /(?<![\p{L}\p{N}_/.:-])heed:([\p{L}\p{N}][\p{L}\p{N}-]{0,99})(?![\p{L}\p{N}_-])/giu;
const MAX_CITED = 50;

/** The citation handle that heed shows and asks the model to quote, for example `heed:prefers-vim`. */
export function handleOf(memory: { name: string }): string {
  return `heed:${memory.name}`;
}

/** A handle that somebody gave, without the marks of a citation: the name (or id) alone. */
export function plainHandle(handle: string): string {
  return handle
    .trim()
    .replace(/^\[?heed:/i, "")
    .replace(/\]$/, "")
    .trim();
}

/** The names that a text cites as `[heed:name]` or `heed:name`, each once, in their order, the first 50. */
export function handlesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, name = ""] of text.matchAll(CITED)) {
    found.add(name.toLowerCase().replace(/-+$/, ""));
    if (found.size >= MAX_CITED) break;
  }
  return [...found];
}

import type { Tree } from "./claim-check.ts";
import type { RepositoryHistory } from "./repository-history.ts";
import type { Definition } from "./source/definition.ts";
import { findDefinitions, findSymbol } from "./source/find-definitions.ts";
import { textSimilarity } from "./follow-path.ts";

/** What became of a symbol: it stands in another file, or under another name. */
export interface SymbolMove {
  path: string;
  symbol: string;
  isCertain: boolean;
}

/** So many files are looked into for a symbol that moved. */
const MAX_FILES = 60;
/** A body that shares this much under another name is the same thing renamed. */
const LIKE_ENOUGH = 0.6;

/**
 * Where a symbol went that a file defined before a commit and does not define after it.
 *
 * @param before the file's text before that commit.
 * @param commit undefined when the change is not committed.
 */
export async function followSymbol(
  subject: { path: string; symbol: string },
  before: string,
  commit: string | undefined,
  tree: Tree,
  history: RepositoryHistory,
): Promise<SymbolMove | undefined> {
  const { path, symbol } = subject;
  const moved = await movedTo(subject, commit, tree, history);
  if (moved) return moved;
  const now = tree.text(path);
  if (!("text" in now)) return undefined;
  const old = findDefinitions(path, before) ?? [];
  const gone = findSymbol(old, symbol);
  const current = findDefinitions(path, now.text) ?? [];
  if (!gone) return undefined;
  const renamed = renamedTo(gone, before, old, current, now.text);
  if (!renamed) return undefined;
  const outer = symbol.slice(0, symbol.length - gone.name.length);
  return { path, symbol: outer + renamed.name, isCertain: true };
}

async function movedTo(
  { path, symbol }: { path: string; symbol: string },
  commit: string | undefined,
  tree: Tree,
  history: RepositoryHistory,
): Promise<SymbolMove | undefined> {
  const name = symbol.split(/\.|::|#/).at(-1) ?? symbol;
  const defines = (file: string): boolean => {
    if (file === path) return false;
    const read = tree.text(file);
    const definitions = "text" in read ? findDefinitions(file, read.text) : undefined;
    return definitions !== undefined && findSymbol(definitions, symbol) !== undefined;
  };
  const touched = commit === undefined ? await history.untracked() : await history.touchedIn(commit);
  const near = touched.slice(0, MAX_FILES).filter(defines);
  if (near[0] !== undefined && near.length === 1) return { path: near[0], symbol, isCertain: true };
  const others = (await history.filesWithWord(name)).slice(0, MAX_FILES).filter(defines);
  const all = [...new Set([...near, ...others])];
  const [first] = all;
  if (first === undefined) return undefined;
  // One that was there before as well is a namesake, not the place to which it went.
  const earlier =
    commit === undefined
      ? new Map<string, string>()
      : await history.textsAt(all.map((file) => `${commit}^1:${file}`));
  const fresh = all.filter((file) => {
    const text = earlier.get(`${commit}^1:${file}`);
    return text === undefined || !findSymbol(findDefinitions(file, text) ?? [], symbol);
  });
  const [best] = fresh;
  return best === undefined ? undefined : { path: best, symbol, isCertain: fresh.length === 1 };
}

/** The definition that took the place of one that went: same kind, new name, like body. */
function renamedTo(
  gone: Definition,
  before: string,
  old: readonly Definition[],
  current: readonly Definition[],
  now: string,
): Definition | undefined {
  const known = new Set(old.map(keyOf));
  const word = new RegExp(`(?<![\\w$])${gone.name.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&")}(?![\\w$])`, "g");
  const body = before.slice(gone.start, gone.end);
  let best: { definition: Definition; similarity: number } | undefined;
  for (const definition of current) {
    if (definition.kind !== gone.kind || known.has(keyOf(definition))) continue;
    const similarity = textSimilarity(
      body.replace(word, () => definition.name),
      now.slice(definition.start, definition.end),
    );
    if (similarity >= LIKE_ENOUGH && similarity > (best?.similarity ?? 0)) best = { definition, similarity };
  }
  return best?.definition;
}

function keyOf(definition: Definition): string {
  return `${definition.container.join(".")}.${definition.name}`;
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findDefinitions } from "../src/freshness/source/find-definitions.ts";
import { type Language, languageOf } from "../src/freshness/source/mask-source.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { SeededRandom } from "./seeded-random.ts";
import { hasGrammar, treeDefinitions } from "./tree-definitions.ts";

const MAX_TEXT = 500_000;
/** So many disagreements of a language are printed with --look. */
const MAX_SHOWN = 40;

interface Tally {
  files: number;
  /** Files that the grammar itself cannot read: nothing is compared there. */
  unread: number;
  chars: number;
  ownMs: number;
  grammarMs: number;
  both: number;
  onlyOwn: string[];
  onlyGrammar: string[];
}

/**
 * Compares heed's own finding of definitions with tree-sitter's grammars, name by name, over the source files of
 * repositories: for each language what is found by both, and the time that each takes.
 *
 * `--repo DIR` (repeated; default: this one), `--files N` a language and repository (default 200), `--seed N`, `--language L`,
 * `--look` prints where the two differ.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      repo: { type: "string", multiple: true },
      files: { type: "string" },
      seed: { type: "string" },
      language: { type: "string" },
      look: { type: "boolean" },
    },
  });
  const tallies = new Map<Language, Tally>();
  for (const repository of values.repo ?? ["."]) {
    const random = new SeededRandom(Number(values.seed ?? 1));
    for (const [language, files] of sourcesOf(repository)) {
      if (values.language !== undefined && values.language !== language) continue;
      const tally = tallies.get(language) ?? emptyTally();
      tallies.set(language, tally);
      for (const file of random.sample(files, Number(values.files ?? 200)))
        await compare(repository, file, tally);
    }
  }
  if (values.look) for (const [language, tally] of tallies) look(language, tally);
  return [...tallies]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([language, tally]) => figuresOf(language, tally));
}

function emptyTally(): Tally {
  return { files: 0, unread: 0, chars: 0, ownMs: 0, grammarMs: 0, both: 0, onlyOwn: [], onlyGrammar: [] };
}

function sourcesOf(repository: string): Map<Language, string[]> {
  const found = new Map<Language, string[]>();
  const names = execFileSync("git", ["ls-files", "-z"], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  for (const name of names.split("\0")) {
    const language = hasGrammar(name) ? languageOf(name) : undefined;
    if (language) found.set(language, [...(found.get(language) ?? []), name]);
  }
  return found;
}

async function compare(repository: string, file: string, tally: Tally): Promise<void> {
  let text: string;
  try {
    text = readFileSync(join(repository, file), "utf8");
  } catch {
    return;
  }
  if (text.length > MAX_TEXT || text.includes("\0")) return;
  const began = performance.now();
  const theirs = await treeDefinitions(file, text);
  const between = performance.now();
  if (!theirs) {
    tally.unread += 1;
    return;
  }
  const own = namesOf(findDefinitions(file, text) ?? []);
  tally.ownMs += performance.now() - between;
  tally.grammarMs += between - began;
  tally.files += 1;
  tally.chars += text.length;
  const grammar = namesOf(theirs);
  for (const name of own) {
    if (grammar.has(name)) tally.both += 1;
    else tally.onlyOwn.push(`${join(repository, file)} ${name}`);
  }
  for (const name of grammar) if (!own.has(name)) tally.onlyGrammar.push(`${join(repository, file)} ${name}`);
}

function namesOf(definitions: readonly { name: string }[]): Set<string> {
  return new Set(definitions.map(({ name }) => name).filter((name) => /^[A-Za-z_]\w{2,}$/.test(name)));
}

function figuresOf(language: Language, tally: Tally): Figure[] {
  const { both, onlyOwn, onlyGrammar, chars, ownMs, grammarMs } = tally;
  const rate = (name: string, n: number): Figure => rateFigure(`${language}_${name}`, both, n);
  return [
    {
      ...rate("found", both + onlyGrammar.length),
      note: `${tally.files} files, ${tally.unread} beyond the grammar`,
    },
    rate("agreed", both + onlyOwn.length),
    figure(`${language}_ms_per_mb`, chars === 0 ? null : (ownMs / chars) * 1e6, "ms", tally.files, {
      baseline: chars === 0 ? 0 : (grammarMs / chars) * 1e6,
      note: "baseline: the grammar",
    }),
  ];
}

function look(language: Language, { onlyOwn, onlyGrammar }: Tally): void {
  const random = new SeededRandom(7);
  for (const one of random.sample(onlyGrammar, MAX_SHOWN)) console.error(`${language} not found   ${one}`);
  for (const one of random.sample(onlyOwn, MAX_SHOWN)) console.error(`${language} found alone ${one}`);
}

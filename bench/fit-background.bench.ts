import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { termOf } from "../src/search/index/analysis/normalize-word.ts";
import { TokenKind, tokenize } from "../src/search/index/analysis/tokenize.ts";
import { GENERAL_WORDS } from "./general-words.ts";
import type { Figure } from "./figure.ts";
import { readJsonLines } from "./json-lines.ts";

/** A term has to occur in prompts of so many projects: then it is a word of the trade and nobody's name or secret. */
const MIN_PROJECTS = 4;
/** One project's way of speaking counts as that of at most so many prompts. */
const MAX_PROMPTS_OF_PROJECT = 150;
/** Shares are kept in bands: finer ones would be noise. Each stands for what lies between it and the next. */
const BANDS: readonly (readonly [from: number, share: number])[] = [
  [0.1, 0.14],
  [0.05, 0.07],
  [0.025, 0.035],
  [0.012, 0.017],
  [0.006, 0.0085],
  [0.003, 0.004],
];

/**
 * Counts in how many prompts each term occurs and writes src/search/background-frequency.ts (`--write`): only terms that
 * several projects share, in six coarse bands, together with words listed by hand (general-words.ts).
 *
 * `--turns FILE`: JSON lines with `prompt` and `repo`.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { turns: { type: "string" }, write: { type: "boolean", default: false } },
  });
  if (values.turns === undefined) throw new Error("give --turns FILE: JSON lines with `prompt` and `repo`");
  const shares = sharesOf(readJsonLines<Turn>(values.turns));
  const bands = BANDS.map(([, share]) => ({ share, terms: [] as string[] }));
  for (const [term, share] of shares) {
    const band = BANDS.findIndex(([from]) => share >= from);
    bands[band]?.terms.push(term);
  }
  if (values.write) writeFileSync("src/search/background-frequency.ts", sourceOf(bands));
  return bands.map(({ share, terms }) => ({
    name: `terms_of_share_${share}`,
    value: terms.length,
    unit: "terms",
    n: shares.size,
  }));
}

interface Turn {
  prompt: string;
  repo: string;
}

/** The share of prompts that hold each term, over the projects; hand-listed words have at least their band's share. */
function sharesOf(turns: readonly Turn[]): Map<string, number> {
  const projects = groupByRepo(turns);
  const weights = new Map<string, { sum: number; projects: number }>();
  let total = 0;
  for (const prompts of projects.values()) {
    const weight = Math.min(prompts.length, MAX_PROMPTS_OF_PROJECT);
    total += weight;
    const counts = new Map<string, number>();
    for (const { prompt } of prompts) {
      for (const term of termsOf(prompt)) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    for (const [term, count] of counts) {
      const known = weights.get(term) ?? { sum: 0, projects: 0 };
      known.sum += (weight * count) / prompts.length;
      known.projects += 1;
      weights.set(term, known);
    }
  }
  const shares = new Map(
    GENERAL_WORDS.flatMap(([share, words]) => words.split(" ").map((word) => [termOf(word), share] as const)),
  );
  for (const [term, { sum, projects: count }] of weights) {
    if (count >= MIN_PROJECTS) shares.set(term, Math.max(sum / total, shares.get(term) ?? 0));
  }
  return new Map([...shares].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function termsOf(prompt: string): Set<string> {
  const terms = new Set<string>();
  tokenize(prompt.slice(0, 6000), (term, _position, kind, isStop) => {
    if (!isStop && kind !== TokenKind.character) terms.add(term);
  });
  return terms;
}

function sourceOf(bands: readonly { share: number; terms: readonly string[] }[]): string {
  const lines = bands.map(({ share, terms }) => `  [\n    ${share},\n${wrapped(terms.join(" "))},\n  ],`);
  return `/**
 * Stems of what people tell coding agents, by the share of prompts that hold them. Written by
 * \`npm run bench -- fit-background --turns FILE --write\`; kept are only stems that prompts of several projects share.
 */
export const BACKGROUND_BANDS: readonly (readonly [share: number, terms: string])[] = [
${lines.join("\n")}
];
`;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line.length + word.length > 98) {
      lines.push(line);
      line = "";
    }
    line += `${word} `;
  }
  lines.push(line.trimEnd());
  return lines.map((part) => `    ${JSON.stringify(part)}`).join(" +\n");
}

function groupByRepo(turns: readonly Turn[]): Map<string, Turn[]> {
  const groups = new Map<string, Turn[]>();
  for (const turn of turns) groups.set(turn.repo, [...(groups.get(turn.repo) ?? []), turn]);
  return groups;
}

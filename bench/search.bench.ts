import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import type { IndexDocument } from "../src/search/index/document/index-document.ts";
import { writeIndex } from "../src/search/index/index-writer.ts";
import { openIndex } from "../src/search/index/index-reader.ts";
import { search } from "../src/search/search.ts";
import { syntheticCorpus, syntheticQueries } from "./corpus.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./statistics.ts";

const SIZES = { "200": 200, "2k": 2_000, "20k": 20_000, "200k": 200_000 };
const QUERIES = 60;
const TERMS = 8;
/** MiniSearch holds everything in memory and takes minutes to build beyond this. */
const MINISEARCH_MAX = 20_000;

/**
 * Median time of an eight-word OR query in a running process, for heed and MiniSearch over the same generated corpus. `--max N` leaves out larger corpora.
 */
export function run(args: string[]): Figure[] {
  const { values } = parseArgs({ args, options: { max: { type: "string", default: "200000" } } });
  const queries = syntheticQueries(QUERIES, TERMS);
  const figures: Figure[] = [];
  for (const [label, size] of Object.entries(SIZES)) {
    if (size > Number(values.max)) continue;
    const corpus = (): Iterable<IndexDocument> => syntheticCorpus(size);
    figures.push(figure(`p50_ms_${label}`, timeHeed(corpus, queries), "ms", QUERIES));
    if (size <= MINISEARCH_MAX)
      figures.push(figure(`minisearch_p50_ms_${label}`, timeMiniSearch(corpus, queries), "ms", QUERIES));
  }
  return figures;
}

/** Median of the queries in milliseconds, each run twice and the second counted: pages and code are warm then. */
function timeQueries(queries: readonly string[], ask: (query: string) => void): number {
  for (const query of queries) ask(query);
  return median(
    queries.map((query) => {
      const startedAt = performance.now();
      ask(query);
      return performance.now() - startedAt;
    }),
  );
}

function timeHeed(corpus: () => Iterable<IndexDocument>, queries: readonly string[]): number {
  const directory = mkdtempSync(join(tmpdir(), "heed-search-"));
  try {
    writeIndex(directory, corpus());
    const reader = openIndex(directory);
    if (!reader) throw new Error("the index that was just written cannot be opened");
    const p50 = timeQueries(queries, (text) => void search([reader], { text, limit: 10 }));
    reader.close();
    return p50;
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

function timeMiniSearch(corpus: () => Iterable<IndexDocument>, queries: readonly string[]): number {
  const fields = ["name", "trigger", "tags", "statement", "body"];
  const engine = new MiniSearch({ fields });
  let id = 0;
  for (const { metadata, body } of corpus()) {
    engine.add({
      id: id++,
      name: metadata.name,
      trigger: metadata.trigger.join(" "),
      tags: metadata.tags.join(" "),
      statement: metadata.statement,
      body,
    });
  }
  const boost = { name: 2, trigger: 2, statement: 1.5 };
  return timeQueries(queries, (text) => void engine.search(text, { boost }));
}

import { describe, expect, it } from "vitest";
import { loadSqlite } from "../../bench/fts5.ts";
import { syntheticCorpus, syntheticQueries } from "../../bench/corpus.ts";
import { memoryIndex } from "../../src/search/index/index-writer.ts";
import { FIELD_WEIGHTS } from "../../src/search/score-segments.ts";
import { search } from "../../src/search/search.ts";

const DOCUMENTS = 600;
const QUERIES = 80;
const TOP = 5;

/** A body that saturates as FTS5's columns do: heed's own is lighter. */
const PLAIN_WEIGHTS = { ...FIELD_WEIGHTS, body: { weight: 1, b: 0.75 } };

const sqlite = await loadSqlite();
if (!sqlite) console.log("SQLite FTS5 is not in this Node: the differential test runs from Node 22 on");

/** Bodies alone, so that both rank one field by BM25 with the same constants; FTS5 knows no BM25F. */
const documents = [...syntheticCorpus(DOCUMENTS)].map(({ metadata, body }, i) => ({
  metadata: { ...metadata, name: `m${i}`, description: "", tags: [], trigger: [], file: `${i}.md` },
  body: body.replace(/[^a-z ]+/gi, " "),
}));

describe.skipIf(!sqlite)("ranking against SQLite FTS5", () => {
  it("agrees on nearly all of the first five", () => {
    const database = new sqlite!.DatabaseSync(":memory:");
    database.exec("CREATE VIRTUAL TABLE m USING fts5(body, tokenize='porter unicode61')");
    const insert = database.prepare("INSERT INTO m (body) VALUES (?)");
    for (const { body } of documents) insert.run(body);
    const select = database.prepare("SELECT rowid - 1 AS i FROM m WHERE m MATCH ? ORDER BY bm25(m) LIMIT 5");
    const reader = memoryIndex(documents);

    let agreed = 0;
    let expected = 0;
    for (const text of syntheticQueries(QUERIES, 4)) {
      const match = text.split(" ").map((word) => `"${word}"`);
      const theirs = select.all(match.join(" OR ")).map((row) => `m${(row as { i: number }).i}`);
      const ours = new Set(
        search([reader], { text, limit: TOP, fieldWeights: PLAIN_WEIGHTS }).hits.map(
          ({ metadata }) => metadata.name,
        ),
      );
      agreed += theirs.filter((name) => ours.has(name)).length;
      expected += theirs.length;
    }
    database.close();
    expect(expected).toBeGreaterThan(QUERIES * 3);
    expect(agreed / expected).toBeGreaterThan(0.9);
  });
});

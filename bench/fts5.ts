import type { IndexDocument } from "../src/search/index/document/index-document.ts";

/** The parts of node:sqlite that are used here; the types of Node 20 do not know the module. */
interface SqliteModule {
  DatabaseSync: new (path: string) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: string[]): unknown; all(...values: string[]): unknown[] };
    close(): void;
  };
}

/**
 * Times SQLite's FTS5 in memory with Porter stemming, words joined by OR and weighted columns; null where this Node
 * has no `node:sqlite` or no FTS5 in it.
 */
export async function fts5Search(
  corpus: () => Iterable<IndexDocument>,
  queries: readonly string[],
  time: (queries: readonly string[], ask: (query: string) => void) => number,
): Promise<number | null> {
  const sqlite = await loadSqlite();
  if (!sqlite) return null;
  const database = new sqlite.DatabaseSync(":memory:");
  try {
    database.exec(
      "CREATE VIRTUAL TABLE m USING fts5(name, trigger, tags, description, body, tokenize='porter unicode61')",
    );
  } catch {
    return null;
  }
  const insert = database.prepare("INSERT INTO m VALUES (?, ?, ?, ?, ?)");
  database.exec("BEGIN");
  for (const { metadata, body } of corpus()) {
    insert.run(
      metadata.name,
      metadata.trigger.join(" "),
      metadata.tags.join(" "),
      metadata.description,
      body,
    );
  }
  database.exec("COMMIT");
  const select = database.prepare(
    "SELECT rowid FROM m WHERE m MATCH ? ORDER BY bm25(m, 2, 2, 1.5, 1.5, 1) LIMIT 10",
  );
  const p50 = time(queries, (query) => {
    select.all(
      query
        .split(" ")
        .map((word) => `"${word}"`)
        .join(" OR "),
    );
  });
  database.close();
  return p50;
}

/** `node:sqlite`, or undefined where this Node does not have it. */
export async function loadSqlite(): Promise<SqliteModule | undefined> {
  const name = "node:sqlite";
  try {
    return (await import(name)) as SqliteModule;
  } catch {
    return undefined;
  }
}

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type sqlite from "node:sqlite";
import { HeedError } from "../errors/heed-error.ts";

/** Larger databases are not copied. */
const MAX_BYTES = 2_000_000_000;

/**
 * Reads another program's SQLite database from a copy, its write-ahead log with it: the program may be writing, and
 * reading in place would leave files beside its own.
 *
 * @throws HeedError `invalid-input` where the running Node has no SQLite, with the remedy, or for what is no database.
 */
export async function withDatabase<T>(
  path: string,
  work: (ask: (sql: string, ...values: unknown[]) => Record<string, unknown>[]) => T | Promise<T>,
): Promise<T> {
  const { DatabaseSync } = await loadSqlite(path);
  if (statSync(path).size > MAX_BYTES) throw unreadable(path, `it has more than ${MAX_BYTES} bytes`);
  const folder = mkdtempSync(join(tmpdir(), "heed-database-"));
  try {
    const copy = join(folder, basename(path));
    for (const part of ["", "-wal", "-shm"])
      if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    let database;
    try {
      // Not read-only: what the log holds is brought into the copy.
      database = new DatabaseSync(copy, { readOnly: false });
      const open = database;
      return await work((sql, ...values) => open.prepare(sql).all(...values));
    } catch (error) {
      if (error instanceof HeedError) throw error;
      throw unreadable(path, error instanceof Error ? error.message : String(error));
    } finally {
      database?.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the running Node can read databases. */
export async function hasSqlite(): Promise<boolean> {
  return (await importSqlite()) !== undefined;
}

async function loadSqlite(path: string): Promise<typeof sqlite> {
  const module = await importSqlite();
  if (module) return module;
  throw unreadable(
    path,
    `it is an SQLite database, which Node ${process.versions.node} cannot read: run the command with Node 22.13 or later (npx --yes -p node@24 -- heed …), or have the tool export JSON`,
  );
}

async function importSqlite(): Promise<typeof sqlite | undefined> {
  try {
    return await import("node:sqlite");
  } catch {
    return undefined;
  }
}

function unreadable(path: string, reason: string): HeedError {
  return new HeedError("invalid-input", `${path} cannot be read: ${reason}`, {
    argument: "path",
    value: path,
  });
}

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type sqlite from "node:sqlite";
import { HeedError, invalidInput } from "./heed-error.ts";

const MAX_BYTES = 2_000_000_000;

export type AskDatabase = (sql: string, ...values: unknown[]) => Record<string, unknown>[];

/** Reads another program's database from a copy: SQLite leaves files beside it. @throws HeedError `invalid-input`. */
export function withDatabase<T>(path: string, work: (ask: AskDatabase) => T): T {
  const { DatabaseSync } = loadSqlite(path);
  if (statSync(path).size > MAX_BYTES) throw unreadable(path, `it has more than ${MAX_BYTES} bytes`);
  const folder = mkdtempSync(join(tmpdir(), "heed-database-"));
  try {
    const copy = join(folder, basename(path));
    for (const part of ["", "-wal", "-shm"])
      if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    let database: sqlite.DatabaseSync | undefined;
    try {
      // Not read-only: what the log holds is brought into the copy.
      database = new DatabaseSync(copy, { readOnly: false });
      const open = database;
      return work((sql, ...values) => open.prepare(sql).all(...values));
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

function loadSqlite(path: string): typeof sqlite {
  // The types of Node 20 do not know it.
  const module = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as typeof sqlite | undefined;
  if (module) return module;
  throw unreadable(
    path,
    `it is an SQLite database, which Node ${process.versions.node} cannot read: run the command with Node 22.13 or newer (npx --yes -p node@24 -- heed …), or have the tool export JSON`,
  );
}

function unreadable(path: string, reason: string): HeedError {
  return invalidInput("path", path, `${path} cannot be read: ${reason}`);
}

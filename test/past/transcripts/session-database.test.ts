import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findTranscripts } from "../../../src/past/transcripts/find-transcripts.ts";
import { readSessionOn } from "../../../src/past/transcripts/read-session.ts";
import type { TranscriptEvent } from "../../../src/past/capture/transcript/transcript-event.ts";

interface Sqlite {
  DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
}
const sqlite = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as Sqlite | undefined;
if (sqlite === undefined)
  console.warn(`skipped: databases of opencode; Node ${process.versions.node} has no SQLite`);

function home(): string {
  const made = mkdtempSync(join(tmpdir(), "heed-database-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
}

/** A database as opencode makes it, shortened to what is read. */
function database(folder: string): { file: string; add: (id: string, role: string, data: object) => void } {
  const file = join(folder, ".local/share/opencode/opencode.db");
  mkdirSync(join(file, ".."), { recursive: true });
  const db = new (sqlite as Sqlite).DatabaseSync(file);
  db.exec(`pragma journal_mode = wal;
    create table session(id text, parent_id text, directory text, time_updated integer);
    create table message(id text, session_id text, data text);
    create table part(id text, message_id text, session_id text, time_created integer, data text);
    insert into session values ('ses_1', null, '/p', 1795368923799);
    insert into message values ('m_user', 'ses_1', '{"role":"user"}'), ('m_assistant', 'ses_1', '{"role":"assistant"}');`);
  onTestFinished(() => db.close());
  let time = 0;
  return {
    file,
    add: (id, role, data) =>
      db.exec(
        `insert into part values ('${id}', 'm_${role}', 'ses_1', ${++time}, '${JSON.stringify(data)}')`,
      ),
  };
}

describe.skipIf(sqlite === undefined)("sessions in a client's database", () => {
  test("are found, read while the client has it open, and read on", () => {
    const folder = home();
    const { file, add } = database(folder);
    add("p1", "user", { type: "text", text: "where is the board?" });
    const [found] = findTranscripts({ HOME: folder });
    expect(found).toMatchObject({ file: `${file}#ses_1`, session: "ses_1", mtimeMs: 1795368923799 });
    const progress = { offsets: {}, client: "" };
    const seen: TranscriptEvent[] = [];
    const readOn = (): number => readSessionOn(progress, `${file}#ses_1`, (event) => seen.push(event));
    expect(readOn()).toBe(1);
    expect(readOn()).toBe(0);
    add("p2", "assistant", { type: "text", text: "on the wall" });
    expect(readOn()).toBe(1);
    expect(progress.client).toBe("opencode");
    expect(seen.filter(({ kind }) => kind === "assistant")).toHaveLength(1);
    expect(seen[0]).toEqual({ kind: "place", cwd: "/p" });
    // Nothing was left beside the client's file.
    expect(readdirSync(join(file, "..")).filter((name) => !name.startsWith("opencode.db"))).toEqual([]);
  });

  test("that is none of opencode's is said to be", () => {
    const file = join(home(), "other.db");
    writeFileSync(file, "not a database");
    expect(() => readSessionOn({ offsets: {}, client: "" }, `${file}#ses_1`, () => {})).toThrow(
      /no database of opencode's/,
    );
  });
});

test.runIf(sqlite === undefined)("without SQLite the remedy is said", () => {
  expect(() => readSessionOn({ offsets: {}, client: "" }, "/nowhere/opencode.db#ses_1", () => {})).toThrow(
    /Node 22\.13 or newer/,
  );
});

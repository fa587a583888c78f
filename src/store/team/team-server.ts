import { createHash } from "node:crypto";
import type { ChangeRecord } from "../history/change-record.ts";
import { SCHEMA } from "./schema.ts";

/** A PostgreSQL server, as much of it as heed uses. No statement counts on the session of another: poolers share them. */
export interface Sql {
  /** Without values, several statements in one transaction. */
  query<Row>(text: string, values?: readonly unknown[], answerMs?: number): Promise<Row[]>;
  /** Tells of each notification from now on, where the address says so; true where one of the channels is new. */
  listen(channels: readonly string[], tell: () => void): Promise<boolean>;
  close(): void;
}

/** An audience as the server shows it to a person who belongs to it. */
export interface Audience {
  id: string;
  /** `team:everyone`, `repository:github.com/acme/api`, `person:alice`. */
  name: string;
  canWrite: boolean;
  head: number;
  channel: string;
}

export interface LoggedFile {
  seq: number;
  change: string;
  time: string;
  person: string;
  actor: ChangeRecord["actor"] | null;
  why: string;
  path: string;
  after: string | null;
}

/** A page of texts over a slow line, in milliseconds. */
const TEXTS_MS = 60_000;

const KIND_AND_NAME = "split_part($2, ':', 1), substr($2, strpos($2, ':') + 1)";

/** A server, seen by the person who is logged in. What it throws is the driver's, with an SQLSTATE as its code. */
export class TeamServer {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async version(): Promise<number> {
    const [there] = await this.#sql.query<{ there: boolean }>(
      "select to_regclass('heed.migration') is not null as there",
    );
    if (there?.there !== true) return 0;
    const [row] = await this.#sql.query<{ version: number }>(
      "select max(version) as version from heed.migration",
    );
    return row?.version ?? 0;
  }

  /** Makes the schema, in one transaction; of two at once the second finds it done. */
  async makeSchema(): Promise<void> {
    await this.#sql
      .query(`select pg_advisory_xact_lock(1751475556);\n${SCHEMA}`, undefined, TEXTS_MS)
      .catch(async (error: unknown) => {
        if ((await this.version()) === 0) throw error;
      });
  }

  async audiences(): Promise<Audience[]> {
    const rows = await this.#sql.query<Omit<Audience, "head"> & { head: string }>(
      `select id, kind || ':' || name as name, can_write as "canWrite", head, channel
       from heed.audience join heed.member on audience = id where person = session_user order by kind = 'team' desc, kind, name`,
    );
    return rows.map((row) => ({ ...row, head: Number(row.head) }));
  }

  listen(audiences: readonly Pick<Audience, "channel">[], tell: () => void): Promise<boolean> {
    return this.#sql.listen(
      audiences.map(({ channel }) => channel),
      tell,
    );
  }

  async person(): Promise<string> {
    const [row] = await this.#sql.query<{ person: string }>("select session_user as person");
    return row?.person ?? "";
  }

  /** Changes after `since`, oldest first. */
  async changes(audience: string, since: number, limit: number): Promise<LoggedFile[]> {
    const rows = await this.#sql.query<Omit<LoggedFile, "seq" | "time"> & { seq: string; time: Date }>(
      `select seq, change, time, person, actor, why, path, after from heed.log
       where audience = $1 and seq > $2 order by seq, path limit $3`,
      [audience, since, limit],
      TEXTS_MS,
    );
    return rows.map(({ time, seq, ...row }) => ({ ...row, seq: Number(seq), time: time.toISOString() }));
  }

  /** Texts of the files of an audience by their path, in its order: those behind `last`. */
  async files(audience: string, last: string, limit: number): Promise<Map<string, string>> {
    const rows = await this.#sql.query<{ path: string; content: string }>(
      "select path, content from heed.file where audience = $1 and path > $2 order by path limit $3",
      [audience, last, limit],
      TEXTS_MS,
    );
    return new Map(rows.map(({ path, content }) => [path, content]));
  }

  async texts(audience: string, paths: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#sql.query<{ path: string; content: string }>(
      "select path, content from heed.file where audience = $1 and path = any($2)",
      [audience, paths],
    );
    return new Map(rows.map(({ path, content }) => [path, content]));
  }

  /** Makes a change; it is durable when this resolves. Rejects with the code HE409 where a file is not as it says. */
  async push(
    audience: string,
    { id, actor, summary, files }: Pick<ChangeRecord, "id" | "actor" | "summary" | "files">,
  ): Promise<void> {
    const given = files.map(({ file, before, after }) => ({
      path: file,
      before: before === null ? null : createHash("sha256").update(before).digest("hex"),
      after,
    }));
    const values = [audience, id, JSON.stringify(actor), summary, JSON.stringify(given)];
    await this.#sql.query("select heed.push($1, $2, $3::jsonb, $4, $5::jsonb)", values);
  }

  /** Lets a person see an audience, which is made where there is none; for administrators. */
  async admit(person: string, audience: string, canWrite: boolean): Promise<void> {
    await this.#sql.query(`select heed.admit($1, ${KIND_AND_NAME}, $3)`, [person, audience, canWrite]);
  }

  /** Takes an audience from a person; false when they did not see it. For administrators. */
  async dismiss(person: string, audience: string): Promise<boolean> {
    const of = `select heed.dismiss($1, ${KIND_AND_NAME}) as done`;
    const [row] = await this.#sql.query<{ done: boolean }>(of, [person, audience]);
    return row?.done === true;
  }

  close(): void {
    this.#sql.close();
  }
}

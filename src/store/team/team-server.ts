import { createHash } from "node:crypto";
import type { ChangeRecord } from "../history/change-record.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A connection to PostgreSQL, as much of it as heed uses. */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  run(script: string): Promise<void>;
  listen(channel: string): Promise<void>;
  /** Told when a notification came, and when the connection broke. */
  onEvent(tell: (event: "notified" | "broken") => void): void;
  close(): Promise<void>;
}

/** An audience as the server shows it to a person who belongs to it. */
export interface Audience {
  id: string;
  /** `team:everyone`, `repository:github.com/acme/api`, `person:alice`. */
  name: string;
  canWrite: boolean;
  head: number;
  /** Its living memories' files and all others. */
  fileCount: number;
  /** Where the server tells of its changes. */
  channel: string;
}

/** One file of one change, as the log has it. */
export interface LoggedFile {
  seq: number;
  change: string;
  time: string;
  person: string;
  actor: ChangeRecord["actor"] | null;
  why: string;
  path: string;
  /** Undefined for one whose text was not asked for. */
  after?: string | null;
}

/** What a change says of a file besides its text: what the server finds it by. */
export interface FileTerms {
  type: string | null;
  terms: string[];
}

/** The schema's version that this heed speaks. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/** A server, seen by the person who is logged in. What it throws is the driver's, with an SQLSTATE as its code. */
export class TeamServer {
  readonly #sql: Sql;
  readonly #listening = new Set<string>();
  /** Something may have changed since this was set to false. */
  hasNews = true;
  isBroken = false;
  whenNotified: (() => void) | undefined;
  /** When the server last answered, by the clock of this process. */
  lastAnswerMs = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.onEvent((event) => {
      this.hasNews = true;
      if (event === "broken") this.isBroken = true;
      else this.whenNotified?.();
    });
  }

  async #query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const rows = await this.#sql.query<Row>(text, values);
    this.lastAnswerMs = performance.now();
    return rows;
  }

  async version(): Promise<number> {
    const [there] = await this.#query<{ there: boolean }>(
      "select to_regclass('heed.migration') is not null as there",
    );
    if (there?.there !== true) return 0;
    const [row] = await this.#query<{ version: number }>(
      "select max(version) as version from heed.migration",
    );
    return row?.version ?? 0;
  }

  /** Brings the schema to a version, up or down, in one transaction. Resolves to the version before. */
  async migrate(target: number = SCHEMA_VERSION): Promise<number> {
    await this.#sql.run("begin");
    try {
      // "heed" in ASCII: two that migrate at once take turns.
      await this.#query("select pg_advisory_xact_lock(1751475556)");
      const before = await this.version();
      for (const { version, up } of MIGRATIONS) {
        if (version <= before || version > target) continue;
        await this.#sql.run(up);
        await this.#query("insert into heed.migration (version) values ($1)", [version]);
      }
      for (const { version, down } of MIGRATIONS.toReversed()) {
        if (version > before || version <= target) continue;
        await this.#sql.run(down);
        if (version > 1) await this.#query("delete from heed.migration where version = $1", [version]);
      }
      await this.#sql.run("commit");
      return before;
    } catch (error) {
      await this.#sql.run("rollback").catch(() => undefined);
      throw error;
    }
  }

  async audiences(): Promise<Audience[]> {
    this.hasNews = false;
    const rows = await this.#query<{
      id: string;
      name: string;
      canWrite: boolean;
      head: string;
      files: string;
      channel: string;
    }>(
      `select id, kind || ':' || name as name, can_write as "canWrite", head, files, channel from heed.audience join heed.member
       on audience = id where person = session_user order by kind = 'team' desc, kind, name`,
    );
    return rows.map(({ files, head, ...row }) => ({ ...row, head: Number(head), fileCount: Number(files) }));
  }

  /** Has the server tell of changes in these audiences from now on; true where it did not tell of one before. */
  async listen(audiences: readonly Pick<Audience, "channel">[]): Promise<boolean> {
    const before = this.#listening.size;
    for (const { channel } of audiences) {
      if (this.#listening.has(channel)) continue;
      await this.#sql.listen(channel);
      this.#listening.add(channel);
    }
    return this.#listening.size > before;
  }

  get isListening(): boolean {
    return this.#listening.size > 0 && !this.isBroken;
  }

  async person(): Promise<string> {
    const [row] = await this.#query<{ person: string }>("select session_user as person");
    return row?.person ?? "";
  }

  /** Changes after `since`, oldest first. `only`: texts of these types and files alone. */
  async changes(
    audience: string,
    since: number,
    limit: number,
    only?: { types: readonly string[]; files: readonly string[] },
  ): Promise<LoggedFile[]> {
    const wanted = only
      ? "(now.type is null or now.type = any($4) or log.path = any($5) or log.after is null)"
      : "true";
    const rows = await this.#query<LoggedFile & { seq: string; time: Date; isWanted: boolean }>(
      `select seq, change, log.time, person, actor, why, log.path, ${wanted} as "isWanted",
         case when ${wanted} then log.after end as after
       from heed.log ${only ? "left join heed.file now on now.audience = log.audience and now.path = log.path" : ""}
       where log.audience = $1 and seq > $2 order by seq, log.path limit $3`,
      only ? [audience, since, limit, only.types, only.files] : [audience, since, limit],
    );
    return rows.map(({ isWanted, after, time, seq, ...row }) => ({
      ...row,
      seq: Number(seq),
      time: time.toISOString(),
      ...(isWanted && { after: after ?? null }),
    }));
  }

  /** The files of an audience by their path, with the change up to which they are; `types`: of these types alone. */
  async files(
    audience: string,
    types?: readonly string[],
  ): Promise<{ head: number; files: Map<string, string> }> {
    // One statement sees one state.
    const rows = await this.#query<{ head: string; path: string | null; content: string }>(
      `select head, path, content from heed.audience left join heed.file on file.audience = id
         ${types ? "and (type is null or type = any($2))" : ""} where id = $1`,
      types ? [audience, types] : [audience],
    );
    return {
      head: Number(rows[0]?.head ?? 0),
      files: new Map(rows.flatMap(({ path, content }) => (path === null ? [] : [[path, content] as const]))),
    };
  }

  /** The texts of files as they are now; undefined for one that is not there. */
  async texts(audience: string, paths: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#query<{ path: string; content: string }>(
      "select path, content from heed.file where audience = $1 and path = any($2)",
      [audience, paths],
    );
    return new Map(rows.map(({ path, content }) => [path, content]));
  }

  /** Makes a change; it is durable when this resolves. Rejects with the code HE409 where a file is not as it says. */
  async push(
    audience: string,
    { id, actor, summary, files }: Pick<ChangeRecord, "id" | "actor" | "summary" | "files">,
    termsOf: (file: string, text: string) => FileTerms,
  ): Promise<number> {
    const given = files.map(({ file, before, after }) => ({
      path: file,
      before: before === null ? null : createHash("sha256").update(before).digest("hex"),
      after,
      ...(after !== null && termsOf(file, after)),
    }));
    const [row] = await this.#query<{ head: string }>(
      "select heed.push($1, $2, $3::jsonb, $4, $5::jsonb) as head",
      [audience, id, JSON.stringify(actor), summary, JSON.stringify(given)],
    );
    return Number(row?.head ?? 0);
  }

  /** The files that fit the words best, of all audiences of this person. */
  async search(
    terms: readonly string[],
    limit: number,
  ): Promise<{ audience: string; path: string; content: string }[]> {
    return this.#query("select audience, path, content from heed.search($1, $2)", [terms, limit]);
  }

  /** Lets a person see an audience, which is made where there is none; for administrators. */
  async admit(person: string, audience: string, canWrite: boolean): Promise<void> {
    await this.#query("select heed.admit($1, $2, $3, $4)", [person, ...kindAndName(audience), canWrite]);
  }

  /** Takes an audience from a person; false when they did not see it. For administrators. */
  async dismiss(person: string, audience: string): Promise<boolean> {
    const [row] = await this.#query<{ done: boolean }>("select heed.dismiss($1, $2, $3) as done", [
      person,
      ...kindAndName(audience),
    ]);
    return row?.done === true;
  }

  close(): Promise<void> {
    return this.#sql.close();
  }
}

function kindAndName(audience: string): [kind: string, name: string] {
  const colon = audience.indexOf(":");
  return [audience.slice(0, colon), audience.slice(colon + 1)];
}

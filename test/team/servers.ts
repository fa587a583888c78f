import { mkdtempSync, rmSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { findPostgres, startPostgres, type ThrowawayServer } from "../../scripts/postgres.mjs";
import { openTeamServer } from "../../src/store/team/open-team-server.ts";
import { type Sql, TeamServer } from "../../src/store/team/team-server.ts";

/** A server of the tests, with a database of its own: what a person does there, and what its owner does by SQL. */
export interface TestServer {
  /** A connection as a person, whose role is made where there is none. */
  as(person: string): Promise<TeamServer>;
  /** SQL as a person; `postgres` is the superuser. */
  sql(person: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Its address for a login; of PGlite there is none. */
  url(person: string): string;
  close(): Promise<void>;
}

/** PostgreSQL in this process: one connection, on which persons take turns. */
export async function openPglite(): Promise<TestServer> {
  const db = new PGlite();
  const roles = new Set(["postgres"]);
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  const asPerson = <T>(person: string, work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      await db.exec("set session authorization postgres");
      if (!roles.has(person)) await db.exec(`create role "${person}" login`);
      roles.add(person);
      await db.exec(`set session authorization "${person}"`);
      return work();
    });
  const sqlOf = (person: string): Sql => ({
    query: <Row>(text: string, values?: readonly unknown[]) =>
      asPerson(person, async () =>
        values
          ? (await db.query<Row>(text, [...values])).rows
          : (((await db.exec(text)).at(-1)?.rows ?? []) as Row[]),
      ),
    listen: async () => false,
    close: () => undefined,
  });
  return {
    as: async (person) => {
      await asPerson(person, () => db.query("select 1"));
      return new TeamServer(sqlOf(person));
    },
    sql: (person, text, values) =>
      asPerson(person, async () => (await db.query<Record<string, unknown>>(text, values)).rows),
    url: () => "",
    close: () => db.close(),
  };
}

let shared: Promise<ThrowawayServer> | undefined;
let folder = "";
let inUse = 0;
let databases = 0;

/** A database of a real server, which all tests of a process share; undefined where PostgreSQL is not installed. */
export const openPostgres: (() => Promise<TestServer>) | undefined =
  findPostgres() === undefined ? undefined : openReal;

async function openReal(): Promise<TestServer> {
  inUse++;
  // Not in the folder of the run, which the server's own user may not enter.
  folder ||= mkdtempSync("/tmp/heed-postgres-");
  shared ??= startPostgres(folder, { fsync: "off" });
  const server = await shared;
  const database = `team${++databases}`;
  await once(server.url(), `create database ${database}`);
  const open = new Map<string, Client>();
  const clientOf = async (person: string): Promise<Client> => {
    const known = open.get(person);
    if (known) return known;
    if (person !== "postgres")
      await once(
        server.url(),
        `do $$ begin create role "${person}" login; exception when duplicate_object then null; end $$`,
      );
    const client = new Client({ connectionString: server.url(person, database) });
    await client.connect();
    open.set(person, client);
    return client;
  };
  const servers: TeamServer[] = [];
  return {
    as: async (person) => {
      await clientOf(person);
      const opened = openTeamServer({ url: server.url(person, database), connectMs: 5_000 });
      servers.push(opened);
      return opened;
    },
    sql: async (person, text, values) =>
      (await (await clientOf(person)).query<Record<string, unknown>>(text, values)).rows,
    url: (person) => server.url(person, database),
    close: async () => {
      for (const one of servers) one.close();
      for (const client of open.values()) await client.end();
      if (--inUse > 0) return;
      shared = undefined;
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      folder = "";
    },
  };
}

async function once(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

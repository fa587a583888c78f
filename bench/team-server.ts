import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Client } from "pg";
import { startPostgres, type ThrowawayServer } from "../scripts/postgres.mjs";
import { analyzeField } from "../src/search/index/analysis/tokenize.ts";
import { fieldValuesOf, type IndexDocument } from "../src/search/index/document/index-document.ts";
import { encodeMemory } from "../src/memory/codec/encode-memory.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import { openTeamServer } from "../src/store/team/open-team-server.ts";
import { syntheticCorpus } from "./corpus.ts";

/** Rules of one team; the generator makes one memory in fifty one. */
const MAX_RULES = 200;
/** Texts that are made; of more memories the rest are copies of these under other names and ids, rules excepted. */
const TEXTS = 20_000;
const types = new TypeTable();

/** Runs something with a server that has the schema, a login and an audience; `kept`: a folder that it lies in afterwards. */
export async function withServer<T>(
  run: (server: ThrowawayServer, folder: string) => Promise<T>,
  kept?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = kept ?? mkdtempSync("/tmp/heed-bench-team-");
  const server = await startPostgres(folder, {
    max_connections: "100",
    shared_buffers: "512MB",
    maintenance_work_mem: "2GB",
    max_wal_size: "8GB",
    default_toast_compression: "lz4",
    ...settings,
  });
  try {
    await sql(
      server,
      "do $$ begin create role writer login; exception when duplicate_object then null; end $$",
    );
    const admin = openTeamServer({ url: server.url() });
    await admin.makeSchema();
    await admin.admit("writer", "team:everyone", true);
    admin.close();
    return await run(server, folder);
  } finally {
    await server.stop();
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A statement of the superuser. */
export async function sql(
  server: ThrowawayServer,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Memories of one team. */
export function* corpus(count: number): Generator<IndexDocument> {
  let rules = 0;
  let place = 0;
  for (const document of syntheticCorpus(count)) {
    document.metadata.id = `01J${String(place++).padStart(23, "0")}`;
    document.metadata.scope = { paths: [] };
    const isRule = document.metadata.type === "feedback";
    if (isRule && ++rules > MAX_RULES) document.metadata.type = "reference";
    yield document;
  }
}

export const fileOf = ({ metadata }: IndexDocument): string => `${metadata.type}/${metadata.name}.md`;
export const textOf = ({ metadata, body }: IndexDocument): string =>
  encodeMemory({ ...metadata, body }, types);
function termsOf(document: IndexDocument): string[] {
  const terms = new Set<string>();
  for (const values of fieldValuesOf(document)) analyzeField(values, (term) => terms.add(term));
  return [...terms];
}

/** Puts memories on the server as an administrator would restore them: past the log, with the indexes made at the end. */
export async function fill(server: ThrowawayServer, count: number): Promise<number | undefined> {
  const startedAt = performance.now();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  const [there] = (await client.query<{ id: string; files: string }>("select id, files from heed.audience"))
    .rows;
  if (Number(there?.files) >= count) return client.end().then(() => undefined);
  const audience = there?.id ?? "";
  await client.query("set session_replication_role = replica");
  await client.query("drop index heed.file_terms");
  await client.query("alter table heed.file drop constraint file_pkey");
  const texts = Math.min(count, TEXTS);
  let batch: { path: string; content: string; hash: string; type: string; terms: string[] }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0)
      await client.query(
        `insert into heed.file (audience, path, content, hash, type, terms)
         select $1, path, content, hash, type, terms
         from jsonb_to_recordset($2::jsonb) as given(path text, content text, hash text, type text, terms text[])`,
        [audience, JSON.stringify(batch)],
      );
    batch = [];
  };
  for (const document of corpus(texts)) {
    const content = textOf(document);
    const hash = createHash("sha256").update(content).digest("hex");
    batch.push({
      path: fileOf(document),
      content,
      hash,
      type: document.metadata.type,
      terms: termsOf(document),
    });
    if (batch.length === 2_000) await flush();
  }
  await flush();
  await client.query(
    `create table base as select *, lpad((row_number() over ())::text, 6, '0') as place from heed.file where type <> 'feedback'`,
  );
  await Promise.all([0, 1].map((half) => addCopies(server, count - texts, half)));
  await client.query("update heed.audience set files = $1, head = 1", [count]);
  await client.query("alter table heed.file add primary key (audience, path)");
  await client.query("create index file_terms on heed.file using gin (terms)");
  await client.query("analyze");
  await client.query("select heed.count_terms()");
  await client.end();
  return (performance.now() - startedAt) / 1000;
}

/** Of copies of the texts every second one: two connections use two processors. */
async function addCopies(server: ThrowawayServer, wanted: number, half: number): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  await client.query("set session_replication_role = replica");
  const texts = Number((await client.query<{ n: string }>("select count(*) as n from base")).rows[0]?.n);
  for (let copy = 1; (copy - 1) * texts < wanted; copy++)
    if (copy % 2 === half)
      await client.query(
        `insert into heed.file (audience, path, content, hash, type, terms)
         select audience, path, content, encode(sha256(convert_to(content, 'UTF8')), 'hex'), type, terms from (
           select audience, type, terms, replace(path, '.md', '-x' || $1::text || '.md') as path,
             regexp_replace(regexp_replace(content, '01J[0-9]{23}', '01J' || lpad($1::text || place, 23, '0')),
               '(\nname: [^\n]*)', '\\1-x' || $1::text) as content
           from base limit $2
         ) made`,
        [copy, wanted - (copy - 1) * texts],
      );
  await client.end();
}

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Client } from "pg";
import { startPostgres, type ThrowawayServer } from "../scripts/postgres.mjs";
import type { IndexDocument } from "../src/search/index/document/index-document.ts";
import { encodeMemory } from "../src/memory/codec/encode-memory.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import { openTeamServer } from "../src/store/team/open-team-server.ts";
import { syntheticCorpus } from "./corpus.ts";

/** Rules of one team; the generator makes one memory in fifty one. */
const MAX_RULES = 200;
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
/** Puts memories on the server as an administrator would restore them: past the log. */
export async function fill(server: ThrowawayServer, count: number): Promise<number | undefined> {
  const startedAt = performance.now();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  const asked = "select id, (select count(*) from heed.file) as files from heed.audience";
  const [there] = (await client.query<{ id: string; files: string }>(asked)).rows;
  if (Number(there?.files) >= count) return client.end().then(() => undefined);
  const audience = there?.id ?? "";
  await client.query("set session_replication_role = replica");
  let batch: { path: string; content: string; hash: string }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0)
      await client.query(
        `insert into heed.file (audience, path, content, hash) select $1, path, content, hash
         from jsonb_to_recordset($2::jsonb) as given(path text, content text, hash text)`,
        [audience, JSON.stringify(batch)],
      );
    batch = [];
  };
  for (const document of corpus(count)) {
    const content = textOf(document);
    const hash = createHash("sha256").update(content).digest("hex");
    batch.push({ path: fileOf(document), content, hash });
    if (batch.length === 2_000) await flush();
  }
  await flush();
  await client.query("update heed.audience set head = 1");
  await client.query("analyze");
  await client.end();
  return (performance.now() - startedAt) / 1000;
}
